import type { types } from 'mediasoup'
import type { Source } from './codecs.ts'
import type { ProducerInfo } from './model.ts'
import { PeerConsumers } from './peer-consumers.ts'
import { PeerProducers } from './peer-producers.ts'
import { type Direction, PeerTransports, type TransportOffer } from './peer-transports.ts'
import type { RouterContext } from './router-context.ts'

/** One member's media on the SFU. Ids owned by other members are `not_found`. */
export class Peer {
  readonly #transports: PeerTransports
  readonly #producers: PeerProducers
  readonly #consumers: PeerConsumers
  #closed = false

  /** @param onClosed called once, when the peer has closed */
  constructor(
    voice_session_id: string,
    private readonly context: RouterContext,
    private readonly onClosed: () => void,
  ) {
    this.#transports = new PeerTransports(context)
    this.#producers = new PeerProducers(voice_session_id, context)
    this.#consumers = new PeerConsumers(voice_session_id, context)
  }

  streams(): number {
    return this.#producers.count() + this.#consumers.count()
  }

  /** Bytes of media that the member has sent so far. */
  receivedBytes(): Promise<number> {
    return this.#transports.receivedBytes()
  }

  createTransport(direction: Direction): Promise<TransportOffer> {
    return this.#transports.create(direction)
  }

  async connect(transport_id: string, dtlsParameters: types.DtlsParameters): Promise<void> {
    await this.context.validated(this.#transports.find(transport_id).connect({ dtlsParameters }))
  }

  /** @returns the argument for the client's `restartIce` */
  async restartIce(transport_id: string): Promise<{ ice_parameters: types.IceParameters }> {
    return { ice_parameters: await this.context.validated(this.#transports.find(transport_id).restartIce()) }
  }

  /**
   * Receives a source from the member. The caller checks the permission.
   * @returns the description for the other members; the member's earlier producer of the same source is closed
   * @throws Problem `validation_failed` if kind or layers do not fit the source, or mediasoup refuses the rest
   */
  async produce(
    transport_id: string,
    kind: types.MediaKind,
    rtpParameters: types.RtpParameters,
    source: Source,
  ): Promise<ProducerInfo> {
    return this.#producers.produce(this.#transports.find(transport_id, 'send'), kind, rtpParameters, source)
  }

  async closeProducer(producer_id: string): Promise<void> {
    this.#producers.find(producer_id).producer.close()
  }

  async pauseProducer(producer_id: string, paused: boolean): Promise<void> {
    await this.#producers.pause(producer_id, paused)
  }

  /** Blocks exactly these sources until the next call, whatever the member does. */
  hold(sources: Source[]): Promise<void> {
    return this.#producers.hold(sources)
  }

  /** Sends another member's producer to this member: paused, until the member resumes it. */
  async consume(producer_id: string, rtpCapabilities: types.RtpCapabilities) {
    return this.#consumers.consume(this.#transports.newest('recv'), producer_id, rtpCapabilities)
  }

  async pauseConsumer(consumer_id: string, paused: boolean): Promise<void> {
    const consumer = this.#consumers.find(consumer_id)
    await this.context.validated(paused ? consumer.pause() : consumer.resume())
  }

  async setPreferredLayers(consumer_id: string, layers: types.ConsumerLayers): Promise<void> {
    await this.context.validated(this.#consumers.find(consumer_id).setPreferredLayers(layers))
  }

  /** Ends everything that the member sends and receives. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#transports.close()
    this.onClosed()
  }
}
