import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createSocket } from 'node:dgram'
import type { Log } from '../../../src/core/log.ts'
import { openDatabase } from '../../../src/database/database.ts'
import { Facts } from '../../../src/discord/facts.ts'
import { BotCall, type CallTools } from '../../../src/discord/voice/bot-call.ts'
import { Encryption, MODES } from '../../../src/discord/voice/encryption.ts'
import { VoiceUdp } from '../../../src/discord/voice/udp.ts'
import { VoiceDoor } from '../../../src/discord/voice/voice-door.ts'
import { withForeign } from '../../../src/gateway/foreign-sockets.ts'
import type { AnyData } from '../../../src/gateway/socket.ts'
import { attachCaller } from '../../../src/http/caller.ts'
import type { Parley } from '../../../src/parley.ts'
import { addBot, botOf } from '../../support/bots.ts'
import { bootCalls } from '../../support/browser/voice.ts'
import { snowflakeOf } from '../../support/discord.ts'
import { Line } from '../../support/discord-line.ts'
import { discover } from '../../support/ip-discovery.ts'
import { type Person, person, stop, until } from '../../support/harness.ts'
import { WORKER_MS } from '../../support/media-worker.ts'
import { connect } from '../../support/socket.ts'
import { inVoice, presentIn, voiceServer } from '../../support/voice-people.ts'

// The voice gateway by hand, with what libraries do not send.

let parley: Parley
let alice: Person
beforeAll(async () => {
  parley = await bootCalls({ DISCORD_VOICE_PORT: '0', CALLS_ENCRYPTION: 'preferred' })
  alice = await person(parley, 'alice')
}, WORKER_MS)
afterAll(() => stop(parley))

/** A bot with a seat, which has been sent the address of the voice gateway. */
async function seated(...others: Person[]) {
  const { server_id, channel_id } = await voiceServer(alice, ...others)
  const account = await botOf(alice, 'Raw')
  await addBot(alice, server_id, account)
  const main = new Line(parley.url, 'gateway')
  await main.send(2, { token: account.token, intents: 1 << 7 })
  const ready = await main.next(({ t }) => t === 'READY')
  const guild_id = snowflakeOf((await alice.get(`/api/servers/${server_id}`)).body)
  const channel = snowflakeOf((await alice.get(`/api/channels/${channel_id}`)).body)
  const place = { guild_id, channel_id: channel, self_mute: false, self_deaf: false }
  await main.send(4, place)
  const { token, endpoint } = await main.next(({ t }) => t === 'VOICE_SERVER_UPDATE')
  expect(endpoint).toBe(`${new URL(parley.url).host}/discord/voice`)
  const { user_id, session_id } = await main.next(({ t }) => t === 'VOICE_STATE_UPDATE')
  const session = { token: account.token, session_id: ready.session_id, seq: 1 }
  return {
    main,
    place,
    server_id,
    channel_id,
    account,
    session,
    who: { server_id: guild_id, user_id, session_id, token },
  }
}

test('a connection without the token of its own call is refused', async () => {
  const [one, two] = [await seated(), await seated()]
  for (const d of [
    { ...one.who, token: two.who.token },
    { ...one.who, token: 'nonsense' },
    { ...one.who, user_id: two.who.user_id },
    { ...one.who, server_id: two.who.server_id },
  ]) {
    const line = new Line(parley.url, 'voice/?v=4')
    await line.send(0, d)
    expect([d, await line.ends()]).toEqual([d, 4004])
  }
  const resuming = new Line(parley.url, 'voice?v=8')
  await resuming.send(7, one.who)
  expect(await resuming.ends()).toBe(4006)
  for (const each of [one, two]) each.main.close()
})

test('malformed frames close a connection with the code of their fault, and change no seat', async () => {
  const { who, main, channel_id, account } = await seated()
  const faults: [op: number, d: unknown, code: number][] = [
    [0, { ...who, token: 7 }, 4002],
    [0, null, 4002],
    [1, { protocol: 'udp', data: {} }, 4003],
    [99, {}, 4003],
    [3, 'soon', 4002],
    [7, {}, 4002],
    [5, 'x'.repeat(5_000), 4002],
  ]
  for (const [op, d, code] of faults) {
    const line = new Line(parley.url, 'voice?v=8')
    expect((await line.next((frame) => frame.op === 8)).heartbeat_interval).toBeGreaterThan(1_000)
    await line.send(op, d)
    expect([op, await line.ends()]).toEqual([op, code])
  }
  const choices: [d: unknown, code: number][] = [
    [{ protocol: 'webrtc', data: { address: '127.0.0.1', port: 9, mode: MODES[0] } }, 4012],
    [{ protocol: 'udp', data: { address: '127.0.0.1', port: 9, mode: 'xsalsa20_poly1305' } }, 4016],
    [{ protocol: 'udp', data: { address: 'localhost', port: 9, mode: MODES[0] } }, 4002],
    [{ protocol: 'udp', data: { address: '127.0.0.1', port: 0, mode: MODES[0] } }, 4002],
  ]
  for (const [d, code] of choices) {
    const line = new Line(parley.url, 'voice?v=8')
    await line.send(0, who)
    await line.next((frame) => frame.op === 2)
    await line.send(1, d)
    expect([d, await line.ends()]).toEqual([d, code])
  }
  expect(await presentIn(alice, channel_id)).toEqual([account.id])
  main.close()
})

