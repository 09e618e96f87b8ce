import type { types } from 'mediasoup'
import { found } from '../../core/errors.ts'
import { INCOMING_BITS_MAX, OUTGOING_BITS_FIRST } from './codecs.ts'
import { MediaUnavailable } from './process.ts'
import type { Stage } from './room.ts'

/** A new transport of a direction may live beside the old one until the media have moved. */
const TRANSPORTS_MAX = 2

type Direction = 'send' | 'recv'

/** A transport as a client's `createSendTransport` or `createRecvTransport` takes it. */
export interface TransportOffer {
  transport_id: string
  ice_parameters: types.IceParameters
  ice_candidates: types.IceCandidate[]
  dtls_parameters: types.DtlsParameters
}

/** The transports of one member: what it sends and receives goes by them, and ends with them. */
export function openTransports({ router, server, judged }: Stage) {
  const transports = new Map<string, { transport: types.WebRtcTransport; direction: Direction }>()
  let closed = false

  return {
    /** Makes one; of those that the member has in this direction the newest two stay. */
    async create(direction: Direction): Promise<TransportOffer> {
      const options = { preferUdp: true, initialAvailableOutgoingBitrate: OUTGOING_BITS_FIRST }
      const transport = await judged(router.createWebRtcTransport({ webRtcServer: server, ...options }))
      if (direction === 'send') await judged(transport.setMaxIncomingBitrate(INCOMING_BITS_MAX))
      if (closed || router.closed) {
        transport.close()
        throw new MediaUnavailable('The member has left')
      }
      transports.set(transport.id, { transport, direction })
      transport.observer.on('close', () => transports.delete(transport.id))
      // Its member has said goodbye, or never will.
      transport.on('dtlsstatechange', (state) => void ((state === 'closed' || state === 'failed') && transport.close()))
      const same = [...transports.values()].filter((other) => other.direction === direction)
      for (const { transport: oldest } of same.slice(0, -TRANSPORTS_MAX)) oldest.close()
      return {
        transport_id: transport.id,
        ice_parameters: transport.iceParameters,
        ice_candidates: transport.iceCandidates,
        dtls_parameters: transport.dtlsParameters,
      }
    },

    /** @throws Problem `not_found` when the member has no such transport, or not in this direction */
    find(id: string, direction?: Direction): types.WebRtcTransport {
      const owned = transports.get(id)
      return found(direction === undefined || owned?.direction === direction ? owned?.transport : undefined)
    },

    /** The newest of a direction. @throws Problem `not_found` when the member has none */
    newest: (direction: Direction) =>
      found([...transports.values()].findLast((each) => each.direction === direction)).transport,

    close(): void {
      closed = true
      for (const { transport } of transports.values()) transport.close()
    },
  }
}
