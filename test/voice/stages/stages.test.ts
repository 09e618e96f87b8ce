import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Parley } from '../../../src/parley.ts'
import { bootCalls } from '../../support/browser/voice.ts'
import { person, stop } from '../../support/harness.ts'
import { WORKER_MS } from '../../support/media-worker.ts'
import { letModerate, stageServer } from '../../support/stages.ts'
import { inVoice, refusedWith } from '../../support/voice-people.ts'
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

test('who is let up sends at once, and who is sent down has its producers closed in the same step', async () => {
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