test('heartbeats are answered with their number, also with one of 64 bits', async () => {
  const line = new Line(parley.url, 'voice?v=8')
  await line.send(3, { t: 1_501_184_119_561, seq_ack: 10 })
  expect(await line.next((frame) => frame.op === 6)).toEqual({ t: 1_501_184_119_561 })
  await line.send(3, 7)
  await until(() => line.frames.some(({ op, d }) => op === 6 && d === 7))
  line.close()
})

test('a bot that finds its address is sent media there, and packets of others change nothing', async () => {
  const { who, main } = await seated()
  const line = new Line(parley.url, 'voice?v=8')
  await line.send(0, who)
  const { ssrc, port } = await line.next((frame) => frame.op === 2)
  const [socket, stranger] = [createSocket('udp4'), createSocket('udp4')]
  const own = await discover(socket, port, ssrc)
  // The address of loopback is not certain, so the answer hides it.
  expect(own).not.toEqual({ address: '127.0.0.1', port: socket.address().port })
  await line.send(1, { protocol: 'udp', data: { ...own, mode: MODES[1] } })
  const { secret_key, mode, dave_protocol_version } = await line.next((frame) => frame.op === 4)
  expect([mode, dave_protocol_version, secret_key.length]).toEqual([MODES[1], 0, 32])
  const encryption = new Encryption(MODES[1], Buffer.from(secret_key))
  const payload = Buffer.from('opus')
  const packet = encryption.seal({ marker: false, payloadType: 120, sequence: 1, timestamp: 1, ssrc, payload })
  // Hostile packets of every size, with the number of the call and without, from the right address and another.
  for (let size = 0; size < 1_600; size += 7) {
    const hostile = Buffer.alloc(size, 0x80)
    stranger.send(hostile, port, '127.0.0.1')
    if (size >= 12) hostile.writeUInt32BE(ssrc, 8)
    for (const sender of [socket, stranger]) sender.send(hostile, port, '127.0.0.1')
  }
  for (const sender of [stranger, socket]) sender.send(packet as Buffer, port, '127.0.0.1')
  // The port still answers.
  expect(await discover(socket, port, ssrc)).toEqual(own)
  expect(line.code).toBeUndefined()
  for (const each of [socket, stranger]) each.close()
  line.close()
  main.close()
})

test('a bot that leaves, or asks for a channel of another server, has no seat there', async () => {
  const [one, two] = [await seated(), await seated()]
  await one.main.send(4, { ...one.place, channel_id: two.place.channel_id })
  await one.main.send(4, { ...one.place, channel_id: '123456789012345678' })
  await one.main.send(4, { ...one.place, channel_id: null })
  await until(async () => (await presentIn(alice, one.channel_id)).length === 0)
  expect(await presentIn(alice, two.channel_id)).toEqual([two.account.id])
  const line = new Line(parley.url, 'voice?v=8')
  await line.send(0, one.who)
  expect(await line.ends()).toBe(4004)
  await one.main.send(4, { guild_id: 7 })
  expect(await one.main.ends()).toBe(4002)
  two.main.close()
})

test('a bot that was removed from its call while it was away does not come back by itself', async () => {
  const { main, server_id, channel_id, account, session } = await seated()
  const keptIn = async () => {
    const [row] = await parley.parts.sql`select voice from discord_sessions where id = ${session.session_id}`
    return row?.voice
  }
  await until(async () => (await keptIn()) !== null)
  // The session goes on after this code.
  main.close(4000)
  await main.ends()
  const live = await connect(alice)
  const target = { server_id, user_id: account.id }
  expect((await live.command('voice.disconnect_member', target)).error).toBeUndefined()
  await until(async () => (await presentIn(alice, channel_id)).length === 0)
  for (let count = 0; count < 2; count++) {
    const again = new Line(parley.url, 'gateway')
    await again.send(6, session)
    await again.next(({ t }) => t === 'RESUMED')
    await until(async () => (await keptIn()) === null)
    again.close(4000)
    await again.ends()
  }
  expect(await presentIn(alice, channel_id)).toEqual([])
  live.close()
})

