import type { types } from 'mediasoup'
import { MediaUnavailable } from './process.ts'
import type { PeerConsumers } from './peer-consumers.ts'
import type { PeerProducers } from './peer-producers.ts'
import type { LinkedBranch, LinkedTransport } from './receiving.ts'
import type { RouterContext } from './router-context.ts'

/**
 * The audio of a member whose media another process carries by another protocol than WebRTC, such as that of bots made
 * for Discord. What the member says comes over the link from that process; the member hears others from the branch
 * there. It ends with the member's peer. `HostedAudio` is the side of that process.
 */
export class RemoteAudio {
  #producer: types.Producer | undefined
  #isClosed = false

  private constructor(
    readonly branch: LinkedBranch,
    private readonly transport: LinkedTransport,
    private readonly context: RouterContext,
    private readonly producers: PeerProducers,
    private readonly consumers: PeerConsumers,
  ) {}

  /** @throws MediaUnavailable if the link does not open, or the room ends meanwhile */
  static async open(
    branch: LinkedBranch,
    context: RouterContext,
    producers: PeerProducers,
    consumers: PeerConsumers,
  ): Promise<RemoteAudio> {
    const transport = await branch.openDirect().catch((error: unknown) => {
      throw new MediaUnavailable(`No link: ${error instanceof Error ? error.message : error}`)
    })
    if (context.router.closed || branch.isEnded) throw new MediaUnavailable('The room has ended')
    return new RemoteAudio(branch, transport, context, producers, consumers)
  }

  /** The id of the transport on the other process. */
  get id(): string {
    return this.transport.id
  }

  /** Calls back when it has ended; at once if it has ended already. */
  onClose(listener: () => void): void {
    if (this.transport.closed) listener()
    else this.transport.observer.on('close', listener)
  }

  /**
   * Takes what the other process sends as the member's microphone.
   * @param parameters those of its end of the link
   * @param sentBy what sends there; it ends when this producer ends
   */
  async produce(parameters: types.RtpParameters, sentBy: string): Promise<void> {
    const pipe = await this.branch.pipe
    if (this.#isClosed) throw new MediaUnavailable('The member has left')
    const { producer_id } = await this.producers.produce(pipe, 'audio', parameters, 'microphone')
    const producer = this.context.producers.get(producer_id)?.producer
    this.#producer = producer
    if (!producer || producer.closed || this.#isClosed) {
      producer?.close()
      return this.branch.discard(sentBy)
    }
    producer.observer.once('close', () => this.branch.discard(sentBy))
  }

  /** Lets the member hear a producer. @returns the consumer's id @throws Problem `not_found` */
  async receive(producerId: string): Promise<string> {
    const { rtpCapabilities } = this.context.router
    const { consumer_id } = await this.consumers.consume(this.transport, producerId, rtpCapabilities, this.branch)
    await this.consumers.pause(consumer_id, false)
    return consumer_id
  }

  /** @throws Problem `not_found` */
  stop(consumerId: string): void {
    this.consumers.find(consumerId).close()
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#producer?.close()
    this.transport.close()
  }
}
