import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { claim } from '../../../src/database/job-lock.ts'
import { type Person, newServer, say, standard, until } from '../../support/harness.ts'
import { passersBy, write } from '../../support/people.ts'

const parley = await standard()
const [alice, bob, carol] = (await passersBy(parley, 'alice', 'bob', 'carol')) as [Person, Person, Person]
const { sql } = parley.parts
const { server_id, channel_id } = await newServer(alice, bob, carol)

const ask = (who: Person, query: Record<string, string | number>) =>
  who.get(`/api/search?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`)

/** The contents of the search results, newest first. */
async function finds(who: Person, q: string, more: Record<string, string | number> = {}): Promise<string[]> {
  await parley.sweep()
  const answer = await ask(who, { q, ...more })
  expect(answer.status).toBe(200)
  return answer.body.messages.map((message: { content: string }) => message.content)
}

const newChannel = async (name: string) =>
  (await alice.post(`/api/servers/${server_id}/channels`, { name, type: 'text' })).body.id as number

test('words, phrases, left out words and the beginning of the last word find messages, newest first', async () => {
  await say(alice, channel_id, 'A kingfisher at the river')
  await say(bob, channel_id, 'The river has a Kingfisher and a heron')
  expect(await finds(carol, 'KINGFISHER river')).toEqual([
    'The river has a Kingfisher and a heron',
    'A kingfisher at the river',
  ])
  expect(await finds(carol, '"the river"')).toHaveLength(2)
  expect(await finds(carol, '"at the river"')).toEqual(['A kingfisher at the river'])
  expect(await finds(carol, 'river -heron')).toEqual(['A kingfisher at the river'])
  expect(await finds(carol, 'river -"at the"')).toEqual(['The river has a Kingfisher and a heron'])
  expect(await finds(carol, 'heron kingf')).toHaveLength(1)
  expect(await finds(carol, 'kingf heron')).toEqual([])
  expect(await finds(carol, '"kingf"')).toEqual([])
  expect(await finds(carol, 'kingfisher"')).toHaveLength(2)
})

const languages: [content: string, found: string[], missed: string[]][] = [
  ['我们明天去东京塔看日落', ['东京', '东京塔', '塔', '"日落"', '去东京'], ['京东', '北京', '塔东']],
  ['東京タワーでカメラを買った', ['カメラ', 'ｶﾒﾗ', 'タワー', '買'], ['メカラ']],
  ['พรุ่งนี้เราไปดูนกกระเต็นกัน', ['นกกระเต็น', 'พรุ่งนี้'], ['กระเตน']],
  ['Die Donaudampfschifffahrt über die Straße', ['donaudampf', 'uber', 'STRASSE', 'straße'], ['dampfschiff']],
  ['مُحَمَّدٌ ذَهَبَ إلى المدرسة', ['محمد', 'مُحَمَّد', 'الى'], ['احمد']],
  ['Ça c’est déjà vu, naïve', ['ca', 'deja', 'NAIVE'], ['ce']],
  ['ναί, ο ΟΔΥΣΣΕΥΣ', ['οδυσσεύς', 'ναι'], []],
  ['Party 🎉 with 👍🏽 and 🇩🇪', ['🎉', '👍', '👍🏿', '🇩🇪'], ['🇫🇷', '🎈']],
  ['call foo_bar() on a.b.c of snake_case', ['foo_bar()', 'a.b.c', 'bar', 'foo_bar'], ['a.c', 'bar_foo']],
  ['안녕하세요 검색 시험', ['검색', '안녕'], ['색검']],
]
test.each(languages)('%s is found by the usual searches', async (content, found, missed) => {
  await say(alice, channel_id, content)
  for (const q of found) expect([q, await finds(bob, q, { channel_id })]).toEqual([q, [content]])
  for (const q of missed) expect([q, await finds(bob, q, { channel_id })]).toEqual([q, []])
})

const richEmbed = {
  type: 'rich',
  url: null,
  title: 'A title',
  description: null,
  color: null,
  site_name: null,
  author: null,
  fields: [],
  image: null,
  thumbnail: null,
  footer: null,
  timestamp: null,
}

test('a forward is found by the content from its source', async () => {
  const { channel_id: elsewhere } = await newServer(alice)
  const { id } = await say(alice, elsewhere, 'A wryneck sings')
  const draft = { forward_message_id: id, content: 'Listen' }
  expect((await alice.post(`/api/channels/${channel_id}/messages`, draft)).status).toBe(201)
  expect(await finds(bob, 'wryneck')).toEqual(['Listen'])
  expect(await finds(bob, 'wryneck listen')).toEqual(['Listen'])
})

