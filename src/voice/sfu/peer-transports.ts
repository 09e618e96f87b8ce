import type { types } from 'mediasoup'
import { found } from '../../core/errors.ts'
import { INCOMING_BITS_MAX, OUTGOING_BITS_FIRST } from './codecs.ts'
import { Busy, MediaUnavailable } from './process.ts'
import type { ReceivingBranch, ReceivingTransport, Receiver } from './receiving.ts'
import type { RouterContext } from './router-context.ts'

/** A direction may briefly have two transports, until the media have moved to the new one. */
const TRANSPORTS_MAX = 2
/** Branches that are tried for a transport, when each is lost meanwhile. */
const BRANCHES_MAX = 3

export type Direction = 'send' | 'recv'

/** The options for a client's `createSendTransport` or `createRecvTransport`. */
export interface TransportOffer {
  transport_id: string
  ice_parameters: types.IceParameters
  ice_candidates: types.IceCandidate[]
  dtls_parameters: types.DtlsParameters
}

interface PeerTransport {
  transport: ReceivingTransport
  /** Set for a transport on which the member sends, which is always on this process. */
  sending: types.WebRtcTransport | undefined
  direction: Direction
  /** The branch where it ends; undefined: the main router. */
  branch: ReceivingBranch | undefined
}

/**
 * One member's transports. Their producers and consumers end with them. A member sends to the main router, and receives
 * from there or from a branch.
 */
export class PeerTransports implements Receiver {
  readonly #transports = new Map<string, PeerTransport>()
  #isClosed = false

  constructor(
    readonly voiceSessionId: string,
    private readonly context: RouterContext,
  ) {}

  /** Creates a transport; per direction only the newest two stay. */
  async create(direction: Direction): Promise<TransportOffer> {
    try {
      return await this.#create(direction)
    } finally {
      // The member may have left before it had a place.
      if (this.#isClosed) this.context.branches.release(this)
    }
  }

  async #create(direction: Direction): Promise<TransportOffer> {
    const opened = await this.#open(direction)
    const { transport } = opened
    if (opened.sending) await this.context.validated(opened.sending.setMaxIncomingBitrate(INCOMING_BITS_MAX))
    if (this.#isClosed || this.context.router.closed || transport.closed) {
      transport.close()
      throw new MediaUnavailable('The member has left')
    }
    this.#transports.set(transport.id, opened)
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

  async #open(direction: Direction, attempt = 1): Promise<PeerTransport> {
    const { router, webRtcServer, branches } = this.context
    const options = { preferUdp: true, initialAvailableOutgoingBitrate: OUTGOING_BITS_FIRST }
    const branch = direction === 'recv' ? await branches.of(this) : undefined
    if (!branch) {
      const transport = await this.context.validated(router.createWebRtcTransport({ ...options, webRtcServer }))
      return { transport, sending: direction === 'send' ? transport : undefined, direction, branch }
    }
    try {
      return { transport: await branch.openTransport(options), sending: undefined, direction, branch }
    } catch (error) {
      // A branch whose process is only busy goes on.
      if (!(error instanceof Busy)) branch.fail()
      else throw new MediaUnavailable(error.message)
      if (attempt < BRANCHES_MAX && !this.#isClosed) return this.#open(direction, attempt + 1)
      throw new MediaUnavailable(`No worker takes this member: ${error instanceof Error ? error.message : error}`)
    }
  }

  /** @throws Problem `not_found` if the member has no such transport */
  find(id: string): ReceivingTransport {
    return found(this.#transports.get(id)).transport
  }

  /** A transport on which the member sends. @throws Problem `not_found` */
  findSending(id: string): types.WebRtcTransport {
    return found(this.#transports.get(id)?.sending)
  }

  /** The newest transport on which the member receives. @throws Problem `not_found` if it has none */
  newestReceiving(): PeerTransport {
    return found([...this.#transports.values()].findLast(({ direction }) => direction === 'recv'))
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
    this.context.branches.release(this)
  }
}
