import { expect, test } from 'bun:test'
import { eventsSince, markNow } from '../../src/gateway/replay.ts'
import { accessOf } from '../../src/gateway/server-views.ts'
import { person, newServer, say, standard, until } from '../support/harness.ts'
import { goOffline, isResumed, replayed, resume } from '../support/resuming.ts'
import { connect } from '../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts

test('a replay has the newest event of each resource that was missed, in order', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id, channel_id } = await newServer(alice, bob)
  const old = await say(alice, channel_id, 'before')
  const s = await goOffline(bob)
  const edited = await say(alice, channel_id, 'draft')
  for (const content of ['better', 'best']) await alice.put(`/api/messages/${edited.id}`, { content })
  for (const name of ['A', 'B', 'C']) await alice.put(`/api/servers/${server_id}`, { name })
  await alice.put(`/api/messages/${old.id}`, { content: 'edited' })
  const plain = await say(alice, channel_id, 'plain')
  const live = await resume(bob, s)
  expect(isResumed(live)).toBe(true)
  expect(live.of('server.snapshot')).toEqual([])
  const fresh = replayed(live).filter((frame) => (frame.s ?? 0) > s)
  expect(fresh.map((frame) => [frame.t, frame.d.id])).toEqual([
    ['message.updated', edited.id],
    ['server.updated', server_id],
    ['message.updated', old.id],
    ['message.created', plain.id],
  ])
  expect(fresh[0]?.d.content).toBe('best')
  expect(fresh[1]?.d.name).toBe('C')
  expect(live.of('synced')[0]?.d.s).toBeGreaterThanOrEqual(fresh.at(-1)?.s ?? 0)
  live.close()
})

test('an account that connects while a message of a dm is sent and edited receives its unread count', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  await bob.put('/api/auth/privacy', { dms_from: 'everyone' })
  const write = (content: string) => alice.post('/api/dm/messages', { recipient_id: bob.id, content })
  expect((await write('before')).status).toBe(201)
  // The handshake reads this after its snapshot.
  const mark = await markNow(sql)
  const { body } = await write('draft')
  expect((await alice.put(`/api/dm/messages/${body.id}`, { content: 'better' })).status).toBe(200)
  const [missed = []] = await eventsSince(sql, [{ access: accessOf(bob.id, []), mark }])
  const messageEvents = missed.filter(({ type }) => type.startsWith('message.'))
  expect(messageEvents.map(({ type }) => type)).toEqual(['message.created', 'message.updated'])
  expect(JSON.parse(messageEvents[0]?.body ?? '{}').unread_count).toBe(2)
})

test('a message deleted meanwhile is replayed without its text', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { channel_id } = await newServer(alice, bob)
  const s = await goOffline(bob)
  const { id, created_at } = await say(alice, channel_id, 'a slip of the tongue')
  await alice.put(`/api/messages/${id}`, { content: 'a slip of the finger' })
  await alice.delete(`/api/messages/${id}`)
  const live = await resume(bob, s)
  expect(live.of('message.deleted').map((frame) => frame.d)).toEqual([{ id, channel_id, created_at }])
  expect(JSON.stringify(live.frames)).not.toContain('a slip of')
  const rows = await sql`select 1 from events where body::text like '%a slip of%'`
  expect(rows).toHaveLength(0)
  live.close()
})

test('a member kicked meanwhile is replayed nothing of the server but the kick', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const s = await goOffline(bob)
  const { server_id, channel_id } = await newServer(alice, bob)
  const { id } = await say(alice, channel_id, 'hello bob')
  const other = await connect(bob)
  await other.command('channel.ack', { channel_id, message_id: id })
  await alice.delete(`/api/servers/${server_id}/members/${bob.id}`)
  other.close()
  const live = await resume(bob, s)
  expect(isResumed(live)).toBe(true)
  expect(live.frames[0]?.d.servers).toEqual([])
  expect(replayed(live).map(({ t }) => t)).toEqual(['membership.ended'])
  live.close()
})

test('events that ready includes are marked as replayed, and later events are not', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { channel_id } = await newServer(alice, bob)
  const s = await goOffline(bob)
  await say(alice, channel_id, 'while bob is away')
  const live = await resume(bob, s)
  expect(replayed(live).filter((frame) => frame.replayed !== true)).toEqual([])
  await say(alice, channel_id, 'now that bob is back')
  await until(() => live.of('message.created').length === 2)
  expect(live.of('message.created').map((frame) => frame.replayed)).toEqual([true, undefined])
  live.close()
})

test('an account’s own events of an earlier membership are not replayed in a later one', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const s = await goOffline(bob)
  const { server_id, channel_id } = await newServer(alice, bob)
  const { id } = await say(alice, channel_id, 'hello bob')
  const other = await connect(bob)
  await other.command('channel.ack', { channel_id, message_id: id })
  other.close()
  await bob.delete(`/api/servers/${server_id}/members/@me`)
  const invite = await alice.post('/api/invites', { server_id })
  await bob.post(`/api/invites/${invite.body.code}/join`)
  const live = await resume(bob, s)
  expect(live.frames[0]?.d.read_marks).toEqual([])
  expect(live.of('channel.read')).toEqual([])
  expect(live.of('server.created')).toHaveLength(1)
  live.close()
})

