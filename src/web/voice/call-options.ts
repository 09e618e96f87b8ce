import type { VoiceGateway } from './voice-gateway.ts'
import type { Source } from './local-tracks.ts'

export interface CallOptions {
  gateway: VoiceGateway
  channel_id: number
  /** Without one, the member listens only. */
  microphone?: MediaStreamTrack
  self_mute?: boolean
  self_deaf?: boolean
  /** Show the own addresses to nobody. */
  relay_only?: boolean
}

/** What a call tells whoever shows it. */
export interface CallListener {
  /** Members, their states, the route or the own state have changed. */
  changed?(): void
  /** A source of a member can be played; its stream stays the same until it ends, however the media come. */
  stream?(peer_id: string, source: Source, stream: MediaStream): void
  streamEnded?(peer_id: string, source: Source): void
  /** How loud the members are, 0 to 1, ten times a second. */
  levels?(levels: Map<string, number>): void
  /** Who speaks the loudest; the SFU alone tells. */
  activeSpeaker?(peer_id: string): void
  /** The call has ended, and not by `leave`. */
  ended?(reason: string): void
  /** Something went wrong that the call tries to mend. */
  fault?(error: unknown): void
}
