import { expect, setSystemTime, test } from 'bun:test'
import { eventFrame, topic } from '../../src/core/events.ts'
import { SNAPSHOT_BYTES_MAX } from '../../src/gateway/model.ts'
import { boot, person, newServer, say, standard, stop, until } from '../support/harness.ts'
import { opcode, RawSocket } from '../support/raw-socket.ts'
import { connect } from '../support/socket.ts'

const parley = await standard()

test('a client that stops reading is dropped, nothing is buffered for it, and the others keep receiving', async () => {
  const [alice, bob, mallory] = [
    await person(parley, 'alice'),
    await person(parley, 'bob'),
    await person(parley, 'mallory'),
  ]
  const { server_id, channel_id } = await newServer(alice, bob, mallory)
  const [reader, sleeper] = [
    new RawSocket(parley, `token=${bob.token}`),
    new RawSocket(parley, `token=${mallory.token}`),
  ]
  await Promise.all([reader.next('synced'), sleeper.next('synced')])
  sleeper.tcp.pause()
  const open = await gaugeOf('parley_gateway_sockets')
  const message = await say(alice, channel_id, 'x'.repeat(4000))
  const frame = eventFrame(
    topic.server(server_id),
    'message.created',
    1,
    JSON.stringify({ ...message, content: 'x'.repeat(12_000) }),
  )
  Bun.gc(true)
  const before = process.memoryUsage.rss()
  let published = 0
  for (let round = 0; round < 250; round++) {
    for (let n = 0; n < 64; n++) parley.parts.bus.publish(frame)
    published += 64 * frame.text.length
    reader.frames.length = 0
    await until(() => reader.bytes > published)
    // Collects the reader's garbage too: it runs in this process and is no buffer of the server's.
    if (round % 10 === 0) Bun.gc(true)
  }
  expect(published).toBeGreaterThan(190_000_000)
  expect(process.memoryUsage.rss() - before).toBeLessThan(100_000_000)
  await until(async () => (await gaugeOf('parley_gateway_sockets')) < open)
  sleeper.tcp.resume()
  await until(() => sleeper.hasEnded)
  expect(sleeper.bytes).toBeLessThan(published / 4)
  const { id } = await say(alice, channel_id, 'and on')
  await until(() => reader.frames.some((got) => got.payload.includes(`"id":${id},`)))
  reader.destroy()
})

/** The value of a gauge without labels. */
async function gaugeOf(name: string): Promise<number> {
  const text = await parley.parts.metrics.registry.metrics()
  return Number(new RegExp(`^${name} (\\d+)`, 'm').exec(text)?.[1])
}

test('the server pings, and drops a client that is silent for two heartbeats', async () => {
  const own = await boot()
  const alice = await person(own, 'alice')
  const now = Date.now()
  try {
    setSystemTime(new Date(now - 40_000))
    const silent = new RawSocket(own, `token=${alice.token}`)
    const answering = new RawSocket(own, `token=${alice.token}`)
    await Promise.all([silent.next('synced'), answering.next('synced')])
    setSystemTime()
    answering.send(opcode.pong, '')
    const young = new RawSocket(own, `token=${alice.token}`)
    await until(() => silent.hasEnded)
    await until(() => [young, answering].every((raw) => raw.frames.some((frame) => frame.opcode === opcode.ping)))
    expect([young.hasEnded, answering.hasEnded]).toEqual([false, false])
    for (const raw of [young, answering]) raw.destroy()
  } finally {
    setSystemTime()
    await stop(own)
  }
})

test('a snapshot larger than a frame comes in parts, each within the limit', async () => {
  const alice = await person(parley, 'alice')
  const { server_id } = await newServer(alice)
  const { sql } = parley.parts
  // The long rows are adjacent, so that parts of equal counts would exceed the limit.
  await sql`insert into channels (server_id, name, type, topic, position)
    select ${server_id}, 'channel-' || n, 'text', case when n < 120 then repeat(chr(1), 1024) else '' end, n
    from generate_series(1, 480) n`
  await sql`insert into roles (server_id, name, permissions, position)
    select ${server_id}, repeat('🦜', 100), 0, n from generate_series(1, 249) n`
  const raw = new RawSocket(parley, `token=${alice.token}`)
  await raw.next('synced')
  const frames = raw.frames.filter((frame) => frame.payload.startsWith('{"t":"server.snapshot"'))
  expect(frames.length).toBeGreaterThan(2)
  expect(frames.map((frame) => Buffer.byteLength(frame.payload)).filter((bytes) => bytes > SNAPSHOT_BYTES_MAX)).toEqual(
    [],
  )
  const parts = frames.map((frame) => JSON.parse(frame.payload).d)
  expect(parts.map(({ part }) => part)).toEqual(parts.map((_, at) => at + 1))
  expect(new Set(parts.map((part) => part.parts))).toEqual(new Set([parts.length]))
  expect(parts.flatMap((part) => part.channels).map((channel) => channel.position)).toEqual(
    Array.from({ length: 481 }, (_, at) => at),
  )
  expect(parts.flatMap((part) => part.roles)).toHaveLength(250)
  raw.destroy()
})

test('a handshake larger than the outbound buffer reaches a slow client completely', async () => {
  const alice = await person(parley, 'alice')
  const { sql } = parley.parts
  for (let n = 0; n < 3; n++) {
    const { server_id } = await newServer(alice)
    await sql`insert into channels (server_id, name, type, topic, position)
      select ${server_id}, 'channel-' || n, 'text', repeat(chr(1), 1024), n from generate_series(1, 499) n`
  }
  const slow = new RawSocket(parley, `token=${alice.token}`)
  await until(() => slow.head !== '')
  const tick = setInterval(() => (slow.tcp.isPaused() ? slow.tcp.resume() : slow.tcp.pause()), 20)
  await slow.next('synced')
  clearInterval(tick)
  expect(slow.bytes).toBeGreaterThan(8_000_000)
  slow.destroy()
  const quick = await connect(alice)
  expect(
    new Set(
      quick.of('server.snapshot').flatMap((frame) => frame.d.channels.map((channel: { id: number }) => channel.id)),
    ).size,
  ).toBe(1500)
  quick.close()
})

test('the handshakes of one account are read one after the other, and none for a socket that has closed', async () => {
  const own = await boot()
  const [alice, mallory] = [await person(own, 'alice'), await person(own, 'mallory')]
  await Promise.all([alice, mallory].map((who) => who.get('/api/auth/me')))
  const handshakes = async () => {
    // The recipients of a status are read from the members too.
    const rows = await own.parts.sql`select from pg_locks join pg_stat_activity using (pid)
      where not granted and relation = 'members'::regclass and query like '%as own (id)%'
        and database = (select oid from pg_database where datname = current_database())`
    return rows.length
  }
  const closedSockets: RawSocket[] = []
  await own.parts.sql.begin(async (tx) => {
    await tx`lock table members in access exclusive mode`
    for (let n = 0; n < 12; n++) closedSockets.push(new RawSocket(own, `token=${mallory.token}`))
    await until(async () => (await handshakes()) === 1)
    await Bun.sleep(100)
    expect(await handshakes()).toBe(1)
    new RawSocket(own, `token=${alice.token}`)
    await until(async () => (await handshakes()) === 2)
    for (const socket of closedSockets) socket.destroy()
  })
  await connect(alice)
  await stop(own)
})