test('a bot that selects or identifies too often is refused, also on further connections', async () => {
  const { who, main, channel_id, account } = await seated()
  const line = new Line(parley.url, 'voice?v=8')
  await line.send(0, who)
  await line.next(({ op }) => op === 2)
  const choice = { protocol: 'udp', data: { address: '192.0.2.1', port: 9, mode: MODES[0] } }
  for (let count = 0; count < 60; count++) await line.send(1, choice)
  expect(await line.ends()).toBe(4021)
  expect(line.frames.filter(({ op }) => op === 4).length).toBeLessThan(30)
  // Some are let in again as time passes, fewer than come.
  for (const op of [0, 7]) {
    const lines = Array.from({ length: 20 }, () => new Line(parley.url, 'voice?v=8'))
    for (const each of lines) await each.send(op, who)
    await until(() => lines.some(({ code }) => code === 4021))
    for (const each of lines) each.close()
  }
  expect(await presentIn(alice, channel_id)).toEqual([account.id])
  main.close()
})

test('when the database fails, a connection is closed so that the library tries again', async () => {
  const { environment } = parley.parts
  const udp = new VoiceUdp({ ...environment, DISCORD_VOICE_PORT: 0 }, () => {})
  const database = openDatabase({ url: environment.DATABASE_URL ?? '' }, 1)
  await database.end()
  const facts = new Facts(database)
  const log: Log = (_level, event) => void events.push(event)
  const events: string[] = []
  const tools: CallTools = {
    node: parley.parts.nodes.id,
    log,
    udp,
    openAudio: () => Promise.reject(new Error('No call is open')),
    userIds: (ids) => facts.resolve((of) => ids.map((id) => of.id('user', id))),
    onAbandoned: () => {},
  }
  const call = new BotCall(alice.id, { server_id: 1, guild_id: '1', channel_id: 1 }, tools)
  const door = new VoiceDoor({ ...parley.parts, log }, udp, {
    find: () => call,
    botIdOf: async ({ user_id }) => (await tools.userIds([user_id]))[0] ?? '',
  })
  const server = Bun.serve<AnyData>({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request, it) => {
      const base = parley.url
      attachCaller(request, { request_id: '1', ip: '127.0.0.1', way: 'direct', base, path: '/', headers: {} })
      return door.upgrade(request, it)
    },
    websocket: withForeign({ message: () => {} }),
  })
  const line = new Line(server.url.origin, 'voice?v=8')
  await line.send(0, { server_id: '1', user_id: '1', session_id: '', token: call.token })
  expect([await line.ends(), events]).toEqual([4006, ['discord.voice_begin']])
  call.end()
  await server.stop(true)
})

test('a bot that joins an encrypted call opens it: all learn it before they see the bot', async () => {
  const ben = await person(parley, 'ben')
  const { main, place, channel_id, account } = await seated(ben)
  await main.send(4, { ...place, channel_id: null })
  await until(async () => (await presentIn(alice, channel_id)).length === 0)
  const encrypts = { encrypts: true }
  const people = [await inVoice(alice, channel_id, encrypts), await inVoice(ben, channel_id, encrypts)]
  expect(people.map(({ seat }) => seat.encryption?.state)).toEqual(['sealed', 'sealed'])
  await main.send(4, place)
  for (const { gateway } of people) {
    const isBot = ({ d }: { d: any }) => d.user?.id === account.id
    await gateway.next('voice.peer_joined', isBot)
    await gateway.next('voice.route', ({ d }) => d.route === 'sfu')
    const { frames } = gateway
    const opened = frames.findIndex(({ t, d }) => t === 'voice.encryption' && d.state === 'open')
    const seen = frames.findIndex((frame) => frame.t === 'voice.peer_joined' && isBot(frame))
    const routed = frames.findIndex(({ t }) => t === 'voice.route')
    expect(opened).toBeGreaterThan(-1)
    expect(opened).toBeLessThan(Math.min(seen, routed))
  }
  // It is sealed again without the bot.
  await main.send(4, { ...place, channel_id: null })
  for (const { gateway } of people) {
    await gateway.next('voice.encryption', ({ d }) => d.state === 'sealed')
    gateway.close()
  }
  main.close()
})
