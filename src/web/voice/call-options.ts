import type { VoiceGateway } from './voice-gateway.ts'
import type { Source } from './local-tracks.ts'
import type { OpenWorker } from './sealing/call-sealing.ts'
import type { DeviceStore } from './sealing/device-key.ts'

export interface CallOptions {
  gateway: VoiceGateway
  channel_id: number
  /** Without a microphone, the member only listens. */
  microphone?: MediaStreamTrack
  self_mute?: boolean
  self_deaf?: boolean
  /** Offers only relay candidates, so that nobody learns this member's addresses. */
  relay_only?: boolean
  /** Opens the worker that encrypts media, in a call that is encrypted end to end. Without it, calls are open. */
  openWorker?: OpenWorker
  /** This device's key, and those that the person has verified. Without it, calls are open. */
  devices?: DeviceStore
  /** True to join calls of dms and groups although this client cannot encrypt them; the others are asked. */
  accepts_open?: boolean
  /** Bits per second of the microphone's audio in a channel; undefined: as the browser thinks best. */
  bits?: (channelId: number) => number | undefined
  /** Receives only visible video from the SFU, as reported by `VoiceCall.look`; otherwise all video in full size. */
  receives_what_is_looked_at?: boolean
}

/** Callbacks of a call. */
export interface CallListener {
  /** The members, their states, the route or this member's state have changed. */
  changed?(): void
  /** A source of a member can be played. Its stream stays the same until `streamEnded`, over changes of the route. */
  stream?(peerId: string, source: Source, stream: MediaStream): void
  streamEnded?(peerId: string, source: Source): void
  /** The audio levels of the members, 0 to 1, by voice session; about 14 times a second. */
  levels?(levels: Map<string, number>): void
  /** The loudest member has changed; over the SFU only. */
  activeSpeaker?(peerId: string): void
  /** The call has ended, but not by `leave`. */
  ended?(reason: string): void
  /** An error from which the call tries to recover. */
  fault?(error: unknown): void
}
