import type { types } from 'mediasoup'
import { MediaUnavailable } from './process.ts'
import type { PeerConsumers } from './peer-consumers.ts'
import type { PeerProducers } from './peer-producers.ts'
import type { RouterContext } from './router-context.ts'

/** RTP's payload type of Opus in packets that go into the room. */
export const DIRECT_PAYLOAD_TYPE = 120

/** The audio of a member whose RTP packets this process carries, whether or not it has the room. */
export interface MemberAudio {
  readonly isClosed: boolean
  /**
   * Begins to send as the member's microphone. The SFU passes nothing on while it holds the microphone.
   * @param ssrc of the packets
   */
  produce(ssrc: number): Promise<void>
  /** Sends an RTP packet of the member. */
  send(packet: Buffer): void
  /**
   * Receives what another member sends.
   * @param onPacket gets each RTP packet
   * @returns a function that ends it
   * @throws Problem `not_found` if the producer is gone or the member's own
   */
  receive(producerId: string, onPacket: (packet: Buffer) => void): Promise<() => void>
  close(): void
}

/**
 * The audio of a member whose media do not come by WebRTC, but by another protocol that this process speaks: RTP
 * packets go in and out by calls. It ends with the member's peer.
 */
export class DirectAudio implements MemberAudio {
  #producer: types.Producer | undefined

  private constructor(
    private readonly transport: types.DirectTransport,
    private readonly context: RouterContext,
    private readonly producers: PeerProducers,
    private readonly consumers: PeerConsumers,
  ) {}

  /** @throws MediaUnavailable if the room ends meanwhile */
  static async open(context: RouterContext, producers: PeerProducers, consumers: PeerConsumers): Promise<DirectAudio> {
    const transport = await context.validated(context.router.createDirectTransport())
    if (context.router.closed) throw new MediaUnavailable('The room has ended')
    return new DirectAudio(transport, context, producers, consumers)
  }

  get isClosed(): boolean {
    return this.transport.closed
  }

  async produce(ssrc: number): Promise<void> {
    const codec = { mimeType: 'audio/opus', payloadType: DIRECT_PAYLOAD_TYPE, clockRate: 48_000, channels: 2 }
    const parameters = { codecs: [codec], encodings: [{ ssrc }] }
    const { producer_id } = await this.producers.produce(this.transport, 'audio', parameters, 'microphone')
    this.#producer = this.context.producers.get(producer_id)?.producer
  }

  send(packet: Buffer): void {
    if (this.#producer && !this.#producer.closed) this.#producer.send(packet)
  }

  async receive(producerId: string, onPacket: (packet: Buffer) => void): Promise<() => void> {
    const { rtpCapabilities } = this.context.router
    const { consumer_id } = await this.consumers.consume(this.transport, producerId, rtpCapabilities)
    const consumer = this.consumers.find(consumer_id)
    consumer.on('rtp', onPacket)
    await this.context.validated(consumer.resume())
    return () => consumer.close()
  }

  close(): void {
    this.transport.close()
  }
}
