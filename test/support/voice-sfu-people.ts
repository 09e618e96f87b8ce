import { expect } from 'bun:test'
import type { Parley } from '../../src/parley.ts'
import { person } from './harness.ts'
import type { Gateway } from './socket.ts'
import { inVoice, voiceServer } from './voice-people.ts'

// SFU commands without a browser: no media flow.
const OPUS = { mimeType: 'audio/opus', clockRate: 48_000, channels: 2 }
const VP8 = { mimeType: 'video/VP8', clockRate: 90_000 }
let ssrc = 1
export const microphone = () => ({ codecs: [{ ...OPUS, payloadType: 100 }], encodings: [{ ssrc: ssrc++ }] })
export const picture = () => ({ codecs: [{ ...VP8, payloadType: 101 }], encodings: [{ ssrc: ssrc++ }] })
export const CAPABILITIES = {
  codecs: [
    { ...OPUS, kind: 'audio', preferredPayloadType: 100 },
    { ...VP8, kind: 'video', preferredPayloadType: 101 },
  ],
  headerExtensions: [],
}

/** Runs a command, and expects it to succeed. */
export async function done(live: Gateway, op: Parameters<Gateway['command']>[0], d: object = {}): Promise<any> {
  const answer = await live.command(op, d)
  expect([op, answer.error]).toEqual([op, undefined])
  return answer.d
}

export async function sends(live: Gateway, source: string): Promise<string> {
  const { transport_id } = await done(live, 'voice.sfu.create_transport', { direction: 'send' })
  const isSound = source === 'microphone' || source === 'screen_audio'
  const what = { kind: isSound ? 'audio' : 'video', rtp_parameters: isSound ? microphone() : picture(), source }
  return (await done(live, 'voice.sfu.produce', { transport_id, ...what })).producer_id
}

export async function receives(live: Gateway, producer_id: string): Promise<string> {
  await done(live, 'voice.sfu.create_transport', { direction: 'recv' })
  const consumer = await done(live, 'voice.sfu.consume', { producer_id, rtp_capabilities: CAPABILITIES })
  expect(consumer.producer_id).toBe(producer_id)
  return consumer.consumer_id
}

/** Two people in a call over the SFU, since alice is relay_only. */
export async function call(parley: Parley) {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const place = await voiceServer(alice, bob)
  const a = await inVoice(alice, place.channel_id, { relay_only: true })
  const b = await inVoice(bob, place.channel_id)
  return { alice, bob, a, b, ...place }
}
