import { expect, test } from 'bun:test'
import { memoryBus, type Notice } from '../../src/events/bus.ts'
import { permissions } from '../../src/core/permissions.ts'
import { NOTICE_LISTENER_NAME } from '../../src/database/database.ts'
import { openStandaloneSender } from '../../src/events/standalone-sender.ts'
import { openWrite } from '../../src/events/write.ts'
import { boot, person, newServer, until } from '../support/harness.ts'
import { connect } from '../support/socket.ts'

const parley = await boot()
const { sql, bus } = parley.parts
const address = { url: parley.parts.environment.DATABASE_URL ?? '' }

const received: Notice[] = []
bus.onNotice((notice) => void received.push(notice))
const receivedOf = (kind: Notice['kind']) => received.filter((notice) => notice.kind === kind)

/** Logs events of a server, as another process would. */
const logged = (server_id: number, count: number) => sql<{ id: number }[]>`
  insert into events (type, topic, server_id, resource, body)
  select 'server.deleted', 'server:' || ${server_id}::bigint, ${server_id}, 'server:' || n,
    json_build_object('id', n) from generate_series(1000001, 1000000 + ${count}::int) n returning id`

const cutConnection = () => sql`select pg_terminate_backend(pid) from pg_stat_activity
  where application_name = ${NOTICE_LISTENER_NAME} and datname = current_database()`

test('a batch larger than a NOTIFY payload arrives whole, in order, and is confirmed', async () => {
  const alice = await person(parley, 'alice')
  const { server_id } = await newServer(alice)
  const live = await connect(alice)
  const rows = await logged(server_id, 3000)
  const user_ids = Array.from({ length: 5000 }, (_, at) => 1_000_000_000 + at)
  const sender = await openStandaloneSender(address)
  await sql.begin((tx) =>
    sender.send(
      tx,
      [{ kind: 'access_changed', user_ids }],
      rows.map((row) => row.id),
    ),
  )
  expect(await sender.acted(10)).toBe(0)
  expect(receivedOf('access_changed').at(-1)).toEqual({ kind: 'access_changed', user_ids })
  await live.settled()
  const delivered = live.of('server.deleted').map((frame) => frame.s)
  expect(delivered).toEqual(rows.map((row) => row.id))
  await sender.close()
  live.close()
})

test('notices of a transaction that is rolled back reach nobody', async () => {
  const sender = await openStandaloneSender(address)
  const before = received.length
  const write = openWrite(sql, memoryBus(), {}, undefined, sender.send)
  const undone = write(async (_tx, _emit, notify) => {
    notify({ kind: 'sessions_revoked', session_ids: [1] })
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  await sql.begin((tx) => sender.send(tx, [{ kind: 'access_changed', user_ids: [] }], []))
  expect(await sender.acted(10)).toBe(0)
  expect(received.slice(before)).toEqual([{ kind: 'access_changed', user_ids: [] }])
  await sender.close()
})

test('batches sent at the same time are each acted on and confirmed', async () => {
  const user_ids = Array.from({ length: 2000 }, (_, at) => at + 1_000_000_000)
  const senders = await Promise.all(Array.from({ length: 6 }, () => openStandaloneSender(address)))
  const before = receivedOf('access_changed').length
  await Promise.all(
    senders.map((sender) => sql.begin((tx) => sender.send(tx, [{ kind: 'access_changed', user_ids }], []))),
  )
  expect(await Promise.all(senders.map((sender) => sender.acted(10)))).toEqual([0, 0, 0, 0, 0, 0])
  expect(receivedOf('access_changed').slice(before)).toEqual(Array(6).fill({ kind: 'access_changed', user_ids }))
  await Promise.all(senders.map((sender) => sender.close()))
})

test('a node that lost its connection catches up: ended sessions, lost access and missed events', async () => {
  const [alice, bob, mallory] = [
    await person(parley, 'alice'),
    await person(parley, 'bob'),
    await person(parley, 'mallory'),
  ]
  const { server_id } = await newServer(alice, bob, mallory)
  const [live, kicked, ended] = [await connect(alice), await connect(bob), await connect(mallory)]
  // Another process makes these changes, and its notices are lost.
  await sql`delete from sessions where user_id = ${mallory.id}`
  await sql`delete from members where user_id = ${bob.id} and server_id = ${server_id}`
  const [event] = await logged(server_id, 1)
  await Bun.sleep(50)
  expect(live.of('server.deleted')).toEqual([])
  await cutConnection()
  expect(await ended.closed).toMatchObject({ code: 4003 })
  await live.next('server.deleted', (frame) => frame.s === event?.id)
  expect((await kicked.next('server.deleted', (frame) => frame.s === undefined)).d).toEqual({ id: server_id })
  expect((await mallory.get('/api/auth/me')).body.code).toBe('token_revoked')
  // The node listens again.
  const sender = await openStandaloneSender(address)
  await sql.begin((tx) => sender.send(tx, [{ kind: 'access_changed', user_ids: [1] }], []))
  expect(await sender.acted(10)).toBe(0)
  expect(received.at(-1)).toEqual({ kind: 'access_changed', user_ids: [1] })
  await sender.close()
  for (const socket of [live, kicked]) socket.close()
})

test('a node that missed a channel’s hiding or opening notifies the members who lost or gained it', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id, channel_id } = await newServer(alice, bob)
  const [everyone] = (await alice.get(`/api/servers/${server_id}/roles`)).body
  const role_id = everyone.id
  const live = await connect(bob)
  /** Another process makes the change, and its notices are lost. */
  const missed = async (change: () => PromiseLike<unknown>) => {
    await change()
    await sql`select from refresh_restricted(${server_id})`
    const before = receivedOf('connected').length
    await cutConnection()
    await until(() => receivedOf('connected').length > before)
  }
  const hidden = { channel_id, role_id, allow: 0, deny: permissions('view_channel') }
  await missed(() => sql`insert into overwrites ${sql(hidden)}`)
  expect((await live.next('channel.deleted')).d).toEqual({ id: channel_id, server_id })
  await missed(() => sql`delete from overwrites where channel_id = ${channel_id}`)
  expect((await live.next('channel.created')).d.id).toBe(channel_id)
  live.close()
})

test('a node that receives no notices trusts no cached session', async () => {
  const alice = await person(parley, 'alice')
  expect((await alice.get('/api/auth/me')).status).toBe(200)
  await bus.notify({ kind: 'disconnected' })
  expect((await alice.get('/api/auth/me')).status).toBe(200)
  await sql`delete from sessions where user_id = ${alice.id}`
  expect((await alice.get('/api/auth/me')).body.code).toBe('token_revoked')
  await bus.notify({ kind: 'connected' })
})

test('malformed payloads on the channel do no harm: the node reconnects', async () => {
  for (const nonsense of [
    '',
    '1/1 {',
    '1/1 []',
    '2/2 x',
    '1/1 {"id":"x","notices":[],"event_ids":["y"]}',
    'x'.repeat(7000),
  ]) {
    const before = receivedOf('connected').length
    await sql`select pg_notify('parley_relay', ${nonsense})`
    await Bun.sleep(20)
    if (nonsense.startsWith('1/1')) await until(() => receivedOf('connected').length > before)
  }
  const sender = await openStandaloneSender(address)
  await sql.begin((tx) => sender.send(tx, [{ kind: 'access_changed', user_ids: [2] }], []))
  expect(await sender.acted(10)).toBe(0)
  expect(received.at(-1)).toEqual({ kind: 'access_changed', user_ids: [2] })
  await sender.close()
})
