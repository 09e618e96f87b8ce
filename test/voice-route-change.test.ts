import { afterAll, beforeAll, expect, test } from 'bun:test'
import { permissions } from '../src/core/permissions.ts'
import type { Parley } from '../src/parley.ts'
import { bootCalls } from './browser/voice.ts'
import { person, stop, until } from './harness.ts'
import { WORKER_MS } from './media-worker.ts'
import { connect, type Gateway } from './socket.ts'
import { inVoice, joinVoice, MIC, presentIn, refusedWith, voiceChannel, voiceRoom } from './voice-people.ts'

// The SFU's side of signalling, spoken without a browser: what is sent here is never received.
let parley: Parley
beforeAll(async () => void (parley = await bootCalls({ VOICE_CALM_SECONDS: '1', VOICE_P2P_PEERS_MAX: '2' })), WORKER_MS)
afterAll(() => stop(parley))

const people = (...names: string[]) => Promise.all(names.map((name) => person(parley, name)))
const OPUS = { mimeType: 'audio/opus', clockRate: 48_000, channels: 2 }
const VP8 = { mimeType: 'video/VP8', clockRate: 90_000 }
let ssrc = 1
const microphone = () => ({ codecs: [{ ...OPUS, payloadType: 100 }], encodings: [{ ssrc: ssrc++ }] })
const picture = () => ({ codecs: [{ ...VP8, payloadType: 101 }], encodings: [{ ssrc: ssrc++ }] })
const CAPABILITIES = {
  codecs: [
    { ...OPUS, kind: 'audio', preferredPayloadType: 100 },
    { ...VP8, kind: 'video', preferredPayloadType: 101 },
  ],
  headerExtensions: [],
}

/** A command that is expected to be answered. */
async function done(live: Gateway, op: Parameters<Gateway['command']>[0], d: object = {}): Promise<any> {
  const answer = await live.command(op, d)
  expect([op, answer.error]).toEqual([op, undefined])
  return answer.d
}

async function sends(live: Gateway, source: string): Promise<string> {
  const { transport_id } = await done(live, 'voice.sfu.create_transport', { direction: 'send' })
  const sound = source === 'microphone' || source === 'screen_audio'
  const what = { kind: sound ? 'audio' : 'video', rtp_parameters: sound ? microphone() : picture(), source }
  return (await done(live, 'voice.sfu.produce', { transport_id, ...what })).producer_id
}

async function receives(live: Gateway, producer_id: string): Promise<string> {
  await done(live, 'voice.sfu.create_transport', { direction: 'recv' })
  const taken = await done(live, 'voice.sfu.consume', { producer_id, rtp_capabilities: CAPABILITIES })
  expect(taken.producer_id).toBe(producer_id)
  return taken.consumer_id
}

/** Two in a call that goes over the SFU, since alice shows her addresses to nobody. */
async function call() {
  const [alice, bob] = (await people('alice', 'bob')) as [any, any]
  const place = await voiceRoom(alice, bob)
  const a = await inVoice(alice, place.channel_id, { relay_only: true })
  const b = await inVoice(bob, place.channel_id)
  return { alice, bob, a, b, ...place }
}

test('who joins a room that needs the SFU is told of it in the answer, others by voice.route', async () => {
  const [alice, bob, carol] = await people('alice', 'bob', 'carol')
  const { channel_id } = await voiceRoom(alice!, bob!, carol!)
  const [a, b] = [await inVoice(alice!, channel_id), await inVoice(bob!, channel_id)]
  expect([a.seat.route, b.seat.route, b.seat.router_rtp_capabilities]).toEqual(['p2p', 'p2p', null])
  const c = await inVoice(carol!, channel_id)
  expect(c.seat).toMatchObject({ route: 'sfu', epoch: 2, producers: [] })
  for (const { gateway } of [a, b]) {
    const { d } = await gateway.next('voice.route')
    expect(d).toMatchObject({ route: 'sfu', epoch: 2, reason: 'size', producers: [] })
    expect(d.router_rtp_capabilities).toEqual(c.seat.router_rtp_capabilities)
  }
  // What was said in the mesh counts no more.
  await a.gateway.command('voice.candidate', { to: b.id, epoch: 1, candidate: null })
  await b.gateway.settled()
  expect(b.gateway.of('voice.candidate')).toEqual([])
  await c.gateway.command('voice.leave')
  expect((await b.gateway.next('voice.route', ({ d }) => d.route === 'p2p')).d).toMatchObject({
    epoch: 3,
    reason: 'calm',
  })
  for (const { gateway } of [a, b, c]) gateway.close()
})