test('nothing of a server deleted meanwhile is replayed', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const s = await goOffline(bob)
  const { server_id, channel_id } = await newServer(alice, bob)
  const { id } = await say(alice, channel_id, 'soon gone')
  const other = await connect(bob)
  await other.command('channel.ack', { channel_id, message_id: id })
  other.close()
  await alice.delete(`/api/servers/${server_id}`)
  const live = await resume(bob, s)
  expect(replayed(live)).toEqual([])
  live.close()
})

test('a read mark in a deleted channel is not replayed', async () => {
  const alice = await person(parley, 'alice')
  const { server_id } = await newServer(alice)
  const s = await goOffline(alice)
  const channel = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'brief', type: 'text' })).body
  const { id } = await say(alice, channel.id, 'note to self')
  const other = await connect(alice)
  await other.command('channel.ack', { channel_id: channel.id, message_id: id })
  other.close()
  await alice.delete(`/api/channels/${channel.id}`)
  const live = await resume(alice, s)
  expect(live.frames[0]?.d.read_marks).toEqual([])
  expect(live.of('channel.read')).toEqual([])
  live.close()
})

test("another account's own events are not replayed", async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id, channel_id } = await newServer(alice, bob)
  const s = await goOffline(bob)
  const { id } = await say(alice, channel_id, 'read by me')
  const other = await connect(alice)
  await other.command('channel.ack', { channel_id, message_id: id })
  other.close()
  const invite = await alice.post('/api/invites', { server_id })
  const carol = await person(parley, 'carol')
  await carol.post(`/api/invites/${invite.body.code}/join`)
  const live = await resume(bob, s)
  const fresh = replayed(live).filter((frame) => (frame.s ?? 0) > s)
  expect(fresh.map((frame) => frame.t)).toEqual(['message.created', 'member.joined'])
  live.close()
})

test('messages are not replayed to a member without read_history', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id, channel_id } = await newServer(alice, bob)
  const s = await goOffline(bob)
  await say(alice, channel_id, 'history')
  await sql`update roles set permissions = permissions & ~(1 << 16)::bigint where server_id = ${server_id}`
  const live = await resume(bob, s)
  expect(live.frames.filter((frame) => frame.t.startsWith('message.'))).toEqual([])
  live.close()
})

test('an s that is unknown, in the future or older than the resume window begins afresh', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { channel_id } = await newServer(alice, bob)
  const s = await goOffline(bob)
  await say(alice, channel_id, 'news')
  for (const unknown of [0, 999_999_999_999_999]) {
    const live = await resume(bob, unknown)
    expect([isResumed(live), live.of('server.snapshot').length]).toEqual([false, 1])
    live.close()
  }
  const soon = await resume(bob, s)
  expect(isResumed(soon)).toBe(true)
  soon.close()
  await sql`update events set created_at = created_at - interval '1 day' where id = ${s}`
  const late = await resume(bob, s)
  expect([isResumed(late), late.of('server.snapshot').length]).toEqual([false, 1])
  late.close()
})

test('an event with a smaller id that was committed later is not missed', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id, channel_id } = await newServer(alice, bob)
  const late = Promise.withResolvers<void>()
  const drawn = Promise.withResolvers<number>()
  const slow = parley.parts.write(async (tx, emit) => {
    const [row] = await tx<{ id: number }[]>`insert into events (type, topic, resource, server_id, body)
      values ('server.updated', ${`server:${server_id}`}, ${`server:${server_id}`}, ${server_id},
        ${tx.json((await alice.get(`/api/servers/${server_id}`)).body)}) returning id`
    drawn.resolve(row?.id as number)
    await late.promise
    emit({ topic: 'nobody' }, 'message.deleted', { id: 1, channel_id: 1, created_at: '2026-05-05T12:00:00.000Z' })
  })
  const number = await drawn.promise
  await say(alice, channel_id, 'meanwhile')
  const s = await goOffline(bob)
  expect(s).toBeGreaterThan(number)
  late.resolve()
  await slow
  const live = await resume(bob, s)
  expect(replayed(live).map((frame) => frame.s)).toContain(number)
  live.close()
})

test('a kicked member receives nothing more on a resumed connection', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id, channel_id } = await newServer(alice, bob)
  const live = await resume(bob, await goOffline(bob))
  await alice.delete(`/api/servers/${server_id}/members/${bob.id}`)
  await say(alice, channel_id, 'without bob')
  await live.next('server.deleted')
  await live.settled()
  expect(live.of('message.created')).toEqual([])
  live.close()
})
