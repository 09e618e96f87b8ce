import type { types } from 'mediasoup'
import type { Handlers } from '../../core/events.ts'
import { Problem } from '../../core/errors.ts'
import { demand } from '../../features/access/guard.ts'
import type { Rooms } from '../rooms.ts'
import type { Seat, VoiceClient } from '../seat.ts'
import { chargeSpeaker, demandSpeaker } from '../stages/speaker.ts'
import type { sfuCommands } from './model.ts'
import type { Peer } from './peer.ts'
import { MediaUnavailable } from './process.ts'
import type { RoutedRoom } from './room.ts'

/** The permission needed for each source. */
const PERMISSION = {
  microphone: 'speak',
  camera: 'share_screen',
  screen: 'share_screen',
  screen_audio: 'share_screen',
} as const

/**
 * A member's commands to the SFU. Each acts only on the caller's own peer, so nobody can touch another member's
 * objects.
 */
export function sfuHandlers(rooms: Rooms): Handlers<typeof sfuCommands, VoiceClient> {
  /** Runs `work` with the caller's room on the SFU. @throws Problem `not_found`, `media_unavailable` */
  const withRoom = async <T>(client: VoiceClient, work: (routed: RoutedRoom, seat: Seat) => T | Promise<T>) => {
    const seat = rooms.demandSeat(client)
    const { routed } = seat.room
    if (!routed || routed.isClosed())
      throw new Problem('media_unavailable', 'The media of this call do not go through the server')
    try {
      return await work(routed, seat)
    } catch (error) {
      throw error instanceof MediaUnavailable ? new Problem('media_unavailable', error.message) : error
    }
  }
  const withPeer = <T>(client: VoiceClient, work: (peer: Peer, seat: Seat) => Promise<T>): Promise<T> =>
    withRoom(client, (routed, seat) => work(routed.peer(seat.voice_session_id), seat))
  /** The same, with an empty answer. */
  const change = async (client: VoiceClient, work: (peer: Peer) => Promise<unknown>) => {
    await withPeer(client, work)
    return {}
  }
  /** A change that the other members learn. */
  const announce = (client: VoiceClient, work: (peer: Peer) => Promise<unknown>) =>
    change(client, (peer) => {
      chargeSpeaker(rooms.demandSeat(client), Date.now())
      return work(peer)
    })

  return {
    'voice.sfu.capabilities': (client) =>
      withRoom(client, (routed) => ({ router_rtp_capabilities: { ...routed.rtp_capabilities } })),
    'voice.sfu.create_transport': (client, { direction }) =>
      withPeer(client, async (peer) => {
        const offer = await peer.createTransport(direction)
        const candidates = offer.ice_candidates.map((candidate) => ({ ...candidate }))
        const [ice_parameters, dtls_parameters] = [{ ...offer.ice_parameters }, { ...offer.dtls_parameters }]
        return { ...offer, ice_parameters, ice_candidates: candidates, dtls_parameters }
      }),
    'voice.sfu.connect': (client, { transport_id, dtls_parameters }) =>
      change(client, (peer) => peer.connect(transport_id, dtls_parameters as types.DtlsParameters)),
    'voice.sfu.restart_ice': (client, { transport_id }) =>
      withPeer(client, async (peer) => {
        const { ice_parameters } = await peer.restartIce(transport_id)
        return { ice_parameters: { ...ice_parameters } }
      }),
    'voice.sfu.produce': (client, { transport_id, kind, rtp_parameters, source }) =>
      withPeer(client, async (peer, seat) => {
        demandSpeaker(seat)
        demand(seat.permissions, PERMISSION[source])
        chargeSpeaker(seat, Date.now())
        const { producer_id } = await peer.produce(transport_id, kind, rtp_parameters as never, source)
        return { producer_id }
      }),
    'voice.sfu.close_producer': (client, { producer_id }) => change(client, (peer) => peer.closeProducer(producer_id)),
    'voice.sfu.pause_producer': (client, { producer_id }) =>
      announce(client, (peer) => peer.pauseProducer(producer_id, true)),
    'voice.sfu.resume_producer': (client, { producer_id }) =>
      announce(client, (peer) => peer.pauseProducer(producer_id, false)),
    'voice.sfu.consume': (client, { producer_id, rtp_capabilities }) =>
      withPeer(client, async (peer) => {
        const consumer = await peer.consume(producer_id, rtp_capabilities as types.RtpCapabilities)
        return { ...consumer, rtp_parameters: { ...consumer.rtp_parameters } }
      }),
    'voice.sfu.resume_consumer': (client, { consumer_id }) =>
      change(client, (peer) => peer.pauseConsumer(consumer_id, false)),
    'voice.sfu.pause_consumer': (client, { consumer_id }) =>
      change(client, (peer) => peer.pauseConsumer(consumer_id, true)),
    'voice.sfu.set_preferred_layers': (client, { consumer_id, spatial_layer, temporal_layer }) =>
      change(client, (peer) =>
        peer.setPreferredLayers(consumer_id, { spatialLayer: spatial_layer, temporalLayer: temporal_layer }),
      ),
  }
}
