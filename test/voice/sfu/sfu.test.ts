import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createSocket } from 'node:dgram'
import type { types } from 'mediasoup'
import { announcedAddress, listenInfos, type Local } from '../../../src/voice/sfu/addresses.ts'
import { MediaUnavailable } from '../../../src/voice/sfu/process.ts'
import type { RoomEvent } from '../../../src/voice/sfu/router-context.ts'
import type { Sfu } from '../../../src/voice/sfu/sfu.ts'
import { gather, openSfu } from '../../support/browser/sfu.ts'
import { until } from '../../support/harness.ts'
import { WORKER_MS } from '../../support/media-worker.ts'
import { isAlive } from '../../support/spawned.ts'

const silent = () => undefined
/** Ports below the ephemeral range that nothing else of the tests uses. */
const PORT = 31_200

let sfu: Sfu
beforeAll(async () => void (sfu = await openSfu()), WORKER_MS)
afterAll(() => sfu.stop())

/** A client's parameters for a microphone; each needs its own SSRC on its transport. */
const microphone = (ssrc = 1): types.RtpParameters => ({
  codecs: [{ mimeType: 'audio/opus', payloadType: 100, clockRate: 48_000, channels: 2 }],
  encodings: [{ ssrc }],
})
const picture = (...encodings: types.RtpEncodingParameters[]): types.RtpParameters => ({
  codecs: [{ mimeType: 'video/VP8', payloadType: 101, clockRate: 90_000 }],
  encodings,
})

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof MediaUnavailable ? 'unavailable' : (error as { code: unknown }).code),
  )

test('a worker listens on every address of this machine, and announces the configured one', () => {
  const local = (address: string, internal = false): Local => ({
    address,
    family: address.includes(':') ? 'IPv6' : 'IPv4',
    internal,
  })
  const [lo, lan, six, docker] = [local('127.0.0.1', true), local('10.0.0.5'), local('fd00::5'), local('172.17.0.1')]
  const candidatesFor = (locals: Local[], announced?: string) =>
    listenInfos(locals, 20_000, announced)
      .filter(({ protocol }) => protocol === 'udp')
      .map(({ ip, announcedAddress }) => (announcedAddress === undefined ? ip : `${ip} as ${announcedAddress}`))
  expect(candidatesFor([lan, lo, six])).toEqual(['10.0.0.5', 'fd00::5'])
  expect(candidatesFor([lo, local('::1', true)])).toEqual(['127.0.0.1'])
  // 1:1 NAT: the address of the default route comes first.
  expect(candidatesFor([lan, docker, lo, six], '198.51.100.7')).toEqual([
    '10.0.0.5 as 198.51.100.7',
    '172.17.0.1',
    'fd00::5',
  ])
  expect(candidatesFor([lan, lo], 'chat.example.org')).toEqual(['10.0.0.5 as chat.example.org'])
  expect(candidatesFor([lan, six], '2001:db8::7')).toEqual(['fd00::5 as 2001:db8::7', '10.0.0.5'])
  // An address of this machine, even on loopback, is no NAT.
  expect(candidatesFor([lan, local('203.0.113.1', true)], '203.0.113.1')).toEqual(['203.0.113.1', '10.0.0.5'])
  expect(candidatesFor([lan, docker], '172.17.0.1')).toEqual(['172.17.0.1', '10.0.0.5'])
  const many = Array.from({ length: 40 }, (_, at) => local(`10.0.1.${at}`))
  expect(candidatesFor([...many, local('203.0.113.1', true)], '203.0.113.1').slice(0, 2)).toEqual([
    '203.0.113.1',
    '10.0.1.0',
  ])
  expect(candidatesFor(many)).toHaveLength(8)
  const mapped = { ip: '10.0.0.5', port: 20_000, announcedAddress: '198.51.100.7', exposeInternalIp: true }
  // Without buffers of its own, the socket drops handshakes when hundreds connect at once.
  const buffers = { recvBufferSize: 1_048_576, sendBufferSize: 1_048_576 }
  expect(listenInfos([lan], 20_000, '198.51.100.7')).toEqual([
    { protocol: 'udp', ...mapped, ...buffers },
    { protocol: 'tcp', ...mapped },
  ])
})

