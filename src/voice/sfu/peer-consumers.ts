import type { types } from 'mediasoup'
import { found, Problem } from '../../core/errors.ts'
import type { ConsumingTransport, ProducerCrossing, ReceivingBranch, ReceivingConsumer } from './receiving.ts'
import type { RouterContext } from './router-context.ts'

interface PeerConsumer {
  consumer: ReceivingConsumer
  /** The producer's way to the branch from which the member receives; undefined on the main router. */
  crossing: ProducerCrossing | undefined
}

/** One member's consumers: one per producer. */
export class PeerConsumers {
  readonly #byProducer = new Map<string, PeerConsumer>()

  constructor(
    private readonly to: string,
    private readonly context: RouterContext,
  ) {}

  count(): number {
    return this.#byProducer.size
  }

  /** @throws Problem `not_found` */
  find(consumer_id: string): ReceivingConsumer {
    return this.#find(consumer_id).consumer
  }

  #find(consumer_id: string): PeerConsumer {
    return found([...this.#byProducer.values()].find(({ consumer }) => consumer.id === consumer_id))
  }

  /**
   * Begins to consume, paused.
   * @param branch where the transport ends; undefined: at the main router
   * @throws Problem `not_found` if the producer is the member's own or not in the room
   */
  async consume(
    transport: ConsumingTransport,
    producerId: string,
    rtpCapabilities: types.RtpCapabilities,
    branch?: ReceivingBranch,
  ) {
    const { context } = this
    const { info, producer } = found(context.producers.get(producerId))
    if (info.voice_session_id === this.to) throw new Problem('not_found')
    const crossing = await branch?.bring(producer)
    // By default mediasoup retransmits lost video but not lost audio.
    const options = { producerId: producerId, rtpCapabilities, paused: true, enableRtx: true }
    const consuming = transport.consume(options)
    const consumer = await context.validated(consuming, () => transport.closed && branch?.isEnded === true)
    // A consumer emits no event for an end before its creation.
    if (transport.closed || !context.producers.has(producerId)) {
      consumer.close()
      throw new Problem('not_found')
    }
    const before = this.#byProducer.get(producerId)
    const entry = { consumer, crossing }
    this.#byProducer.set(producerId, entry)
    before?.consumer.close()
    this.#follow(entry, producerId)
    return { consumer_id: consumer.id, ...info, rtp_parameters: consumer.rtpParameters }
  }

  /** @throws Problem `not_found` */
  async pause(consumerId: string, isPaused: boolean): Promise<void> {
    const { consumer, crossing } = this.#find(consumerId)
    await this.context.validated(isPaused ? consumer.pause() : consumer.resume())
    await crossing?.listen(consumer, !isPaused)
  }

  #follow(entry: PeerConsumer, producerId: string): void {
    const { context, to } = this
    const { consumer, crossing } = entry
    const { id: consumer_id } = consumer
    const emitScore = () =>
      context.emit({ type: 'consumer_score', to, consumer_id, score: crossing?.score(consumer) ?? consumer.score })
    consumer.observer.on('close', () => {
      if (this.#byProducer.get(producerId) === entry) this.#byProducer.delete(producerId)
    })
    consumer.on('producerclose', () => context.emit({ type: 'consumer_closed', to, consumer_id }))
    consumer.on('score', emitScore)
    consumer.on('layerschange', (layers) =>
      context.emit({ type: 'consumer_layers', to, consumer_id, layers: layers ?? null }),
    )
    void crossing?.follow(consumer, emitScore)
  }
}
