import { expect, test } from 'bun:test'
import { ServerRemoval } from '../../../src/features/lifecycle/server-removal.ts'
import { type Person, say, standard, until } from '../../support/harness.ts'
import { passerBy, place } from '../../support/places.ts'
import { replayed, resume } from '../../support/resuming.ts'
import { connect, newestS } from '../../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob, carol] = (await Promise.all(['alice', 'bob', 'carol'].map((name) => passerBy(parley, name)))) as [
  Person,
  Person,
  Person,
]

const begin = async (who: Person, channel_id: number, message_id?: number) => {
  const { status, body } = await who.post(`/api/channels/${channel_id}/threads`, { name: 'Kingfishers', message_id })
  expect(status).toBe(201)
  return body
}

test('a thread is deleted with its messages, by a thread manager or an owner who is its only author', async () => {
  const { server_id, channel_id } = await place(alice, bob, carol)
  const { id: message_id } = await say(alice, channel_id, 'Begins here')
  const thread = await begin(bob, channel_id, message_id)
  const live = await connect(carol)
  const since = newestS(live)
  const own = await say(bob, thread.id, 'Mine alone')
  expect((await bob.put(`/api/messages/${own.id}/reactions/${encodeURIComponent('🦉')}/@me`)).status).toBe(204)
  await live.next('message.reactions')
  expect((await carol.delete(`/api/channels/${thread.id}`)).status).toBe(403)
  expect((await bob.delete(`/api/channels/${thread.id}`)).status).toBe(204)
  const expected = { id: thread.id, server_id, parent_id: channel_id, created_at: thread.created_at }
  expect((await live.next('thread.deleted')).d).toEqual(expected)
  for (const path of [`/api/channels/${thread.id}`, `/api/messages/${own.id}`])
    expect((await bob.get(path)).status).toBe(404)
  expect((await alice.get(`/api/messages/${message_id}`)).body.thread).toBeNull()
  const toldOf = async (id: number) => {
    const back = await resume(carol, since)
    await back.settled()
    back.close()
    return replayed(back).filter(({ t, d }) => t.startsWith('message.') && d.channel_id === id)
  }
  expect(await toldOf(thread.id)).toEqual([])
  const shared = await begin(bob, channel_id, message_id)
  await say(carol, shared.id, 'Ours')
  expect((await bob.delete(`/api/channels/${shared.id}`)).status).toBe(403)
  expect((await alice.delete(`/api/channels/${shared.id}`)).status).toBe(204)
  await removed([thread.id, shared.id])
  expect(await toldOf(shared.id)).toEqual([])
  const events = await sql`select from events where body is not null and (
    resource in (${`message:${own.id}`}, ${`reactions:${own.id}`})
    or (resource = ${`thread:${thread.id}`} and type <> 'thread.deleted'))`
  expect(events).toHaveLength(0)
  live.close()
})

/** Runs the job that deletes released messages. */
async function removed(ids: number[]): Promise<void> {
  const removal = new ServerRemoval(parley.parts)
  await until(async () => {
    await removal.run()
    const remaining = await sql`select 1 from channels where id = any(${ids})
      union all select 1 from messages where channel_id = any(${ids})`
    return remaining.length === 0
  })
  removal.stop()
}

test('threads go with their channel, and nothing is made or written in them any more', async () => {
  const { server_id } = await place(alice, bob)
  for (let round = 0; round < 4; round++) {
    const { id } = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'room', type: 'text' })).body
    const threads = await Promise.all(Array.from({ length: 3 }, () => begin(bob, id)))
    for (const thread of threads) await say(bob, thread.id, 'Hello')
    const answers = await Promise.all([
      ...threads.map((thread) => bob.post(`/api/channels/${thread.id}/messages`, { content: 'before' })),
      alice.delete(`/api/channels/${id}`),
      bob.post(`/api/channels/${id}/threads`, { name: 'late' }),
      ...threads.map((thread) => bob.post(`/api/channels/${thread.id}/messages`, { content: 'after' })),
      ...threads.map((thread) => bob.put(`/api/channels/${thread.id}`, { name: 'after' })),
      ...threads.map((thread) => bob.delete(`/api/channels/${thread.id}`)),
    ])
    expect(answers.map(({ status }) => status).filter((status) => ![200, 201, 204, 403, 404].includes(status))).toEqual(
      [],
    )
    expect((await bob.get(`/api/channels/${threads[0]?.id}`)).status).toBe(404)
    const remaining = await sql`select 1 from channels where parent_id = ${id}`
    expect(remaining).toHaveLength(0)
    await removed(threads.map((thread) => thread.id))
  }
})

test('threads go with their server, before the channels that they belong to', async () => {
  const { server_id, channel_id } = await place(alice, bob)
  const threads = [await begin(bob, channel_id), await begin(alice, channel_id)]
  for (const { id } of threads) await say(bob, id, 'Hello')
  expect((await alice.delete(`/api/servers/${server_id}`)).status).toBe(204)
  expect((await bob.get(`/api/channels/${threads[0].id}`)).status).toBe(404)
  await removed([...threads.map(({ id }) => id), channel_id])
  const followers = await sql`select 1 from thread_followers where channel_id = any(${threads.map(({ id }) => id)})`
  expect(followers).toHaveLength(0)
})