test('a host name is announced as its address, or as itself if it has no address', async () => {
  expect(await announcedAddress('198.51.100.7')).toBe('198.51.100.7')
  expect(['127.0.0.1', '::1']).toContain((await announcedAddress('localhost')) ?? '')
  expect(await announcedAddress('nobody.invalid')).toBe('nobody.invalid')
  const announcedSfu = await openSfu({ SFU_ANNOUNCED_ADDRESS: '198.51.100.7' })
  const room = await announcedSfu.room(1, silent)
  const { ice_candidates } = await room.peer('alice').createTransport('send')
  const addresses = new Set(announcedSfu.endpoints().map(({ address }) => address))
  expect(ice_candidates[0]?.ip).toBe('198.51.100.7')
  for (const address of addresses) expect(ice_candidates.map(({ ip }) => ip)).toContain(address)
  await announcedSfu.stop()
})

test('any number of concurrent requests get one room for a channel, and a new one after it is closed', async () => {
  const [one, two, other] = await Promise.all([sfu.room(1, silent), sfu.room(1, silent), sfu.room(2, silent)])
  expect(one).toBe(two)
  expect(one).not.toBe(other)
  one.close()
  expect(await codeOf((async () => one.peer('alice'))())).toBe('unavailable')
  const anew = await sfu.room(1, silent)
  expect(anew).not.toBe(one)
  for (const room of [anew, other]) room.close()
})

test('ids of another member or another room are not found', async () => {
  const [room, elsewhere] = await Promise.all([sfu.room(1, silent), sfu.room(2, silent)])
  const [alice, bob, mallory] = [room.peer('alice'), room.peer('bob'), elsewhere.peer('mallory')]
  const { rtp_capabilities } = room
  const [send, recv] = [await alice.createTransport('send'), await bob.createTransport('recv')]
  await mallory.createTransport('recv')
  const { dtls_parameters } = await mallory.createTransport('send')
  const { producer_id } = await alice.produce(send.transport_id, 'audio', microphone(), 'microphone')
  const consumer = await bob.consume(producer_id, rtp_capabilities)
  for (const attempt of [
    mallory.consume(producer_id, rtp_capabilities),
    mallory.connect(send.transport_id, dtls_parameters),
    mallory.restartIce(send.transport_id),
    mallory.produce(send.transport_id, 'audio', microphone(9), 'microphone'),
    mallory.pauseConsumer(consumer.consumer_id, false),
    bob.produce(send.transport_id, 'audio', microphone(9), 'microphone'),
    bob.produce(recv.transport_id, 'audio', microphone(9), 'microphone'),
    bob.pauseProducer(producer_id, true),
    bob.closeProducer(producer_id),
    bob.setPreferredLayers('nothing', { spatialLayer: 0 }),
    alice.pauseConsumer(consumer.consumer_id, true),
    alice.consume(producer_id, rtp_capabilities),
    alice.consume('nothing', rtp_capabilities),
  ])
    expect(await codeOf(attempt)).toBe('not_found')
  expect(room.producers().map((produced) => produced.producer_id)).toEqual([producer_id])
  for (const each of [room, elsewhere]) each.close()
})

