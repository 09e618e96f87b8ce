import type { types } from 'mediasoup'
import { found, Problem } from '../../core/errors.ts'
import type { RouterContext } from './router-context.ts'

/** One member's consumers: one per producer. */
export class PeerConsumers {
  readonly #byProducer = new Map<string, types.Consumer>()

  constructor(
    private readonly to: string,
    private readonly context: RouterContext,
  ) {}

  count(): number {
    return this.#byProducer.size
  }

  /** @throws Problem `not_found` */
  find(consumer_id: string): types.Consumer {
    return found([...this.#byProducer.values()].find((consumer) => consumer.id === consumer_id))
  }

  /** @throws Problem `not_found` if the producer is the member's own or not in the room */
  async consume(transport: types.Transport, producerId: string, rtpCapabilities: types.RtpCapabilities) {
    const { context } = this
    const { info } = found(context.producers.get(producerId))
    if (info.voice_session_id === this.to) throw new Problem('not_found')
    // By default mediasoup retransmits lost video but not lost audio.
    const options = { producerId: producerId, rtpCapabilities, paused: true, enableRtx: true }
    const consuming = transport.consume(options)
    const consumer = await context.validated(consuming)
    // A consumer emits no event for an end before its creation.
    if (transport.closed || !context.producers.has(producerId)) {
      consumer.close()
      throw new Problem('not_found')
    }
    const before = this.#byProducer.get(producerId)
    this.#byProducer.set(producerId, consumer)
    before?.close()
    this.#follow(consumer, producerId)
    return { consumer_id: consumer.id, ...info, rtp_parameters: consumer.rtpParameters }
  }

  #follow(consumer: types.Consumer, producerId: string): void {
    const { context, to } = this
    const { id: consumer_id } = consumer
    consumer.observer.on('close', () => {
      if (this.#byProducer.get(producerId) === consumer) this.#byProducer.delete(producerId)
    })
    consumer.on('producerclose', () => context.emit({ type: 'consumer_closed', to, consumer_id }))
    consumer.on('score', (score) => context.emit({ type: 'consumer_score', to, consumer_id, score }))
    consumer.on('layerschange', (layers) =>
      context.emit({ type: 'consumer_layers', to, consumer_id, layers: layers ?? null }),
    )
  }
}
