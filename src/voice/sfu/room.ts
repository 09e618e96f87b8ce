import type { types } from 'mediasoup'
import { found, Problem } from '../../core/errors.ts'
import { mediaCodecs, type Source } from './codecs.ts'
import { openPeer, type Peer } from './peer.ts'
import { MediaUnavailable, type SfuProcess } from './process.ts'

/** How often the loudest is looked for, milliseconds. */
const SPEAKER_MS = 300

/** A producer as others are told of it. */
export interface Produced {
  producer_id: string
  voice_session_id: string
  kind: types.MediaKind
  source: Source
}

/** What happens in a room without being asked for. With `to` it concerns that member alone, else everyone else. */
export type RoomEvent =
  | { type: 'producer_new'; producer: Produced }
  | { type: 'producer_closed'; producer: Produced }
  | { type: 'producer_paused'; producer: Produced }
  | { type: 'producer_resumed'; producer: Produced }
  | { type: 'consumer_closed'; to: string; consumer_id: string }
  | { type: 'consumer_layers'; to: string; consumer_id: string; layers: types.ConsumerLayers | null }
  | { type: 'consumer_score'; to: string; consumer_id: string; score: types.ConsumerScore }
  | { type: 'active_speaker'; voice_session_id: string }
  /** The worker died and everything in the room with it: its members join a new room. */
  | { type: 'reset' }

/** What the members of a room share: its router, and what they send. */
export interface Stage {
  router: types.Router
  server: types.WebRtcServer
  producers: Map<string, { producer: types.Producer; produced: Produced }>
  speakers: types.ActiveSpeakerObserver
  tell: (event: RoomEvent) => void
  /**
   * Waits for what mediasoup makes of a client's parameters.
   * @throws Problem `validation_failed` when it refuses them, MediaUnavailable when the room has ended meanwhile
   */
  judged<T>(work: Promise<T>): Promise<T>
}

/** The SFU's side of one voice channel: a router on one worker, and the members in it. */
export interface Room {
  rtp_capabilities: types.RtpCapabilities
  /** What is sent in the room now. */
  producers(): Produced[]
  /** The member with this id, who comes into being when asked for. */
  peer(voice_session_id: string): Peer
  /** @throws Problem `not_found` when nobody has this id */
  member(voice_session_id: string): Peer
  /** How many streams it carries, in and out: what a worker's processor time goes by. */
  streams(): number
  closed(): boolean
  close(): void
}

/**
 * Opens a room on a worker.
 * @param tell hears of what happens in it, until it is closed
 * @param onClosed called once, when it is, however that comes
 */
export async function openRoom(
  process: SfuProcess,
  tell: (event: RoomEvent) => void,
  onClosed: () => void,
): Promise<Room> {
  const router = await process.openRouter({ mediaCodecs })
  const speakers = await router.createActiveSpeakerObserver({ interval: SPEAKER_MS })
  const peers = new Map<string, Peer>()
  const stage: Stage = {
    router,
    server: process.server,
    producers: new Map(),
    speakers,
    tell: (event) => void (router.closed || tell(event)),
    judged: (work) => work.catch((error: unknown) => refuse(router, error)),
  }
  speakers.on('dominantspeaker', ({ producer }) => {
    const speaker = stage.producers.get(producer.id)?.produced
    if (speaker) stage.tell({ type: 'active_speaker', voice_session_id: speaker.voice_session_id })
  })
  router.observer.on('close', () => {
    onClosed()
    if (process.died()) tell({ type: 'reset' })
  })

  function peer(voice_session_id: string): Peer {
    if (router.closed) throw new MediaUnavailable('The room has ended')
    const present = peers.get(voice_session_id)
    if (present) return present
    const made = openPeer(voice_session_id, stage, () => peers.delete(voice_session_id))
    peers.set(voice_session_id, made)
    return made
  }

  return {
    rtp_capabilities: router.rtpCapabilities,
    producers: () => [...stage.producers.values()].map(({ produced }) => produced),
    peer,
    member: (voice_session_id) => found(peers.get(voice_session_id)),
    streams: () => [...peers.values()].reduce((sum, each) => sum + each.streams(), 0),
    closed: () => router.closed,
    // Silent: whoever closes the room knows.
    close: () => router.close(),
  }
}

function refuse(router: types.Router, error: unknown): never {
  if (router.closed) throw new MediaUnavailable('The room has ended')
  const said = error instanceof Error ? error.message : String(error)
  throw new Problem('validation_failed', `These media parameters cannot be used: ${said.slice(0, 200)}`)
}