test('parameters that cannot be used are refused, and the room works on', async () => {
  const room = await sfu.room(102, silent)
  const [alice, bob] = [room.peer('alice'), room.peer('bob')]
  const { transport_id } = await alice.createTransport('send')
  const layers = ['a', 'b', 'c', 'd'].map((rid) => ({ rid }))
  const refused: [types.MediaKind, unknown, 'microphone' | 'camera' | 'screen'][] = [
    ['video', microphone(), 'microphone'],
    ['audio', picture({ ssrc: 2 }), 'screen'],
    ['audio', picture({ ssrc: 2 }), 'microphone'],
    ['video', picture(...layers), 'camera'],
    ['video', picture(...layers.slice(0, 3)), 'screen'],
    ['video', picture({ ssrc: 2, scalabilityMode: 'L3T3' }), 'screen'],
    ['video', picture({ ssrc: 2, scalabilityMode: 'S4T1_KEY' }), 'camera'],
    ['audio', { ...microphone(), encodings: 7 }, 'microphone'],
    ['audio', { codecs: [{ mimeType: 'audio/pcmu', payloadType: 0, clockRate: 8000 }] }, 'microphone'],
    ['audio', {}, 'microphone'],
    ['audio', 'nonsense', 'microphone'],
    ['audio', { codecs: [null] }, 'microphone'],
    ['audio', { codecs: [{ mimeType: { toString: 1 } }] }, 'microphone'],
    ['audio', { ...microphone(), encodings: [null] }, 'microphone'],
    ['video', { ...picture(), encodings: [{ scalabilityMode: { toString: 1 } }] }, 'camera'],
  ]
  for (const [kind, parameters, source] of refused) {
    const attempt = alice.produce(transport_id, kind, parameters as types.RtpParameters, source)
    expect([parameters, await codeOf(attempt)]).toEqual([parameters, 'validation_failed'])
  }
  expect(await codeOf(alice.connect(transport_id, { fingerprints: [] }))).toBe('validation_failed')
  const { producer_id } = await alice.produce(transport_id, 'audio', microphone(), 'microphone')
  await bob.createTransport('recv')
  expect(await codeOf(bob.consume(producer_id, { codecs: [] }))).toBe('validation_failed')
  expect(await codeOf(bob.consume(producer_id, 'nonsense' as types.RtpCapabilities))).toBe('validation_failed')
  await bob.consume(producer_id, room.rtp_capabilities)
  expect(room.streams()).toBe(2)
  room.close()
})

test('lost sound can be requested again, on its way to the SFU and from it', async () => {
  const room = await sfu.room(10, silent)
  const [alice, bob] = [room.peer('alice'), room.peer('bob')]
  const [{ transport_id }] = [await alice.createTransport('send'), await bob.createTransport('recv')]
  const opus = room.rtp_capabilities.codecs?.find(({ mimeType }) => mimeType === 'audio/opus')
  expect(opus?.rtcpFeedback?.map(({ type }) => type)).toContain('nack')
  const { producer_id } = await alice.produce(transport_id, 'audio', microphone(), 'microphone')
  const { rtp_parameters } = await bob.consume(producer_id, room.rtp_capabilities)
  expect(rtp_parameters.codecs[0]?.rtcpFeedback?.map(({ type }) => type)).toContain('nack')
  room.close()
})

test('a member has one producer per source, and one consumer per producer', async () => {
  const happened = gather()
  const room = await sfu.room(103, happened.tell)
  const [alice, bob] = [room.peer('alice'), room.peer('bob')]
  const { transport_id } = await alice.createTransport('send')
  const all = await Promise.all(
    [1, 2, 3].map((ssrc) => alice.produce(transport_id, 'audio', microphone(ssrc), 'microphone')),
  )
  expect(room.producers()).toHaveLength(1)
  expect(happened.of('producer_closed')).toHaveLength(2)
  const [{ producer_id = '' } = {}] = room.producers()
  expect(all.map((each) => each.producer_id)).toContain(producer_id)
  await bob.createTransport('recv')
  const takes = await Promise.all([1, 2].map(() => bob.consume(producer_id, room.rtp_capabilities)))
  expect(new Set(takes.map(({ consumer_id }) => consumer_id)).size).toBe(2)
  expect(room.streams()).toBe(2)
  room.close()
})