test('filters find by author, mention, kind, pin, place and time, also without words', async () => {
  const home = await newChannel('filters')
  const link = await say(alice, home, `see https://example.org <@${bob.id}>`)
  await say(bob, home, 'see nothing')
  await sql`insert into files (uploader_id, message_id, ordinal, filename, content_type, size, key)
    values (${alice.id}, ${link.id}, 1, 'a.png', 'image/png', 1, 'files/search-test')`
  await sql`delete from search_progress`
  const only = async (query: Record<string, string | number>) =>
    (await finds(alice, '', { channel_id: home, ...query })).length
  expect(await only({ from: alice.id })).toBe(1)
  expect(await only({ from: carol.id })).toBe(0)
  expect(await only({ mentions: bob.id })).toBe(1)
  expect(await only({ has: 'link' })).toBe(1)
  expect(await only({ has: 'image' })).toBe(1)
  expect(await only({ has: 'file', from: alice.id })).toBe(1)
  expect(await only({ has: 'embed' })).toBe(0)
  expect(await only({ pinned: 'true' })).toBe(0)
  expect(await only({ q: 'see' })).toBe(2)
  expect(await only({ q: 'see', pinned: 'false' })).toBe(2)
  expect(await only({ q: 'see', after: '2020-01-01' })).toBe(2)
  expect(await only({ q: 'see', before: '2020-01-01' })).toBe(0)
  expect(await only({ q: 'see', after: '2030-01-01T00:00:00Z' })).toBe(0)
  expect(await finds(alice, 'see', { server_id })).toHaveLength(2)
  await sql`update messages set pinned_at = now() where id = ${link.id}`
  await sql`delete from search_progress`
  expect(await only({ pinned: 'true' })).toBe(1)
  const rich = await say(alice, home, 'an embed')
  await sql`update messages set embeds = ${sql.json([richEmbed])} where id = ${rich.id}`
  await sql`delete from search_progress`
  expect(await finds(alice, '', { has: 'embed' })).toEqual(['an embed'])
  const [found] = (await ask(alice, { q: 'nothing', channel_id: home })).body.messages
  expect(found.channel).toEqual({ id: home, name: 'filters', server_id })
})

test('nobody finds unreadable messages, in the very next request after losing access', async () => {
  const home = await newChannel('secrets')
  await say(alice, home, 'The nightjar nests here')
  const [{ id: everyone }] = await sql<[{ id: number }]>`
    select id from roles where server_id = ${server_id} and is_everyone`
  expect(await finds(bob, 'nightjar')).toHaveLength(1)
  const put = (bit: 'view_channel' | 'read_history') =>
    alice.put(`/api/channels/${home}/permissions/${everyone}`, { allow: 0, deny: permissions(bit) })
  expect((await put('read_history')).status).toBeLessThan(300)
  expect((await ask(bob, { q: 'nightjar' })).body.messages).toEqual([])
  expect((await ask(bob, { q: 'nightjar', channel_id: home })).body.code).toBe('missing_permission')
  expect((await put('view_channel')).status).toBeLessThan(300)
  expect((await ask(bob, { q: 'nightjar' })).body.messages).toEqual([])
  expect((await ask(bob, { q: 'nightjar', channel_id: home })).status).toBe(404)
  expect((await ask(alice, { q: 'nightjar' })).body.messages).toHaveLength(1)
  const [dave] = await passersBy(parley, 'dave')
  expect((await ask(dave, { q: 'kingfisher' })).body.messages).toEqual([])
  expect((await ask(dave, { q: 'kingfisher', server_id })).status).toBe(404)
})

test('only participants find direct messages and groups; readers of the parent find threads', async () => {
  await write(alice, bob, 'A hoopoe between us')
  expect(await finds(bob, 'hoopoe')).toHaveLength(1)
  expect(await finds(carol, 'hoopoe')).toEqual([])
  expect(await finds(alice, 'hoopoe', { server_id })).toEqual([])
  const [{ id: group }] = await sql<[{ id: number }]>`
    insert into channels (name, type, position, owner_id) values ('', 'group', 0, ${alice.id}) returning id`
  for (const { id } of [alice, carol])
    await sql`insert into participants (channel_id, user_id) values (${group}, ${id})`
  await say(alice, group, 'A hoopoe in the group')
  expect(await finds(carol, 'hoopoe')).toEqual(['A hoopoe in the group'])
  await sql`delete from participants where channel_id = ${group} and user_id = ${carol.id}`
  expect(await finds(carol, 'hoopoe')).toEqual([])
  const home = await newChannel('parents')
  const { id: thread } = (await alice.post(`/api/channels/${home}/threads`, { name: 'Wrynecks' })).body
  await say(alice, thread, 'A wryneck')
  await say(alice, home, 'Another wryneck')
  expect(await finds(bob, 'wryneck', { channel_id: thread })).toEqual(['A wryneck'])
  expect(await finds(bob, 'wryneck', { channel_id: home })).toEqual(['Another wryneck', 'A wryneck'])
})

