import type { types } from 'mediasoup'
import { Problem } from '../../core/errors.ts'
import { Branches, type Workers } from './branches.ts'
import { mediaCodecs } from './codecs.ts'
import type { ProducerInfo } from './model.ts'
import { Busy, MediaUnavailable, type SfuWorker } from './process.ts'

/** Interval at which mediasoup determines the loudest producer, ms. */
const SPEAKER_MS = 300

/** A spontaneous event of a room. With `to` it concerns only that member, otherwise all others. */
export type RoomEvent =
  | { type: 'producer_new'; producer: ProducerInfo }
  | { type: 'producer_closed'; producer: ProducerInfo }
  | { type: 'producer_paused'; producer: ProducerInfo }
  | { type: 'producer_resumed'; producer: ProducerInfo }
  | { type: 'consumer_closed'; to: string; consumer_id: string }
  | { type: 'consumer_layers'; to: string; consumer_id: string; layers: types.ConsumerLayers | null }
  | { type: 'consumer_score'; to: string; consumer_id: string; score: types.ConsumerScore }
  | { type: 'active_speaker'; voice_session_id: string }
  /** The worker from which this member receives died, but not the room's main one: the member receives anew. */
  | { type: 'receiving_reset'; to: string }
  /** The worker died with everything in the room; its members join a new room. */
  | { type: 'reset' }

/** State shared by the peers of one room: the main router, to which all send, its producers, and the branches. */
export class RouterContext {
  readonly branches: Branches
  readonly webRtcServer: types.WebRtcServer
  /** By the producer's id. */
  readonly producers = new Map<string, { producer: types.Producer; info: ProducerInfo }>()

  private constructor(
    readonly router: types.Router,
    worker: SfuWorker,
    workers: Workers,
    readonly speakers: types.ActiveSpeakerObserver,
    private readonly listener: (event: RoomEvent) => void,
  ) {
    this.webRtcServer = worker.server
    this.branches = new Branches(worker, router, workers, ({ voiceSessionId: to }) =>
      this.emit({ type: 'receiving_reset', to }),
    )
    router.observer.on('close', () => this.branches.close())
    speakers.on('dominantspeaker', ({ producer }) => {
      const speaker = this.producers.get(producer.id)?.info
      if (speaker) this.emit({ type: 'active_speaker', voice_session_id: speaker.voice_session_id })
    })
  }

  static async open(worker: SfuWorker, workers: Workers, listener: (event: RoomEvent) => void): Promise<RouterContext> {
    const router = await worker.openRouter({ mediaCodecs })
    const speakers = await router.createActiveSpeakerObserver({ interval: SPEAKER_MS })
    return new RouterContext(router, worker, workers, speakers, listener)
  }

  /** Emits nothing once the router is closed. */
  emit(event: RoomEvent): void {
    if (!this.router.closed) this.listener(event)
  }

  /**
   * Waits for mediasoup to process a client's parameters.
   * @param hasEnded true if something else than the main router, on which this depends, has ended
   * @throws Problem `validation_failed` if mediasoup refuses them
   * @throws MediaUnavailable if the room has ended meanwhile
   */
  async validated<T>(work: Promise<T>, hasEnded = () => false): Promise<T> {
    try {
      return await work
    } catch (error) {
      if (this.router.closed || hasEnded()) throw new MediaUnavailable('The room has ended')
      if (error instanceof Busy || error instanceof MediaUnavailable) throw new MediaUnavailable(error.message)
      const reason = error instanceof Error ? error.message : String(error)
      throw new Problem('validation_failed', `These media parameters cannot be used: ${reason.slice(0, 200)}`)
    }
  }
}