test('a member keeps the newest two transports of a direction', async () => {
  const room = await sfu.room(104, silent)
  const alice = room.peer('alice')
  const offers = await Promise.all([1, 2, 3, 4].map(() => alice.createTransport('recv')))
  const states = await Promise.all(offers.map(({ transport_id }) => codeOf(alice.restartIce(transport_id))))
  expect(states.toSorted()).toEqual(['done', 'done', 'not_found', 'not_found'])
  const leaving = alice.createTransport('send')
  alice.close()
  expect(await codeOf(leaving)).toBe('unavailable')
  room.close()
})

test('workers listen on consecutive ports by UDP and TCP, and rooms open on the least loaded', async () => {
  const wide = await openSfu({ SFU_WORKERS: '2', SFU_PORT: String(PORT) })
  await until(() => wide.pids().length === 2)
  const ports = new Set(wide.endpoints().map(({ protocol, port }) => `${protocol} ${port}`))
  expect([...ports].sort()).toEqual([`tcp ${PORT}`, `tcp ${PORT + 1}`, `udp ${PORT}`, `udp ${PORT + 1}`])
  const portOf = async (channel: number) => {
    const room = await wide.room(channel, silent)
    const { ice_candidates, transport_id } = await room.peer('alice').createTransport('send')
    await room.peer('alice').produce(transport_id, 'audio', microphone(), 'microphone')
    expect(new Set(ice_candidates.map(({ protocol }) => protocol))).toEqual(new Set(['udp', 'tcp']))
    return ice_candidates[0]?.port
  }
  const used = [await portOf(1), await portOf(2), await portOf(3), await portOf(4)]
  expect(used.filter((port) => port === PORT)).toHaveLength(2)
  expect(used.filter((port) => port === PORT + 1)).toHaveLength(2)

  // One worker dies: the rooms of the other go on, and a new worker takes the port.
  const resets: number[] = []
  const rooms = await Promise.all(
    [11, 12].map((channel) =>
      wide.room(channel, ({ type }: RoomEvent) => void (type === 'reset' && resets.push(channel))),
    ),
  )
  process.kill(wide.pids()[0] ?? 0, 'SIGKILL')
  await until(() => resets.length > 0)
  expect(rooms.filter((room) => room.isClosed())).toHaveLength(1)
  await until(() => wide.pids().length === 2)
  expect(new Set(wide.endpoints().map(({ port }) => port))).toEqual(new Set([PORT, PORT + 1]))
  const pids = wide.pids()
  await wide.stop()
  expect(resets).toHaveLength(1)
  expect(pids.filter(isAlive)).toEqual([])
  expect(await codeOf(wide.room(20, silent))).toBe('unavailable')
})

test('a room requested while the worker is being replaced opens on the next worker', async () => {
  for (let round = 0; round < 3; round++) {
    const happened = gather()
    await sfu.room(30, happened.tell)
    process.kill(sfu.pids()[0] ?? 0, 'SIGKILL')
    // One call before this process knows that the worker is dead, and one after.
    const [soon] = await Promise.all([sfu.room(31, silent), until(() => happened.of('reset').length === 1)])
    const later = await sfu.room(30, silent)
    for (const room of [soon, later]) {
      if (room.isClosed()) continue
      expect((await room.peer('alice').createTransport('send')).ice_candidates.length).toBeGreaterThan(0)
      room.close()
    }
  }
  expect(sfu.state()).toBe('ready')
})

test('the SFU starts once its port is free', async () => {
  const squatter = createSocket('udp4').bind(PORT + 10)
  await new Promise((bound) => squatter.once('listening', bound))
  const opening = openSfu({ SFU_PORT: String(PORT + 10) })
  await Bun.sleep(1500)
  squatter.close()
  const late = await opening
  expect(late.state()).toBe('ready')
  await late.stop()
})