test('a deleted thread is not found from then on, and does not stop the index', async () => {
  const home = await newChannel('passing')
  const { id: thread } = (await alice.post(`/api/channels/${home}/threads`, { name: 'Dotterels' })).body
  await say(alice, thread, 'A dotterel')
  expect(await finds(bob, 'dotterel')).toEqual(['A dotterel'])
  await sql.begin(async (tx) => {
    // The messages stay until the job has deleted them.
    await until(() => claim(tx, 'server removal'))
    expect((await alice.delete(`/api/channels/${thread}`)).status).toBe(204)
    expect((await ask(bob, { q: 'dotterel' })).body.messages).toEqual([])
    await sql`delete from search_progress`
    await say(alice, home, 'Another dotterel')
    expect(await finds(bob, 'dotterel')).toEqual(['Another dotterel'])
  })
})

const longest: [name: string, word: string][] = [
  ['letters of two units', `a${'𐐨'.repeat(40)}`],
  ['joined emoji', Array(30).fill('😀').join('\u200d')],
]
test.each(longest)('a word that is too long is cut between its characters: %s', async (_, word) => {
  await say(alice, channel_id, `${word} dipper`)
  const { length } = await finds(bob, `${word} dipper`)
  expect(length).toBe(1)
})

test('a message that the index refuses is left out, and its neighbours are found', async () => {
  const home = await newChannel('refusing')
  await sql`alter table search_documents add constraint refusing check (terms not like '% auk %')`
  try {
    for (const content of ['A fulmar', 'An auk and a fulmar', 'Two fulmars', 'Another fulmar'])
      await say(alice, home, content)
    expect(await finds(bob, 'fulmar')).toEqual(['Another fulmar', 'Two fulmars', 'A fulmar'])
    await sql`delete from search_progress`
    expect(await finds(bob, 'fulmar')).toHaveLength(3)
  } finally {
    await sql`alter table search_documents drop constraint refusing`
  }
})

test('a message whose embed cannot be read stops nothing, and is found once migration 0081 has run', async () => {
  const home = await newChannel('nul')
  const [before, bad, after] = [await say(alice, home, 'A smew'), await say(alice, home, 'Bad smew'), 'Last smew']
  const at = String.raw`\u0000http://a.example/\u0000\u0000x\\u0000y\\\u0000`
  const embeds = JSON.stringify([richEmbed]).replace('"url":null', `"url":"${at}"`)
  await sql`update messages set embeds = ${embeds}::text::json where id = ${bad.id}`
  await say(alice, home, after)
  expect(await finds(bob, 'smew', { channel_id: home })).toEqual([after, before.content])
  const migration = await Bun.file(`${import.meta.dir}/../../../sql/0081_clean_embeds.sql`).text()
  await sql.unsafe(migration.slice(0, migration.indexOf(';') + 1))
  const [cleaned] = await sql`select embeds -> 0 ->> 'url' as url from messages where id = ${bad.id}`
  expect(cleaned?.url).toBe(String.raw`http://a.example/x\u0000y` + '\\')
  await sql`delete from search_progress`
  expect(await finds(bob, 'smew', { channel_id: home })).toEqual([after, 'Bad smew', 'A smew'])
})

test('search results mark the searcher’s own reactions', async () => {
  const { id } = await say(alice, channel_id, 'A siskin')
  expect((await bob.put(`/api/messages/${id}/reactions/${encodeURIComponent('🐦')}/@me`)).status).toBeLessThan(300)
  await parley.sweep()
  for (const [who, me] of [
    [alice, false],
    [bob, true],
  ] as const) {
    const [found] = (await ask(who, { q: 'siskin' })).body.messages
    expect(found.reactions).toEqual((await who.get(`/api/messages/${id}`)).body.reactions)
    expect(found.reactions).toEqual([expect.objectContaining({ me })])
    expect(found.channel.id).toBe(channel_id)
  }
})