test('a pair that says nothing of a connection for 4 s goes to the SFU, and stays there', async () => {
  const [alice, bob] = await people('alice', 'bob')
  const { channel_id } = await voiceRoom(alice!, bob!)
  const [a, b] = [await inVoice(alice!, channel_id), await inVoice(bob!, channel_id)]
  const { d } = await a.gateway.next('voice.route', undefined, 6000)
  expect(d).toMatchObject({ route: 'sfu', reason: 'no_path' })
  await Bun.sleep(1500)
  expect(b.gateway.of('voice.route')).toHaveLength(1)
  for (const { gateway } of [a, b]) gateway.close()
}, 20_000)

test('reports decide: connected stays in the mesh, disconnected for 2 s does not', async () => {
  const [alice, bob] = await people('alice', 'bob')
  const { channel_id } = await voiceRoom(alice!, bob!)
  const [a, b] = [
    await inVoice(alice!, channel_id, { self_mute: true }),
    await inVoice(bob!, channel_id, { self_mute: true }),
  ]
  const report = (state: string) =>
    a.gateway.command('voice.report', { to: b.id, epoch: 1, state, pair_type: 'host', rtt_ms: 1, audio_packets: 9 })
  await report('connected')
  await Bun.sleep(4500)
  expect(a.gateway.of('voice.route')).toEqual([])
  await report('disconnected')
  const { d } = await b.gateway.next('voice.route')
  expect(d).toMatchObject({ route: 'sfu', reason: 'path_lost' })
  for (const { gateway } of [a, b]) gateway.close()
}, 20_000)

test('what one sends is announced to the others, and can be received, paused and ended', async () => {
  const { a, b } = await call()
  expect((await done(a.gateway, 'voice.sfu.capabilities')).router_rtp_capabilities.codecs.length).toBeGreaterThan(1)
  const producer_id = await sends(a.gateway, 'microphone')
  const produced = { producer_id, voice_session_id: a.id, kind: 'audio', source: 'microphone' }
  expect((await b.gateway.next('voice.sfu.producer_new')).d).toEqual(produced)
  expect(a.gateway.of('voice.sfu.producer_new')).toEqual([])
  const consumer_id = await receives(b.gateway, producer_id)
  await done(b.gateway, 'voice.sfu.resume_consumer', { consumer_id })
  await done(b.gateway, 'voice.sfu.pause_consumer', { consumer_id })
  await done(a.gateway, 'voice.sfu.pause_producer', { producer_id })
  expect((await b.gateway.next('voice.sfu.producer_paused')).d).toEqual(produced)
  await done(a.gateway, 'voice.sfu.resume_producer', { producer_id })
  await b.gateway.next('voice.sfu.producer_resumed')
  const again = await joinVoice(await connect(b.who), b.seat.channel_id)
  expect(again.producers as object[]).toEqual([produced])
  const screen = await sends(a.gateway, 'screen')
  const consumer = await (async () => {
    const live = await connect(b.who)
    await joinVoice(live, b.seat.channel_id)
    const id = await receives(live, screen)
    await done(live, 'voice.sfu.set_preferred_layers', { consumer_id: id, spatial_layer: 0 })
    return { live, id }
  })()
  await done(a.gateway, 'voice.sfu.close_producer', { producer_id: screen })
  expect((await consumer.live.next('voice.sfu.consumer_closed')).d).toEqual({ consumer_id: consumer.id })
  expect((await consumer.live.next('voice.sfu.producer_closed')).d.producer_id).toBe(screen)
  for (const live of [a.gateway, b.gateway, consumer.live]) live.close()
})

test('a transport takes the other end’s certificate, and another path', async () => {
  const { a } = await call()
  const { transport_id, ice_parameters } = await done(a.gateway, 'voice.sfu.create_transport', { direction: 'send' })
  const value = Array.from({ length: 32 }, () => 'AB').join(':')
  const dtls_parameters = { role: 'client', fingerprints: [{ algorithm: 'sha-256', value }] }
  await done(a.gateway, 'voice.sfu.connect', { transport_id, dtls_parameters })
  const anew = (await done(a.gateway, 'voice.sfu.restart_ice', { transport_id })).ice_parameters
  expect(anew.usernameFragment).not.toBe(ice_parameters.usernameFragment)
  a.gateway.close()
})

