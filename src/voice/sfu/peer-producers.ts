import type { types } from 'mediasoup'
import { found, Problem } from '../../core/errors.ts'
import { isOfKind, SOURCES, type Source, spatialLayers } from './codecs.ts'
import type { ProducerInfo } from './model.ts'
import { MediaUnavailable } from './process.ts'
import type { RouterContext } from './router-context.ts'

interface PeerProducer {
  producer: types.Producer
  info: ProducerInfo
  /** True if the member paused it; the server may block it as well. */
  paused: boolean
  /** The last change of its state; the next one waits for it. */
  changing: Promise<void>
}

/** Why a listener of a stage sends nothing. */
export const LISTENS = 'You listen in this stage; raise your hand to speak'

/** One member's producers: one per source. */
export class PeerProducers {
  readonly #bySource = new Map<Source, PeerProducer>()
  #heldSources: ReadonlySet<Source> = new Set()
  /** True for a listener of a stage, who has no producers. */
  #isListening = false

  constructor(
    private readonly voice_session_id: string,
    private readonly context: RouterContext,
  ) {}

  count(): number {
    return this.#bySource.size
  }

  /** @throws Problem `not_found` */
  find(producer_id: string): PeerProducer {
    return found([...this.#bySource.values()].find(({ producer }) => producer.id === producer_id))
  }

  /** See `Peer.produce`. */
  async produce(
    transport: types.Transport,
    kind: types.MediaKind,
    rtpParameters: types.RtpParameters,
    source: Source,
  ): Promise<ProducerInfo> {
    const { context, voice_session_id } = this
    this.#demandSpeaker()
    const limit = SOURCES[source]
    if (kind !== limit.kind || !isOfKind(kind, rtpParameters))
      throw new Problem('validation_failed', `A ${source} is ${limit.kind}`)
    if (spatialLayers(rtpParameters) > limit.spatialLayersMax)
      throw new Problem('validation_failed', `A ${source} has at most ${limit.spatialLayersMax} layers`)
    const paused = this.#heldSources.has(source)
    const producer = await context.validated(transport.produce({ kind, rtpParameters, paused }))
    if (transport.closed || this.#isListening) {
      producer.close()
      // The member may have become a listener meanwhile.
      this.#demandSpeaker()
      throw new MediaUnavailable('The member has left')
    }
    const info: ProducerInfo = { producer_id: producer.id, voice_session_id, kind, source }
    const item: PeerProducer = { producer, info, paused: false, changing: Promise.resolve() }
    const before = this.#bySource.get(source)
    this.#bySource.set(source, item)
    context.producers.set(producer.id, { producer, info })
    producer.observer.on('close', () => this.#forget(item))
    before?.producer.close()
    context.emit({ type: 'producer_new', producer: info })
    if (producer.paused) context.emit({ type: 'producer_paused', producer: info })
    if (source === 'microphone') await context.validated(context.speakers.addProducer({ producerId: producer.id }))
    await this.#apply(item)
    return info
  }

  async pause(producer_id: string, paused: boolean): Promise<void> {
    const item = this.find(producer_id)
    item.paused = paused
    await this.#apply(item)
  }

  /** Closes all producers, and refuses others until the next call. */
  listen(isListening: boolean): void {
    this.#isListening = isListening
    if (isListening) for (const { producer } of this.#bySource.values()) producer.close()
  }

  /** @throws Problem `forbidden` */
  #demandSpeaker(): void {
    if (this.#isListening) throw new Problem('forbidden', LISTENS)
  }

  async hold(sources: Source[]): Promise<void> {
    this.#heldSources = new Set(sources)
    await Promise.all([...this.#bySource.values()].map((item) => this.#apply(item)))
  }

  /** Pauses a producer that its member paused or the server blocks; resumes all others. */
  #apply(item: PeerProducer): Promise<void> {
    const { producer, info } = item
    const change = async () => {
      const paused = item.paused || this.#heldSources.has(info.source)
      if (producer.closed || paused === producer.paused) return
      await this.context.validated(paused ? producer.pause() : producer.resume())
      if (!producer.closed) this.context.emit({ type: paused ? 'producer_paused' : 'producer_resumed', producer: info })
    }
    const changing = item.changing.then(change)
    item.changing = changing.catch(() => undefined)
    return changing
  }

  #forget(item: PeerProducer): void {
    const { producer_id, source } = item.info
    this.context.producers.delete(producer_id)
    if (this.#bySource.get(source) === item) this.#bySource.delete(source)
    this.context.emit({ type: 'producer_closed', producer: item.info })
  }
}