test('an edit and a deletion leave the index at once, and nothing remains behind', async () => {
  const home = await newChannel('changing')
  const { id } = await say(alice, home, 'A bittern')
  expect(await finds(bob, 'bittern')).toHaveLength(1)
  await alice.put(`/api/messages/${id}`, { content: 'A crane' })
  expect((await ask(bob, { q: 'bittern' })).body.messages).toEqual([])
  expect(await finds(bob, 'crane')).toEqual(['A crane'])
  await alice.delete(`/api/messages/${id}`)
  expect((await ask(bob, { q: 'crane' })).body.messages).toEqual([])
  await say(alice, home, 'A plover')
  await parley.sweep()
  expect((await alice.delete(`/api/channels/${home}`)).status).toBe(204)
  expect(await finds(bob, 'plover')).toEqual([])
  expect(
    await sql`select from search_documents d where not exists (select from messages m where m.id = d.message_id)`,
  ).toHaveLength(0)
})

test('the index is made anew from the messages when the event log began again', async () => {
  const before = await finds(bob, 'kingfisher')
  await sql`update search_documents set terms = ' wrong '`
  await sql`update event_log_origin set since = now()`
  expect(await finds(bob, 'kingfisher')).toEqual(before)
  expect(await finds(bob, 'wrong')).toEqual([])
})

test('pages follow each other without gaps or repetitions while messages come in', async () => {
  const home = await newChannel('paging')
  await sql`insert into messages (channel_id, author_id, content, created_at)
    select ${home}, ${alice.id}, 'dunlin ' || n, date_trunc('hour', now()) - (n / 3) * interval '7 hours'
    from generate_series(1, 130) n`
  await sql`delete from search_progress`
  await parley.sweep()
  const seen: number[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { body } = await ask(bob, { q: 'dunlin', ...(cursor ? { cursor } : {}) })
    seen.push(...body.messages.map((message: { id: number }) => message.id))
    cursor = body.cursor
    await say(alice, home, 'dunlin, a new one')
    await parley.sweep()
  }
  const rows = await sql<{ id: number }[]>`
    select id from messages where channel_id = ${home} and content like 'dunlin %' order by created_at desc, id desc`
  expect(seen).toEqual(rows.map(({ id }) => id))
})

test('a period with more messages than one batch still comes whole and in order', async () => {
  const home = await newChannel('crowded')
  await sql`insert into messages (channel_id, author_id, content, created_at)
    select ${home}, ${alice.id}, 'starling ' || n, '2024-01-01'::timestamptz + n * interval '100 ms'
    from generate_series(1, 2500) n`
  await sql`delete from search_progress`
  await parley.sweep()
  // PostgreSQL does so by itself within minutes; without it, it may choose a plan for the few rows of before.
  await sql`analyze messages, search_documents`
  const newest = await finds(bob, 'starling')
  expect(newest).toEqual(Array.from({ length: 25 }, (_, n) => `starling ${2500 - n}`))
})

test('hostile searches are refused by their rule, and find nothing of others', async () => {
  const refused = async (query: Record<string, string | number>) => {
    const { status, body } = await ask(bob, query)
    return [status, body.code]
  }
  expect(await refused({ q: 'x'.repeat(8_000) })).toEqual([422, 'validation_failed'])
  const endless = await fetch(`${parley.url}/api/search?q=${'x'.repeat(256 * 1024)}`)
  expect(endless.status).toBeWithin(400, 500)
  expect(await refused({ q: 'a '.repeat(200) })).toEqual([422, 'validation_failed'])
  expect(await refused({ q: '' })).toEqual([422, 'validation_failed'])
  for (const where of ['before', 'after'])
    expect(await refused({ q: '*** %% __ () :*', [where]: '2026-01-01' })).toEqual([422, 'validation_failed'])
  for (const cursor of ['1', "1.1'; drop table messages", '-1.1', '9'.repeat(20), '1.1.1'])
    expect(await refused({ q: 'heron', cursor })).toEqual([422, 'validation_failed'])
  expect(await refused({ q: 'heron', before: 'yesterday' })).toEqual([422, 'validation_failed'])
  for (const when of ['0000-01-01', '1969-12-31', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59-12:00'])
    for (const bound of ['before', 'after'])
      expect([when, ...(await refused({ q: 'heron', [bound]: when }))]).toEqual([when, 422, 'validation_failed'])
  expect(await finds(bob, 'heron', { after: '1970-01-01', before: '9999-12-31' })).toHaveLength(1)
  expect(await refused({ q: 'heron', has: 'everything' })).toEqual([422, 'validation_failed'])
  expect(await finds(bob, "heron' | 'kingfisher")).toHaveLength(1)
  expect(await finds(bob, '#from1 heron:*')).toEqual([])
  expect(await finds(bob, 'heron', { cursor: '99999999999999.999999999999999' })).toHaveLength(1)
  expect(await finds(bob, 'heron', { cursor: '0.0' })).toEqual([])
})
