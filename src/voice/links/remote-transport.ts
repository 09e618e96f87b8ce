import { EventEmitter } from 'node:events'
import type { types } from 'mediasoup'
import type { Consuming, ReceivingTransport } from '../sfu/receiving.ts'
import type { Answered } from './model.ts'
import type { RemoteConsumer } from './remote-consumer.ts'

/** The requests of a transport to its branch. */
interface TransportRequests {
  connect(id: string, dtlsParameters: types.DtlsParameters): Promise<void>
  restartIce(id: string): Promise<types.IceParameters>
  consume(transport: RemoteTransport, options: Consuming): Promise<RemoteConsumer>
  /** The transport has closed here, and has to close there. */
  discard(id: string): void
}

/** A client's transport on a branch of another process. A direct one there has no ICE and no DTLS. */
export class RemoteTransport
  extends EventEmitter<{ dtlsstatechange: [types.DtlsState] }>
  implements ReceivingTransport
{
  readonly observer = new EventEmitter<{ close: [] }>()
  readonly consumers = new Set<RemoteConsumer>()
  readonly iceParameters: types.IceParameters
  readonly iceCandidates: types.IceCandidate[]
  readonly dtlsParameters: types.DtlsParameters
  #isClosed = false

  constructor(
    readonly id: string,
    offer: Partial<Answered<'create_transport'>>,
    private readonly branch: TransportRequests,
  ) {
    super()
    // mediasoup's own, as that process has sent them.
    this.iceParameters = offer.ice_parameters as unknown as types.IceParameters
    this.iceCandidates = offer.ice_candidates as unknown as types.IceCandidate[]
    this.dtlsParameters = offer.dtls_parameters as unknown as types.DtlsParameters
  }

  get closed(): boolean {
    return this.#isClosed
  }

  connect({ dtlsParameters }: { dtlsParameters: types.DtlsParameters }): Promise<void> {
    return this.branch.connect(this.id, dtlsParameters)
  }

  restartIce(): Promise<types.IceParameters> {
    return this.branch.restartIce(this.id)
  }

  async consume(options: Consuming): Promise<RemoteConsumer> {
    const consumer = await this.branch.consume(this, options)
    this.consumers.add(consumer)
    consumer.observer.once('close', () => this.consumers.delete(consumer))
    if (this.#isClosed) consumer.close()
    return consumer
  }

  /** Nothing that comes from the client counts as its media. */
  getStats(): Promise<{ rtpBytesReceived: number }[]> {
    return Promise.resolve([])
  }

  close(): void {
    if (this.end()) this.branch.discard(this.id)
  }

  /** Call when it has ended there. Its consumers end with it. @returns false if it had ended already */
  end(): boolean {
    if (this.#isClosed) return false
    this.#isClosed = true
    for (const consumer of this.consumers) consumer.end()
    this.observer.emit('close')
    return true
  }
}
