import type { types } from 'mediasoup'
import { found } from '../../core/errors.ts'
import { INCOMING_BITS_MAX, OUTGOING_BITS_FIRST } from './codecs.ts'
import { MediaUnavailable } from './process.ts'
import type { RouterContext } from './router-context.ts'

/** A direction may briefly have two transports, until the media have moved to the new one. */
const TRANSPORTS_MAX = 2

export type Direction = 'send' | 'recv'

/** The options for a client's `createSendTransport` or `createRecvTransport`. */
export interface TransportOffer {
  transport_id: string
  ice_parameters: types.IceParameters
  ice_candidates: types.IceCandidate[]
  dtls_parameters: types.DtlsParameters
}

/** One member's transports. Their producers and consumers end with them. */
export class PeerTransports {
  readonly #transports = new Map<string, { transport: types.WebRtcTransport; direction: Direction }>()
  #isClosed = false

  constructor(private readonly context: RouterContext) {}

  /** Creates a transport; per direction only the newest two stay. */
  async create(direction: Direction): Promise<TransportOffer> {
    const { router, webRtcServer } = this.context
    const options = { webRtcServer, preferUdp: true, initialAvailableOutgoingBitrate: OUTGOING_BITS_FIRST }
    const transport = await this.context.validated(router.createWebRtcTransport(options))
    if (direction === 'send') await this.context.validated(transport.setMaxIncomingBitrate(INCOMING_BITS_MAX))
    if (this.#isClosed || router.closed) {
      transport.close()
      throw new MediaUnavailable('The member has left')
    }
    this.#transports.set(transport.id, { transport, direction })
    transport.observer.on('close', () => this.#transports.delete(transport.id))
    // The member closed its end, or DTLS failed for good.
    transport.on('dtlsstatechange', (state) => void ((state === 'closed' || state === 'failed') && transport.close()))
    const sameDirection = [...this.#transports.values()].filter((other) => other.direction === direction)
    for (const { transport: oldest } of sameDirection.slice(0, -TRANSPORTS_MAX)) oldest.close()
    return {
      transport_id: transport.id,
      ice_parameters: transport.iceParameters,
      ice_candidates: transport.iceCandidates,
      dtls_parameters: transport.dtlsParameters,
    }
  }

  /** @throws Problem `not_found` if the member has no such transport in this direction */
  find(id: string, direction?: Direction): types.WebRtcTransport {
    const peerTransport = this.#transports.get(id)
    return found(
      direction === undefined || peerTransport?.direction === direction ? peerTransport?.transport : undefined,
    )
  }

  /** The newest transport of a direction. @throws Problem `not_found` if the member has none */
  newest(direction: Direction): types.WebRtcTransport {
    return found([...this.#transports.values()].findLast((each) => each.direction === direction)).transport
  }

  /** Bytes of media received over the open transports; 0 if the worker is gone. */
  async receivedBytes(): Promise<number> {
    const open = [...this.#transports.values()]
    const stats = await Promise.all(open.map(({ transport }) => transport.getStats().catch(() => [])))
    return stats.flat().reduce((sum, { rtpBytesReceived }) => sum + rtpBytesReceived, 0)
  }

  close(): void {
    this.#isClosed = true
    for (const { transport } of this.#transports.values()) transport.close()
  }
}
