import type { types } from 'mediasoup'
import { found } from '../../core/errors.ts'
import { INCOMING_BITS_MAX, OUTGOING_BITS_FIRST } from './codecs.ts'
import { MediaUnavailable } from './process.ts'
import type { RouterContext } from './router-context.ts'

/** A new transport of a direction may live beside the old one until the media have moved. */
const TRANSPORTS_MAX = 2

export type Direction = 'send' | 'recv'

/** A transport as a client's `createSendTransport` or `createRecvTransport` takes it. */
export interface TransportOffer {
  transport_id: string
  ice_parameters: types.IceParameters
  ice_candidates: types.IceCandidate[]
  dtls_parameters: types.DtlsParameters
}

/** The transports of one member; its producers and consumers end with them. */
export class PeerTransports {
  readonly #transports = new Map<string, { transport: types.WebRtcTransport; direction: Direction }>()
  #closed = false

  constructor(private readonly context: RouterContext) {}

  /** Makes one; of the member's transports in this direction the newest two stay. */
  async create(direction: Direction): Promise<TransportOffer> {
    const { router, webRtcServer } = this.context
    const options = { webRtcServer, preferUdp: true, initialAvailableOutgoingBitrate: OUTGOING_BITS_FIRST }
    const transport = await this.context.validated(router.createWebRtcTransport(options))
    if (direction === 'send') await this.context.validated(transport.setMaxIncomingBitrate(INCOMING_BITS_MAX))
    if (this.#closed || router.closed) {
      transport.close()
      throw new MediaUnavailable('The member has left')
    }
    this.#transports.set(transport.id, { transport, direction })
    transport.observer.on('close', () => this.#transports.delete(transport.id))
    // The member has closed its end, or never will.
    transport.on('dtlsstatechange', (state) => void ((state === 'closed' || state === 'failed') && transport.close()))
    const same = [...this.#transports.values()].filter((other) => other.direction === direction)
    for (const { transport: oldest } of same.slice(0, -TRANSPORTS_MAX)) oldest.close()
    return {
      transport_id: transport.id,
      ice_parameters: transport.iceParameters,
      ice_candidates: transport.iceCandidates,
      dtls_parameters: transport.dtlsParameters,
    }
  }

  /** @throws Problem `not_found` when the member has no such transport, or not in this direction */
  find(id: string, direction?: Direction): types.WebRtcTransport {
    const owned = this.#transports.get(id)
    return found(direction === undefined || owned?.direction === direction ? owned?.transport : undefined)
  }

  /** The newest of a direction. @throws Problem `not_found` when the member has none */
  newest(direction: Direction): types.WebRtcTransport {
    return found([...this.#transports.values()].findLast((each) => each.direction === direction)).transport
  }

  /** Bytes of media that have arrived over the open transports; 0 when the worker is gone. */
  async receivedBytes(): Promise<number> {
    const open = [...this.#transports.values()]
    const stats = await Promise.all(open.map(({ transport }) => transport.getStats().catch(() => [])))
    return stats.flat().reduce((sum, { rtpBytesReceived }) => sum + rtpBytesReceived, 0)
  }

  close(): void {
    this.#closed = true
    for (const { transport } of this.#transports.values()) transport.close()
  }
}
