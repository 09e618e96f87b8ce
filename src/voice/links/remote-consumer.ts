import { EventEmitter } from 'node:events'
import type { types } from 'mediasoup'
import type { ReceivingConsumer } from '../sfu/receiving.ts'
import type { Answered } from './model.ts'

/** The requests of a consumer to its branch. */
interface ConsumerRequests {
  pauseConsumer(id: string, isPaused: boolean): Promise<void>
  setLayers(id: string, layers: types.ConsumerLayers): Promise<void>
  /** The consumer has closed here, and has to close there. */
  discard(id: string): void
}

interface ConsumerEvents {
  producerclose: []
  score: []
  layerschange: [layers?: types.ConsumerLayers]
  rtp: [packet: Buffer]
}

/** A consumer on a branch of another process. */
export class RemoteConsumer extends EventEmitter<ConsumerEvents> implements ReceivingConsumer {
  readonly observer = new EventEmitter<{ close: [] }>()
  readonly id: string
  readonly rtpParameters: types.RtpParameters
  score: types.ConsumerScore
  currentLayers: types.ConsumerLayers | undefined
  #isClosed = false

  constructor(
    { consumer, rtp_parameters, score }: Answered<'consume'>,
    readonly producerId: string,
    private readonly branch: ConsumerRequests,
  ) {
    super()
    this.id = consumer
    this.rtpParameters = rtp_parameters as unknown as types.RtpParameters
    this.score = score as unknown as types.ConsumerScore
  }

  get closed(): boolean {
    return this.#isClosed
  }

  pause(): Promise<void> {
    return this.branch.pauseConsumer(this.id, true)
  }

  resume(): Promise<void> {
    return this.branch.pauseConsumer(this.id, false)
  }

  setPreferredLayers(layers: types.ConsumerLayers): Promise<void> {
    return this.branch.setLayers(this.id, layers)
  }

  close(): void {
    if (this.end()) this.branch.discard(this.id)
  }

  /** Call when it has ended there. @returns false if it had ended already */
  end(): boolean {
    if (this.#isClosed) return false
    this.#isClosed = true
    this.observer.emit('close')
    return true
  }

  /** Call when its producer has ended. */
  endWithProducer(): void {
    if (this.end()) this.emit('producerclose')
  }

  setScore(score: types.ConsumerScore): void {
    this.score = score
    this.emit('score')
  }

  setLayers(layers: types.ConsumerLayers | undefined): void {
    this.currentLayers = layers
    this.emit('layerschange', layers)
  }
}
