import { afterAll, beforeAll, expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import type { Parley } from '../../../src/parley.ts'
import { bootCalls } from '../../support/browser/voice.ts'
import { person, stop } from '../../support/harness.ts'
import { WORKER_MS } from '../../support/media-worker.ts'
import { connect } from '../../support/socket.ts'
import { inVoice, joinVoice, presentIn, refusedWith, voiceChannel, voiceServer } from '../../support/voice-people.ts'
import { call, CAPABILITIES, done, receives, sends } from '../../support/voice-sfu-people.ts'

let parley: Parley
beforeAll(async () => void (parley = await bootCalls({ VOICE_CALM_SECONDS: '1', VOICE_P2P_PEERS_MAX: '2' })), WORKER_MS)
afterAll(() => stop(parley))

const people = (...names: string[]) => Promise.all(names.map((name) => person(parley, name)))

test('a member who joins a room that needs the SFU gets the route in the answer, others by voice.route', async () => {
  const [alice, bob, carol] = await people('alice', 'bob', 'carol')
  const { channel_id } = await voiceServer(alice!, bob!, carol!)
  const [a, b] = [await inVoice(alice!, channel_id), await inVoice(bob!, channel_id)]
  expect([a.seat.route, b.seat.route, b.seat.router_rtp_capabilities]).toEqual(['p2p', 'p2p', null])
  const c = await inVoice(carol!, channel_id)
  expect(c.seat).toMatchObject({ route: 'sfu', epoch: 2, producers: [] })
  for (const { gateway } of [a, b]) {
    const { d } = await gateway.next('voice.route')
    expect(d).toMatchObject({ route: 'sfu', epoch: 2, reason: 'size', producers: [] })
    expect(d.router_rtp_capabilities).toEqual(c.seat.router_rtp_capabilities)
  }
  // Signalling of the mesh's epoch is dropped.
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

test('a pair that reports no connection for 4 s goes to the SFU, and stays there', async () => {
  const [alice, bob] = await people('alice', 'bob')
  const { channel_id } = await voiceServer(alice!, bob!)
  const [a, b] = [await inVoice(alice!, channel_id), await inVoice(bob!, channel_id)]
  const { d } = await a.gateway.next('voice.route')
  expect(d).toMatchObject({ route: 'sfu', reason: 'no_path' })
  await Bun.sleep(1500)
  expect(b.gateway.of('voice.route')).toHaveLength(1)
  for (const { gateway } of [a, b]) gateway.close()
})

test('a pair that reports connected stays in the mesh, one disconnected for 2 s does not', async () => {
  const [alice, bob] = await people('alice', 'bob')
  const { channel_id } = await voiceServer(alice!, bob!)
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
})

test('the SFU silences a member who is muted, timed out or may not speak, until the member may', async () => {
  const { alice, bob, a, b, server_id, channel_id } = await call(parley)
  await sends(b.gateway, 'microphone')
  const mute = (isMuted: boolean) => done(a.gateway, 'voice.mute_member', { server_id, user_id: bob.id, mute: isMuted })
  const producerCount = (what: string) => a.gateway.of(`voice.sfu.producer_${what}`).length
  await mute(true)
  expect([producerCount('paused'), producerCount('resumed')]).toEqual([1, 0])
  expect((await b.gateway.next('voice.peer_updated')).d).toMatchObject({ voice_session_id: b.id, silenced: true })
  await mute(false)
  expect([producerCount('paused'), producerCount('resumed')]).toEqual([1, 1])
  const [everyone] = (await alice.get(`/api/servers/${server_id}/roles`)).body
  const path = `/api/channels/${channel_id}/permissions/${everyone.id}`
  await alice.put(path, { deny: permissions('speak') })
  await a.gateway.settled()
  expect([producerCount('paused'), producerCount('resumed')]).toEqual([2, 1])
  await alice.delete(path)
  await a.gateway.settled()
  expect([producerCount('paused'), producerCount('resumed')]).toEqual([2, 2])
  const timeOut = (timed_out_until: string | null) =>
    alice.put(`/api/servers/${server_id}/members/${bob.id}`, { timed_out_until })
  await timeOut(new Date(Date.now() + 60_000).toISOString())
  await a.gateway.settled()
  expect([producerCount('paused'), producerCount('resumed')]).toEqual([3, 2])
  await timeOut(null)
  await a.gateway.settled()
  expect([producerCount('paused'), producerCount('resumed')]).toEqual([3, 3])
  expect((await presentIn(alice, channel_id)).toSorted()).toEqual([alice.id, bob.id].toSorted())
  for (const { gateway } of [a, b]) gateway.close()
})

test('a mesh whose member is muted goes to the SFU before the moderator is answered', async () => {
  const [alice, bob] = await people('alice', 'bob')
  const { server_id, channel_id } = await voiceServer(alice!, bob!)
  const [a, b] = [await inVoice(alice!, channel_id), await inVoice(bob!, channel_id)]
  await done(a.gateway, 'voice.mute_member', { server_id, user_id: bob!.id, mute: true })
  expect(a.gateway.of('voice.route').map(({ d }) => [d.route, d.reason])).toEqual([['sfu', 'silenced']])
  const producer = await sends(b.gateway, 'microphone')
  expect((await a.gateway.next('voice.sfu.producer_paused')).d.producer_id).toBe(producer)
  // The mute holds in every channel of the server.
  const elsewhere = await voiceChannel(alice!, server_id, 'dusk')
  expect(await joinVoice(b.gateway, elsewhere)).toMatchObject({ route: 'sfu', route_reason: expect.any(String) })
  for (const { gateway } of [a, b]) gateway.close()
})

test('a kicked member’s media end with its seat', async () => {
  const { alice, bob, a, b, server_id } = await call(parley)
  const producer_id = await sends(b.gateway, 'microphone')
  await a.gateway.next('voice.sfu.producer_new')
  await alice.delete(`/api/servers/${server_id}/members/${bob.id}`)
  await done(a.gateway, 'voice.sfu.create_transport', { direction: 'recv' })
  const consume = { producer_id, rtp_capabilities: CAPABILITIES }
  expect(await refusedWith(a.gateway, 'voice.sfu.consume', consume)).toBe('not_found')
  expect(await refusedWith(b.gateway, 'voice.sfu.create_transport', { direction: 'recv' })).toBe('not_found')
  const again = await connect(alice)
  expect((await joinVoice(again, a.seat.channel_id)).producers).toEqual([])
  for (const live of [a.gateway, b.gateway, again]) live.close()
})

test('when the worker dies every member receives voice.sfu.reset, and the room works again', async () => {
  const { a, b } = await call(parley)
  const { epoch } = (await b.gateway.command('voice.resume', { voice_session_id: b.id, epoch: 1 })).d
  await sends(a.gateway, 'microphone')
  for (const pid of parley.sfu.pids()) process.kill(pid, 'SIGKILL')
  const { d } = await b.gateway.next('voice.sfu.reset')
  expect(d).toMatchObject({ epoch: epoch + 1, producers: [] })
  const producer_id = await sends(a.gateway, 'microphone')
  expect(
    (await b.gateway.next('voice.sfu.producer_new', ({ d: producer }) => producer.producer_id === producer_id)).d
      .source,
  ).toBe('microphone')
  await receives(b.gateway, producer_id)
  for (const { gateway } of [a, b]) gateway.close()
})

test('the metrics count connections, round trips and route changes of calls', async () => {
  const [alice, bob] = await people('alice', 'bob')
  const { channel_id } = await voiceServer(alice!, bob!)
  const [a, b] = [await inVoice(alice!, channel_id), await inVoice(bob!, channel_id)]
  const figure = async (name: string) => {
    const text = await parley.parts.metrics.registry.metrics()
    const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `))
    return Number(line?.slice(name.length + 1) ?? 0)
  }
  const names = {
    relayed: 'parley_voice_connections_total{pair_type="relay"}',
    rtt: 'parley_voice_rtt_seconds_count{pair_type="relay"}',
    sound: 'parley_voice_first_audio_seconds_count{route="p2p"}',
    muted: 'parley_voice_route_changes_total{route="sfu",reason="silenced"}',
  }
  const before = Object.fromEntries(
    await Promise.all(Object.entries(names).map(async ([key, name]) => [key, await figure(name)])),
  )
  expect(await figure('parley_voice_members')).toBeGreaterThan(1)
  expect(await figure('parley_voice_rooms{route="p2p"}')).toBeGreaterThan(0)
  const report = { to: b.id, epoch: 1, state: 'connected', pair_type: 'relay', rtt_ms: 20, audio_packets: 5 }
  await done(a.gateway, 'voice.report', { ...report, first_audio_ms: 300 })
  await done(a.gateway, 'voice.report', report)
  await done(a.gateway, 'voice.mute_member', {
    server_id: (await alice!.get(`/api/channels/${channel_id}`)).body.server_id,
    user_id: bob!.id,
    mute: true,
  })
  const after = Object.fromEntries(
    await Promise.all(Object.entries(names).map(async ([key, name]) => [key, await figure(name)])),
  )
  const grown = Object.fromEntries(Object.keys(names).map((key) => [key, after[key] - before[key]]))
  expect(grown).toEqual({ relayed: 1, rtt: 2, sound: 1, muted: 1 })
  for (const { gateway } of [a, b]) gateway.close()
})
