import type { types } from 'mediasoup'
import type { Source } from './codecs.ts'
import { DirectAudio } from './direct-audio.ts'
import type { ProducerInfo } from './model.ts'
import { PeerConsumers } from './peer-consumers.ts'
import { PeerProducers } from './peer-producers.ts'
import { type Direction, PeerTransports, type TransportOffer } from './peer-transports.ts'
import { RemoteAudio } from './remote-audio.ts'
import type { RouterContext } from './router-context.ts'

/** One member's media on the SFU. Ids owned by other members are `not_found`. */
export class Peer {
  readonly #transports: PeerTransports
  readonly #producers: PeerProducers
  readonly #consumers: PeerConsumers
  #direct: { close(): void } | undefined
  #isClosed = false

  /** @param onClosed called once, when the peer has closed */
  constructor(
    voiceSessionId: string,
    private readonly context: RouterContext,
    private readonly onClosed: () => void,
  ) {
    this.#transports = new PeerTransports(voiceSessionId, context)
    this.#producers = new PeerProducers(voiceSessionId, context)
    this.#consumers = new PeerConsumers(voiceSessionId, context)
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

  /** Opens the audio of a member that does not use WebRTC. It replaces an earlier one. */
  async openDirect(): Promise<DirectAudio> {
    const direct = await DirectAudio.open(this.context, this.#producers, this.#consumers)
    this.#direct?.close()
    this.#direct = direct
    if (this.#isClosed) direct.close()
    return direct
  }

  /** Opens the audio of a member whose media another process carries: they cross a link. */
  async openRemote(node: string): Promise<RemoteAudio> {
    const branch = this.context.branches.place(this.#transports, node)
    try {
      const remote = await RemoteAudio.open(branch, this.context, this.#producers, this.#consumers)
      this.#direct?.close()
      this.#direct = remote
      if (this.#isClosed) remote.close()
      return remote
    } finally {
      if (this.#isClosed) this.context.branches.release(this.#transports)
    }
  }

  async connect(transportId: string, dtlsParameters: types.DtlsParameters): Promise<void> {
    await this.context.validated(this.#transports.find(transportId).connect({ dtlsParameters }))
  }

  /** @returns the argument for the client's `restartIce` */
  async restartIce(transportId: string): Promise<{ ice_parameters: types.IceParameters }> {
    return { ice_parameters: await this.context.validated(this.#transports.find(transportId).restartIce()) }
  }

  /**
   * Receives a source from the member. The caller checks the permission.
   * @returns the description for the other members; the member's earlier producer of the same source is closed
   * @throws Problem `validation_failed` if kind or layers do not fit the source, or mediasoup refuses the rest
   */
  async produce(
    transportId: string,
    kind: types.MediaKind,
    rtpParameters: types.RtpParameters,
    source: Source,
  ): Promise<ProducerInfo> {
    return this.#producers.produce(this.#transports.findSending(transportId), kind, rtpParameters, source)
  }

  async closeProducer(producerId: string): Promise<void> {
    this.#producers.find(producerId).producer.close()
  }

  async pauseProducer(producerId: string, isPaused: boolean): Promise<void> {
    await this.#producers.pause(producerId, isPaused)
  }

  /** Makes the member a listener, who sends nothing, or a speaker. In force when this returns. */
  listen(isListening: boolean): void {
    this.#producers.listen(isListening)
  }

  /** Blocks exactly these sources until the next call, whatever the member does. */
  hold(sources: Source[]): Promise<void> {
    return this.#producers.hold(sources)
  }

  /** Sends another member's producer to this member: paused, until the member resumes it. */
  async consume(producerId: string, rtpCapabilities: types.RtpCapabilities) {
    const { transport, branch } = this.#transports.newestReceiving()
    return this.#consumers.consume(transport, producerId, rtpCapabilities, branch)
  }

  async pauseConsumer(consumerId: string, isPaused: boolean): Promise<void> {
    await this.#consumers.pause(consumerId, isPaused)
  }

  async setPreferredLayers(consumerId: string, layers: types.ConsumerLayers): Promise<void> {
    await this.context.validated(this.#consumers.find(consumerId).setPreferredLayers(layers))
  }

  /** Ends everything that the member sends and receives. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#transports.close()
    this.#direct?.close()
    this.onClosed()
  }
}
