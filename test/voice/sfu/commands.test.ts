import { afterAll, beforeAll, expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import type { Parley } from '../../../src/parley.ts'
import { bootCalls } from '../../support/browser/voice.ts'
import { person, stop } from '../../support/harness.ts'
import { WORKER_MS } from '../../support/media-worker.ts'
import { connect } from '../../support/socket.ts'
import { inVoice, joinVoice, MIC, refusedWith, voiceChannel, voiceServer } from '../../support/voice-people.ts'
import { call, CAPABILITIES, done, microphone, picture, receives, sends } from '../../support/voice-sfu-people.ts'

let parley: Parley
beforeAll(async () => void (parley = await bootCalls()), WORKER_MS)
afterAll(() => stop(parley))

const people = (...names: string[]) => Promise.all(names.map((name) => person(parley, name)))

test('a producer is announced to the others, and can be consumed, paused and closed', async () => {
  const { a, b } = await call(parley)
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

test('a transport takes the client’s certificate, and an ICE restart', async () => {
  const { a } = await call(parley)
  const { transport_id, ice_parameters } = await done(a.gateway, 'voice.sfu.create_transport', { direction: 'send' })
  const value = Array.from({ length: 32 }, () => 'AB').join(':')
  const dtls_parameters = { role: 'client', fingerprints: [{ algorithm: 'sha-256', value }] }
  await done(a.gateway, 'voice.sfu.connect', { transport_id, dtls_parameters })
  const anew = (await done(a.gateway, 'voice.sfu.restart_ice', { transport_id })).ice_parameters
  expect(anew.usernameFragment).not.toBe(ice_parameters.usernameFragment)
  a.gateway.close()
})

test('a stranger can join, signal and consume nothing, and a member cannot use what another owns', async () => {
  const { a, b, channel_id } = await call(parley)
  const [mallory] = await people('mallory')
  const own = await voiceServer(mallory!)
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
    const isOwner = op.endsWith('consumer') || op.endsWith('layers') || op.endsWith('consume')
    if (!isOwner) expect([op, await refusedWith(b.gateway, op, d)]).toEqual([op, 'not_found'])
  }
  expect(await refusedWith(idle, 'voice.sfu.capabilities', {})).toBe('not_found')
  expect(await refusedWith(idle, 'voice.sfu.create_transport', { direction: 'recv' })).toBe('not_found')
  expect(await refusedWith(idle, 'voice.join', { channel_id, ...MIC })).toBe('not_found')
  await m.gateway.settled()
  expect(m.gateway.of('voice.sfu.producer_new')).toEqual([])
  for (const live of [a.gateway, b.gateway, idle, m.gateway]) live.close()
})

test('each source needs its permission, and parameters that the worker refuses fail validation', async () => {
  const { alice, a, b, server_id, channel_id } = await call(parley)
  const [everyone] = (await alice.get(`/api/servers/${server_id}/roles`)).body
  const deny = permissions('speak', 'share_screen')
  await alice.put(`/api/channels/${channel_id}/permissions/${everyone.id}`, { deny })
  const { transport_id } = await done(b.gateway, 'voice.sfu.create_transport', { direction: 'send' })
  for (const source of ['microphone', 'camera', 'screen', 'screen_audio']) {
    const isSound = source.endsWith('e') || source.endsWith('audio')
    const what = { kind: isSound ? 'audio' : 'video', rtp_parameters: isSound ? microphone() : picture(), source }
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

test('SFU commands are refused in a mesh', async () => {
  const [alice] = await people('alice')
  const { channel_id } = await voiceServer(alice!)
  const { gateway } = await inVoice(alice!, channel_id)
  expect(await refusedWith(gateway, 'voice.sfu.create_transport', { direction: 'send' })).toBe('media_unavailable')
  gateway.close()
})

test('a muted member is silent after joining a call on the SFU, and after being moved there', async () => {
  const { alice, bob, a, b, server_id, channel_id } = await call(parley)
  await done(b.gateway, 'voice.leave')
  const moderator = await connect(alice)
  await done(moderator, 'voice.mute_member', { server_id, user_id: bob.id, mute: true })
  await joinVoice(b.gateway, channel_id)
  await sends(b.gateway, 'microphone')
  await a.gateway.next('voice.sfu.producer_paused')

  await joinVoice(b.gateway, await voiceChannel(alice, server_id, 'elsewhere'))
  await done(moderator, 'voice.move_member', { server_id, user_id: bob.id, channel_id })
  const producer = await sends(b.gateway, 'microphone')
  await a.gateway.next('voice.sfu.producer_paused', ({ d }) => d.producer_id === producer)
  for (const each of [a.gateway, b.gateway, moderator]) each.close()
})

test('in a room on the SFU, mesh descriptions of a member who must not be heard are refused', async () => {
  const { alice, bob, a, b, server_id, channel_id } = await call(parley)
  const { epoch } = b.seat
  expect(b.seat.route).toBe('sfu')
  const describing = (sdp: string) => ({ to: a.id, epoch, description: { type: 'offer', sdp } })
  const audio = 'v=0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=sendrecv\r\n'
  const moderator = await connect(alice)
  const mute = (isOn: boolean) => done(moderator, 'voice.mute_member', { server_id, user_id: bob.id, mute: isOn })
  expect(await refusedWith(b.gateway, 'voice.description', describing(audio))).toBeUndefined()
  await mute(true)
  for (const type of ['offer', 'answer', 'pranswer', 'rollback'])
    for (const sdp of [audio, '', 'v=0', 'v'.repeat(48 * 1024)])
      expect(
        await refusedWith(b.gateway, 'voice.description', { ...describing(sdp), description: { type, sdp } }),
      ).toBe('forbidden')
  const again = await joinVoice(b.gateway, b.seat.channel_id)
  const anew = { ...describing(audio), epoch: again.epoch }
  expect(await refusedWith(b.gateway, 'voice.description', anew)).toBe('forbidden')
  await mute(false)
  expect(await refusedWith(b.gateway, 'voice.description', anew)).toBeUndefined()
  const [everyone] = (await alice.get(`/api/servers/${server_id}/roles`)).body
  await alice.put(`/api/channels/${channel_id}/permissions/${everyone.id}`, { deny: permissions('speak') })
  await b.gateway.next('voice.peer_updated', ({ d }) => d.voice_session_id === again.voice_session_id && d.silenced)
  expect(await refusedWith(b.gateway, 'voice.description', anew)).toBe('missing_permission')
  // A member who may be heard goes on.
  expect(await refusedWith(a.gateway, 'voice.description', { ...anew, to: again.voice_session_id })).toBeUndefined()
  await b.gateway.settled()
  expect(a.gateway.of('voice.description')).toHaveLength(2)
  for (const live of [moderator, a.gateway, b.gateway]) live.close()
})

test('anybody can test the way to the SFU: a transport for a certificate, at most fifty at once', async () => {
  const [alice] = await people('alice')
  const test = (algorithm: string, value: string) =>
    alice!.post('/api/voice/sfu-tests', { fingerprints: [{ algorithm, value }] })
  const fingerprint = Array(32).fill('AB').join(':')
  const answers = await Promise.all(Array.from({ length: 51 }, () => test('sha-256', fingerprint)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(50).fill(201), 429])
  const [{ body } = { body: undefined }] = answers
  expect(Object.keys(body).toSorted()).toEqual([
    'dtls_parameters',
    'ice_candidates',
    'ice_parameters',
    'router_rtp_capabilities',
    'transport_id',
  ])
  expect(new Set(body.ice_candidates.map(({ protocol }: { protocol: string }) => protocol))).toEqual(
    new Set(['udp', 'tcp']),
  )
})