test('a stranger can join, signal and consume nothing, and a member nothing of another’s', async () => {
  const { a, b, channel_id } = await call()
  const [mallory] = await people('mallory')
  const own = await voiceRoom(mallory!)
  const [idle, m] = [await connect(mallory!), await inVoice(mallory!, own.channel_id, { relay_only: true })]
  const producer_id = await sends(a.gateway, 'microphone')
  const consumer_id = await receives(b.gateway, producer_id)
  const { transport_id } = await done(a.gateway, 'voice.sfu.create_transport', { direction: 'send' })
  const producing = { transport_id, kind: 'audio', rtp_parameters: microphone(), source: 'microphone' }
  const attempts = [
    ['voice.sfu.consume', { producer_id, rtp_capabilities: CAPABILITIES }],
    ['voice.sfu.produce', producing],
    ['voice.sfu.close_producer', { producer_id }],
    ['voice.sfu.pause_producer', { producer_id }],
    ['voice.sfu.resume_producer', { producer_id }],
    ['voice.sfu.resume_consumer', { consumer_id }],
    ['voice.sfu.pause_consumer', { consumer_id }],
    ['voice.sfu.restart_ice', { transport_id }],
    ['voice.sfu.set_preferred_layers', { consumer_id, spatial_layer: 0 }],
  ] as const
  await done(m.gateway, 'voice.sfu.create_transport', { direction: 'recv' })
  for (const [op, d] of attempts) {
    expect([op, await refusedWith(m.gateway, op, d)]).toEqual([op, 'not_found'])
    expect([op, await refusedWith(idle, op, d)]).toEqual([op, 'not_found'])
    const ownsIt = op.endsWith('consumer') || op.endsWith('layers') || op.endsWith('consume')
    if (!ownsIt) expect([op, await refusedWith(b.gateway, op, d)]).toEqual([op, 'not_found'])
  }
  expect(await refusedWith(idle, 'voice.sfu.capabilities', {})).toBe('not_found')
  expect(await refusedWith(idle, 'voice.sfu.create_transport', { direction: 'recv' })).toBe('not_found')
  expect(await refusedWith(idle, 'voice.join', { channel_id, ...MIC })).toBe('not_found')
  await m.gateway.settled()
  expect(m.gateway.of('voice.sfu.producer_new')).toEqual([])
  for (const live of [a.gateway, b.gateway, idle, m.gateway]) live.close()
})

test('each source takes its permission, and parameters that the worker refuses are refused in words', async () => {
  const { alice, a, b, server_id, channel_id } = await call()
  const [everyone] = (await alice.get(`/api/servers/${server_id}/roles`)).body
  const deny = permissions('speak', 'share_screen')
  await alice.put(`/api/channels/${channel_id}/permissions/${everyone.id}`, { deny })
  const { transport_id } = await done(b.gateway, 'voice.sfu.create_transport', { direction: 'send' })
  for (const source of ['microphone', 'camera', 'screen', 'screen_audio']) {
    const sound = source.endsWith('e') || source.endsWith('audio')
    const what = { kind: sound ? 'audio' : 'video', rtp_parameters: sound ? microphone() : picture(), source }
    expect([source, await refusedWith(b.gateway, 'voice.sfu.produce', { transport_id, ...what })]).toEqual([
      source,
      'missing_permission',
    ])
  }
  const own = (await done(a.gateway, 'voice.sfu.create_transport', { direction: 'send' })).transport_id
  for (const rtp_parameters of [{}, { codecs: [] }, { codecs: [{ mimeType: 'audio/nonsense' }], encodings: [] }]) {
    const what = { transport_id: own, kind: 'audio', rtp_parameters, source: 'microphone' }
    expect(await refusedWith(a.gateway, 'voice.sfu.produce', what)).toBe('validation_failed')
  }
  for (const { gateway } of [a, b]) gateway.close()
})

