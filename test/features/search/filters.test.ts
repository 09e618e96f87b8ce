import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { type Person, newServer, say, standard } from '../../support/harness.ts'
import { passersBy } from '../../support/people.ts'

const parley = await standard()
const [alice, bob, carol] = (await passersBy(parley, 'alice', 'bob', 'carol')) as [Person, Person, Person]
const { sql } = parley.parts
const { server_id } = await newServer(alice, bob, carol)

const ask = (who: Person, query: Record<string, string | number>) =>
  who.get(`/api/search?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`)

/** The contents of the search results, newest first. */
async function finds(who: Person, q: string, more: Record<string, string | number>): Promise<string[]> {
  await parley.sweep()
  const answer = await ask(who, { q, ...more })
  expect(answer.status).toBe(200)
  return answer.body.messages.map((message: { content: string }) => message.content)
}

const newChannel = async (name: string) =>
  (await alice.post(`/api/servers/${server_id}/channels`, { name, type: 'text' })).body.id as number

test('filters without words find the newest readable messages, page by page', async () => {
  const [marsh, hidden] = [await newChannel('marsh'), await newChannel('hidden')]
  const ids: number[] = []
  for (let n = 0; n < 60; n++)
    ids.push((await say(n % 2 ? alice : bob, marsh, `lapwing ${n}${n % 3 ? '' : ' egg'}`)).id)
  await say(alice, hidden, 'a lapwing that bob may not see')
  const [{ id: everyone }] = await sql<[{ id: number }]>`
    select id from roles where server_id = ${server_id} and is_everyone`
  const rule = { allow: 0, deny: permissions('view_channel') }
  expect((await alice.put(`/api/channels/${hidden}/permissions/${everyone}`, rule)).status).toBeLessThan(300)
  await parley.sweep()
  // In one channel, over all pages, with threads and exclusions.
  const thread = (await alice.post(`/api/channels/${marsh}/threads`, { name: 'Eggs', message_id: ids[3] })).body
  await say(bob, thread.id, 'four of them')
  await parley.sweep()
  const all: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body } = await ask(bob, { channel_id: marsh, ...(cursor ? { cursor } : {}) })
    all.push(...body.messages.map(({ content }: { content: string }) => content))
    cursor = body.cursor
  }
  expect(all).toHaveLength(61)
  expect(all.slice(0, 2)).toEqual(['four of them', 'lapwing 59'])
  expect(await finds(bob, '', { channel_id: thread.id })).toEqual(['four of them'])
  expect(await finds(bob, '-egg', { channel_id: marsh })).toHaveLength(25)
  expect((await finds(bob, '-egg -four', { channel_id: marsh })).slice(0, 3)).toEqual([
    'lapwing 59',
    'lapwing 58',
    'lapwing 56',
  ])
  // An exclusion that nearly all messages match is searched until the page is full, or nothing is left.
  expect(await finds(bob, '-lapwing', { channel_id: marsh })).toEqual(['four of them'])
  await alice.put(`/api/channels/${marsh}/pins/${ids[59]}`)
  expect((await finds(bob, '', { channel_id: marsh, pinned: 'false' })).slice(0, 2)).toEqual([
    'four of them',
    'lapwing 58',
  ])
  // By time, in a whole server, and never in a channel that the searcher does not see.
  const [sent] = await sql<{ at: string }[]>`select iso(created_at) as at from messages where id = ${ids[10] ?? 0}`
  expect((await finds(bob, '', { server_id, before: sent?.at ?? '' }))[0]).toBe('lapwing 9 egg')
  const since = await finds(bob, '', { server_id, after: sent?.at ?? '' })
  expect(since).toHaveLength(25)
  expect(since).not.toContain('a lapwing that bob may not see')
  expect((await finds(alice, '', { server_id })).slice(0, 2)).toEqual([
    'four of them',
    'a lapwing that bob may not see',
  ])
  expect(await finds(bob, '', { channel_id: marsh, after: '9000-01-01' })).toEqual([])
})

test('an exclusion of nearly all messages finds the remaining ones in order', async () => {
  const egrets = await newChannel('egrets')
  await sql`with made as (
      insert into messages (channel_id, author_id, content, created_at)
      select ${egrets}, ${alice.id}, case when n % 100 = 0 then 'rare ' else 'egret ' end || n,
        now() - (3000 - n) * interval '3 hours'
      from generate_series(1, 3000) n returning id, channel_id, created_at, content)
    insert into search_documents (message_id, place_id, created_at, terms)
    select id, channel_id, created_at, ' ' || content || ' ' from made`
  const rare = Array.from({ length: 30 }, (_, n) => `rare ${3000 - n * 100}`)
  const first = (await ask(bob, { q: '-egret', channel_id: egrets })).body
  const contents = ({ messages }: { messages: { content: string }[] }) => messages.map(({ content }) => content)
  expect(contents(first)).toEqual(rare.slice(0, 25))
  const second = (await ask(bob, { q: '-egret', channel_id: egrets, cursor: first.cursor })).body
  expect([contents(second), second.cursor]).toEqual([rare.slice(25), null])
  expect(contents((await ask(bob, { q: '-egret -rare', channel_id: egrets })).body)).toEqual([])
  // The prefix of a common word finds the same, page by page, and a rare prefix finds older messages.
  for (let page = 0, cursors = { egre: '', '"egret"': '' }; page < 3; page++) {
    const pages = { egre: [] as string[], '"egret"': [] as string[] }
    for (const q of ['egre', '"egret"'] as const) {
      const { body } = await ask(bob, { q, channel_id: egrets, ...(cursors[q] ? { cursor: cursors[q] } : {}) })
      pages[q] = contents(body)
      cursors = { ...cursors, [q]: body.cursor }
    }
    expect(pages.egre).toHaveLength(25)
    expect(pages.egre).toEqual(pages['"egret"'])
  }
  expect(contents((await ask(bob, { q: 'rar', channel_id: egrets })).body)).toEqual(rare.slice(0, 25))
  expect(contents((await ask(bob, { q: 'egret 1', channel_id: egrets })).body)).toEqual(['egret 1'])
  expect(contents((await ask(bob, { q: 'egret 150', channel_id: egrets })).body)).toEqual(
    [1509, 1508, 1507, 1506, 1505, 1504, 1503, 1502, 1501, 150].map((n) => `egret ${n}`),
  )
})

test('results come with their neighbours and what they reply to, as the searcher sees them', async () => {
  const shore = await newChannel('shore')
  const first = await say(alice, shore, 'Is the dunlin back?')
  await say(carol, shore, 'Not yet')
  const answer = { content: 'A dunlin, look', reply_to_id: first.id }
  const { id } = (await bob.post(`/api/channels/${shore}/messages`, answer)).body
  await alice.put(`/api/messages/${first.id}/reactions/🎉/@me`)
  await parley.sweep()
  const [plain] = (await ask(alice, { q: 'look', channel_id: shore })).body.messages
  expect('context' in plain).toBe(false)
  const [found] = (await ask(alice, { q: 'look', channel_id: shore, context: 'true' })).body.messages
  expect(found).toMatchObject({ id, channel: { id: shore }, context: { before: { content: 'Not yet' }, after: null } })
  expect(found.context.reply_to).toMatchObject({ id: first.id, reactions: [{ emoji: '🎉', count: 1, me: true }] })
  await bob.delete(`/api/messages/${first.id}`)
  await alice.delete(`/api/messages/${first.id}`)
  const [later] = (await ask(alice, { q: 'look', channel_id: shore, context: 'true' })).body.messages
  expect(later.context).toMatchObject({ before: { content: 'Not yet' }, reply_to: null })
})
