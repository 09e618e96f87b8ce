import { afterAll, beforeAll, expect, onTestFinished, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import type { Parley } from '../../../src/parley.ts'
import type { Room, Seat } from '../../../src/voice/seat.ts'
import { chargeSpeaker } from '../../../src/voice/stages/speaker.ts'
import { bootCalls } from '../../support/browser/voice.ts'
import { boot, person, stop } from '../../support/harness.ts'
import { WORKER_MS } from '../../support/media-worker.ts'
import { letModerate, stageServer } from '../../support/stages.ts'
import { connect } from '../../support/socket.ts'
import { inVoice, MIC, refusedWith, voiceChannel } from '../../support/voice-people.ts'
import { CAPABILITIES, done, microphone, receives, sends } from '../../support/voice-sfu-people.ts'

let parley: Parley
beforeAll(async () => void (parley = await bootCalls()), WORKER_MS)
afterAll(() => stop(parley))

const people = (...names: string[]) => Promise.all(names.map((name) => person(parley, name)))

/** A stage with its owner as the speaker, and two listeners. */
async function talk() {
  const [ann, ben, cas] = await people('ann', 'ben', 'cas')
  const place = await stageServer(ann!, ben!, cas!)
  const a = await inVoice(ann!, place.channel_id)
  await done(a.gateway, 'voice.go_up')
  const [b, c] = [await inVoice(ben!, place.channel_id), await inVoice(cas!, place.channel_id)]
  const of = ({ who }: typeof a) => ({ server_id: place.server_id, user_id: who.id })
  const close = () => [a, b, c].forEach(({ gateway }) => gateway.close())
  return { ...place, a, b, c, of, close }
}

test('a listener of a stage hears a speaker, and can send nothing', async () => {
  const { a, b, close } = await talk()
  expect([b.seat.route, b.seat.route_reason, b.seat.silenced]).toEqual(['sfu', 'stage', true])
  expect(b.seat.stage).toEqual({ speaks: false, raised_at: null, invited_at: null })
  expect(b.seat.peers.map(({ voice_session_id }) => voice_session_id)).toEqual([a.id])
  const producer_id = await sends(a.gateway, 'microphone')
  expect((await b.gateway.next('voice.sfu.producer_new')).d.producer_id).toBe(producer_id)
  const consumer_id = await receives(b.gateway, producer_id)
  await done(b.gateway, 'voice.sfu.resume_consumer', { consumer_id })
  const { transport_id } = await done(b.gateway, 'voice.sfu.create_transport', { direction: 'send' })
  const sound = { transport_id, kind: 'audio', rtp_parameters: microphone() }
  for (const source of ['microphone', 'screen_audio'])
    expect(await refusedWith(b.gateway, 'voice.sfu.produce', { ...sound, source })).toBe('forbidden')
  expect(await refusedWith(b.gateway, 'voice.update', { camera: true })).toBe('forbidden')
  expect(await refusedWith(b.gateway, 'voice.go_up', {})).toBe('forbidden')
  await a.gateway.settled()
  // Others do not even know of a listener.
  expect(a.gateway.of('voice.peer_joined')).toEqual([])
  expect(a.gateway.of('voice.sfu.producer_new')).toEqual([])
  close()
})

test('a member let up sends at once, and one sent down has its producers closed in the same step', async () => {
  const { a, b, c, of, close } = await talk()
  await done(b.gateway, 'voice.raise_hand', { raised: true })
  await done(a.gateway, 'voice.let_up', of(b))
  expect((await b.gateway.next('voice.peer_updated', ({ d }) => d.stage?.speaks === true)).d.silenced).toBe(false)
  expect((await c.gateway.next('voice.peer_joined')).d.voice_session_id).toBe(b.id)
  const producer_id = await sends(b.gateway, 'microphone')
  await receives(c.gateway, producer_id)
  await done(a.gateway, 'voice.send_down', of(b))
  expect((await c.gateway.next('voice.sfu.producer_closed')).d.producer_id).toBe(producer_id)
  expect((await c.gateway.next('voice.peer_left')).d.voice_session_id).toBe(b.id)
  // A client that ignores it has no producer to be heard by, and gets no other.
  expect(await refusedWith(b.gateway, 'voice.sfu.resume_producer', { producer_id })).toBe('not_found')
  const { transport_id } = await done(b.gateway, 'voice.sfu.create_transport', { direction: 'send' })
  const sound = { transport_id, kind: 'audio', rtp_parameters: microphone(), source: 'microphone' }
  expect(await refusedWith(b.gateway, 'voice.sfu.produce', sound)).toBe('forbidden')
  const consuming = { producer_id, rtp_capabilities: CAPABILITIES }
  expect(await refusedWith(c.gateway, 'voice.sfu.consume', consuming)).toBe('not_found')
  close()
})

test('only moderators let up and send down, and nobody sends down a member above', async () => {
  const { a, b, c, of, server_id, close } = await talk()
  for (const op of ['voice.let_up', 'voice.send_down'] as const) {
    expect(await refusedWith(b.gateway, op, of(a))).toBe('missing_permission')
    expect(await refusedWith(a.gateway, op, { server_id, user_id: 999_999 })).toBe('not_found')
  }
  await letModerate(a.who, server_id, b.who)
  await done(b.gateway, 'voice.go_up')
  expect(await refusedWith(b.gateway, 'voice.send_down', of(a))).toBe('forbidden')
  await done(b.gateway, 'voice.let_up', of(c))
  await c.gateway.next('voice.peer_updated', ({ d }) => d.stage?.invited_at !== null)
  await done(c.gateway, 'voice.go_up')
  await done(b.gateway, 'voice.send_down', of(c))
  await done(b.gateway, 'voice.step_down')
  close()
})

test('raised hands wait in the order in which they were raised; a refused invitation changes nothing', async () => {
  const { a, b, c, of, close } = await talk()
  for (const each of [c, b]) {
    await done(each.gateway, 'voice.raise_hand', { raised: true })
    await a.gateway.next('voice.state_updated', ({ d }) => d.user.id === each.who.id && d.stage.raised_at !== null)
  }
  const raised = a.gateway.of('voice.state_updated').filter(({ d }) => d.stage?.raised_at)
  const order = raised.toSorted((x, y) => (x.d.stage.raised_at < y.d.stage.raised_at ? -1 : 1))
  expect(order.map(({ d }) => d.user.id)).toEqual([c.who.id, b.who.id])
  await done(b.gateway, 'voice.raise_hand', { raised: false })
  await a.gateway.next('voice.state_updated', ({ d }) => d.user.id === b.who.id && d.stage.raised_at === null)
  await done(a.gateway, 'voice.send_down', of(c))
  await c.gateway.next('voice.peer_updated', ({ d }) => d.stage?.raised_at === null)
  // Somebody whose hand was up a moment ago can be invited.
  await done(a.gateway, 'voice.let_up', of(c))
  await c.gateway.next('voice.peer_updated', ({ d }) => d.stage?.invited_at !== null)
  close()
})

test('an invitation is refused or accepted by the listener, and withdrawn by the moderator', async () => {
  const { a, b, c, of, close } = await talk()
  await done(a.gateway, 'voice.let_up', of(b))
  await b.gateway.next('voice.peer_updated', ({ d }) => d.stage?.invited_at !== null)
  await done(b.gateway, 'voice.step_down')
  await b.gateway.next('voice.peer_updated', ({ d }) => d.stage?.invited_at === null && !d.stage.speaks)
  expect(await refusedWith(b.gateway, 'voice.go_up', {})).toBe('forbidden')
  await done(a.gateway, 'voice.let_up', of(c))
  await done(a.gateway, 'voice.send_down', of(c))
  expect(await refusedWith(c.gateway, 'voice.go_up', {})).toBe('forbidden')
  close()
})

test('a listener who comes or goes costs the others no event but the number, which is merged', async () => {
  const { a, b, c, channel_id, close } = await talk()
  const { body: all } = await a.who.get(`/api/channels/${channel_id}/voice-states`)
  expect(all).toHaveLength(3)
  const { body: listeners } = await a.who.get(`/api/channels/${channel_id}/voice-states?part=listeners&limit=1`)
  expect(listeners.map(({ user }: { user: { id: number } }) => user.id)).toEqual([b.who.id])
  await a.gateway.next('stage.audience', ({ d }) => d.channel_id === channel_id && d.listeners === 2)
  const about = (id: number) => a.gateway.of('voice.state_updated').filter(({ d }) => d.user.id === id)
  expect([about(b.who.id), about(c.who.id)]).toEqual([[], []])
  // The listener's own sockets learn of it, and a new one finds itself and the speaker.
  await b.gateway.next('voice.state_updated', ({ d }) => d.user.id === b.who.id && d.channel_id === channel_id)
  const late = await connect(b.who)
  const { d: ready } = await late.next('ready')
  const inStage = ready.voice_states.filter((state: { channel_id: number }) => state.channel_id === channel_id)
  expect(inStage.map(({ user }: { user: { id: number } }) => user.id).toSorted()).toEqual(
    [a.who.id, b.who.id].toSorted(),
  )
  expect(ready.audiences).toContainEqual({ channel_id, listeners: 2 })
  await done(c.gateway, 'voice.leave')
  await a.gateway.next('stage.audience', ({ d }) => d.channel_id === channel_id && d.listeners === 1)
  expect(about(c.who.id)).toEqual([])
  // A listener who was named once is said to have left.
  await done(b.gateway, 'voice.raise_hand', { raised: true })
  await a.gateway.next('voice.state_updated', ({ d }) => d.user.id === b.who.id && d.stage.raised_at !== null)
  await done(b.gateway, 'voice.leave')
  await a.gateway.next('voice.state_updated', ({ d }) => d.user.id === b.who.id && d.channel_id === null)
  late.close()
  close()
})

test('listeners are limited by STAGE_LISTENERS_MAX, and speakers as the members of a call', async () => {
  const own = await bootCalls({ STAGE_LISTENERS_MAX: '2', VOICE_ROOM_PEERS_MAX: '2' })
  onTestFinished(() => stop(own))
  const [ann, ben, cas, dan] = await Promise.all(['ann', 'ben', 'cas', 'dan'].map((name) => person(own, name)))
  const { server_id, channel_id } = await stageServer(ann!, ben!, cas!, dan!)
  const a = await inVoice(ann!, channel_id)
  const b = await inVoice(ben!, channel_id)
  const full = await connect(cas!)
  expect(await refusedWith(full, 'voice.join', { channel_id, ...MIC })).toBe('voice_room_full')
  await done(a.gateway, 'voice.go_up')
  const c = await inVoice(cas!, channel_id)
  await done(b.gateway, 'voice.raise_hand', { raised: true })
  await done(a.gateway, 'voice.let_up', { server_id, user_id: ben!.id })
  await done(c.gateway, 'voice.raise_hand', { raised: true })
  const up = { server_id, user_id: cas!.id }
  expect(await refusedWith(a.gateway, 'voice.let_up', up)).toBe('voice_room_full')
  // Another device of a speaker takes over the speaker's seat.
  const other = await inVoice(ben!, channel_id)
  expect(other.seat.stage?.speaks).toBe(true)
  await letModerate(ann!, server_id, dan!)
  for (const { gateway } of [a, b, c, other]) gateway.close()
  full.close()
})

test('without speak nobody raises a hand or is heard, and a stage needs the SFU', async () => {
  const { a, b, c, of, server_id, channel_id, close } = await talk()
  await done(c.gateway, 'voice.raise_hand', { raised: true })
  await done(a.gateway, 'voice.let_up', of(c))
  const producer_id = await sends(c.gateway, 'microphone')
  await b.gateway.next('voice.sfu.producer_new', ({ d }) => d.producer_id === producer_id)
  const [everyone] = (await a.who.get(`/api/servers/${server_id}/roles`)).body
  const path = `/api/channels/${channel_id}/permissions/${everyone.id}`
  expect((await a.who.put(path, { deny: permissions('speak') })).status).toBe(200)
  await b.gateway.next('voice.sfu.producer_paused', ({ d }) => d.producer_id === producer_id)
  expect(await refusedWith(b.gateway, 'voice.raise_hand', { raised: true })).toBe('missing_permission')
  expect(await refusedWith(a.gateway, 'voice.let_up', of(b))).toBe('missing_permission')
  close()
  const meshOnly = await boot({ MEDIA_WORKER: 'off' })
  onTestFinished(() => stop(meshOnly))
  const ann = await person(meshOnly, 'ann')
  const stage = await stageServer(ann)
  const live = await connect(ann)
  expect(await refusedWith(live, 'voice.join', { channel_id: stage.channel_id, ...MIC })).toBe('media_unavailable')
  live.close()
})

test('members of a stage exchange no addresses, and commands of stages are refused elsewhere', async () => {
  const { a, b, server_id, close } = await talk()
  const signal = { to: a.id, epoch: b.seat.epoch, candidate: null }
  expect(await refusedWith(b.gateway, 'voice.candidate', signal)).toBe('forbidden')
  const offer = { type: 'offer', sdp: 'v=0' }
  expect(
    await refusedWith(b.gateway, 'voice.description', { ...signal, candidate: undefined, description: offer }),
  ).toBe('forbidden')
  const roomId = await voiceChannel(a.who, server_id, 'dusk')
  await done(b.gateway, 'voice.join', { channel_id: roomId, ...MIC })
  for (const op of ['voice.go_up', 'voice.step_down'] as const)
    expect(await refusedWith(b.gateway, op, {})).toBe('not_found')
  expect(await refusedWith(b.gateway, 'voice.raise_hand', { raised: true })).toBe('not_found')
  close()
})

test('a speaker who changes all the time is slowed down, because each change goes to all listeners', async () => {
  const { a, close } = await talk()
  const codes: (string | undefined)[] = []
  for (let at = 0; at < 600 && !codes.includes('rate_limited'); at++)
    codes.push(await refusedWith(a.gateway, 'voice.update', { self_mute: at % 2 === 0 }))
  expect(codes.at(-1)).toBe('rate_limited')
  expect(codes.filter((code) => code === undefined).length).toBeGreaterThanOrEqual(29)
  close()
})

test('a speaker who joins again and again is slowed down too, and stays in the stage', async () => {
  const { a, channel_id, close } = await talk()
  const details: (string | undefined)[] = []
  for (let at = 0; at < 200 && !details.at(-1); at++)
    details.push((await a.gateway.command('voice.join', { channel_id, ...MIC })).error?.detail)
  expect(details.at(-1)).toBe('Too many changes for a stage')
  expect(details.length).toBeGreaterThan(25)
  // Joining is no way to a fresh budget.
  await done(a.gateway, 'voice.sfu.capabilities')
  close()
})

test('a listener whose hand is up is slowed down as a speaker is, because everybody sees its changes', async () => {
  const { b, close } = await talk()
  const change = async (at: number) => (await b.gateway.command('voice.update', { self_mute: at % 2 === 0 })).error
  // Nobody sees a listener, so nobody counts what it changes.
  for (let at = 0; at < 40; at++) expect(await change(at)).toBeUndefined()
  await done(b.gateway, 'voice.raise_hand', { raised: true })
  let refused
  for (let at = 0; at < 200 && !refused; at++) refused = await change(at)
  expect(refused?.code).toBe('rate_limited')
  close()
})

test('a budget for changes belongs to an account in a room, refills, and is not renewed by another seat', () => {
  const room = { is_stage: true } as Room
  const seat = (id: number, listens = false, invited_at: number | null = null) =>
    ({ room, user: { id }, listens, raised_at: null, invited_at }) as Seat
  const charge = (who: Seat, now: number) => () => chargeSpeaker(who, now)
  for (let at = 0; at < 30; at++) chargeSpeaker(seat(1), 0)
  expect(charge(seat(1), 0)).toThrow('Too many changes')
  expect(charge(seat(1, true, 1), 0)).toThrow('Too many changes')
  expect(charge(seat(1, true), 0)).not.toThrow()
  expect(charge(seat(2), 0)).not.toThrow()
  expect(charge(seat(1), 500)).not.toThrow()
  expect(charge(seat(1), 500)).toThrow('Too many changes')
})