test('in a mesh there is nothing of the SFU', async () => {
  const [alice] = await people('alice')
  const { channel_id } = await voiceRoom(alice!)
  const { gateway } = await inVoice(alice!, channel_id)
  expect(await refusedWith(gateway, 'voice.sfu.create_transport', { direction: 'send' })).toBe('media_unavailable')
  gateway.close()
})

test('who is muted, or may not speak, is held by the SFU at once, and let through when that ends', async () => {
  const { alice, bob, a, b, server_id, channel_id } = await call()
  await sends(b.gateway, 'microphone')
  const mute = (muted: boolean) => done(a.gateway, 'voice.mute_member', { server_id, user_id: bob.id, mute: muted })
  const heard = (what: string) => a.gateway.of(`voice.sfu.producer_${what}`).length
  await mute(true)
  expect([heard('paused'), heard('resumed')]).toEqual([1, 0])
  expect((await b.gateway.next('voice.peer_updated')).d).toMatchObject({ voice_session_id: b.id, silenced: true })
  await mute(false)
  expect([heard('paused'), heard('resumed')]).toEqual([1, 1])
  const [everyone] = (await alice.get(`/api/servers/${server_id}/roles`)).body
  const path = `/api/channels/${channel_id}/permissions/${everyone.id}`
  await alice.put(path, { deny: permissions('speak') })
  await a.gateway.settled()
  expect([heard('paused'), heard('resumed')]).toEqual([2, 1])
  await alice.delete(path)
  await a.gateway.settled()
  expect([heard('paused'), heard('resumed')]).toEqual([2, 2])
  expect((await presentIn(alice, channel_id)).toSorted()).toEqual([alice.id, bob.id].toSorted())
  for (const { gateway } of [a, b]) gateway.close()
})

test('a mesh whose member is muted in mid-call goes to the SFU before the moderator is answered', async () => {
  const [alice, bob] = await people('alice', 'bob')
  const { server_id, channel_id } = await voiceRoom(alice!, bob!)
  const [a, b] = [await inVoice(alice!, channel_id), await inVoice(bob!, channel_id)]
  await done(a.gateway, 'voice.mute_member', { server_id, user_id: bob!.id, mute: true })
  expect(a.gateway.of('voice.route').map(({ d }) => [d.route, d.reason])).toEqual([['sfu', 'silenced']])
  const producer = await sends(b.gateway, 'microphone')
  expect((await a.gateway.next('voice.sfu.producer_paused')).d.producer_id).toBe(producer)
  // It stays muted wherever it goes in the server.
  const elsewhere = await voiceChannel(alice!, server_id, 'dusk')
  expect(await joinVoice(b.gateway, elsewhere)).toMatchObject({ route: 'sfu' })
  for (const { gateway } of [a, b]) gateway.close()
})

test('a kicked member’s media end with its seat', async () => {
  const { alice, bob, a, b, server_id } = await call()
  const producer_id = await sends(b.gateway, 'microphone')
  await a.gateway.next('voice.sfu.producer_new')
  await alice.delete(`/api/servers/${server_id}/members/${bob.id}`)
  await until(
    async () =>
      (await refusedWith(a.gateway, 'voice.sfu.consume', { producer_id, rtp_capabilities: {} })) !== undefined,
  )
  expect(await refusedWith(b.gateway, 'voice.sfu.create_transport', { direction: 'recv' })).toBe('not_found')
  const again = await connect(alice)
  expect((await joinVoice(again, a.seat.channel_id)).producers).toEqual([])
  for (const live of [a.gateway, b.gateway, again]) live.close()
})

test('when the worker dies everyone is told to begin anew, in a room that works', async () => {
  const { a, b } = await call()
  const { epoch } = (await b.gateway.command('voice.resume', { voice_session_id: b.id, epoch: 1 })).d
  await sends(a.gateway, 'microphone')
  for (const pid of parley.calls.media.pids()) process.kill(pid, 'SIGKILL')
  const { d } = await b.gateway.next('voice.sfu.reset')
  expect(d).toMatchObject({ epoch: epoch + 1, producers: [] })
  const producer_id = await sends(a.gateway, 'microphone')
  expect(
    (await b.gateway.next('voice.sfu.producer_new', ({ d: made }) => made.producer_id === producer_id)).d.source,
  ).toBe('microphone')
  await receives(b.gateway, producer_id)
  for (const { gateway } of [a, b]) gateway.close()
})
