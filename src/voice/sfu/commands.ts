import type { types } from 'mediasoup'
import type { Handlers } from '../../core/events.ts'
import { Problem } from '../../core/errors.ts'
import { demand } from '../../features/servers/guard.ts'
import type { Rooms } from '../rooms.ts'
import type { Seat, Speaker } from '../seat.ts'
import type { sfuCommands } from './model.ts'
import { MediaUnavailable } from './process.ts'
import type { Room as Stage } from './room.ts'

type All = Handlers<typeof sfuCommands, Speaker>

/** What it takes to send from a source. */
const PERMISSION = {
  microphone: 'speak',
  camera: 'share_screen',
  screen: 'share_screen',
  screen_audio: 'share_screen',
} as const

/** What a member asks of the SFU; it is asked through the member's own seat, so nobody else's exists. */
export function sfuHandlers(rooms: Rooms): All {
  /** Runs with the SFU's side of the caller's room. @throws Problem `not_found`, `media_unavailable` */
  const staged = async <T>(client: Speaker, work: (stage: Stage, seat: Seat) => Promise<T> | T): Promise<T> => {
    const seat = rooms.own(client)
    const { stage } = seat.room
    if (!stage || stage.closed())
      throw new Problem('media_unavailable', 'The media of this room do not go by the server')
    try {
      return await work(stage, seat)
    } catch (error) {
      throw error instanceof MediaUnavailable ? new Problem('media_unavailable', error.message) : error
    }
  }
  type Peer = ReturnType<Stage['peer']>
  const asked = <T>(client: Speaker, work: (peer: Peer, seat: Seat) => Promise<T>): Promise<T> =>
    staged(client, (stage, seat) => work(stage.peer(seat.voice_session_id), seat))
  const done = async (client: Speaker, work: (peer: Peer) => Promise<unknown>) => {
    await asked(client, work)
    return {}
  }

  return {
    'voice.sfu.capabilities': (client) =>
      staged(client, (stage) => ({ router_rtp_capabilities: { ...stage.rtp_capabilities } })),
    'voice.sfu.create_transport': (client, { direction }) =>
      asked(client, async (peer) => {
        const offer = await peer.createTransport(direction)
        const candidates = offer.ice_candidates.map((candidate) => ({ ...candidate }))
        const [ice_parameters, dtls_parameters] = [{ ...offer.ice_parameters }, { ...offer.dtls_parameters }]
        return { ...offer, ice_parameters, ice_candidates: candidates, dtls_parameters }
      }),
    'voice.sfu.connect': (client, { transport_id, dtls_parameters }) =>
      done(client, (peer) => peer.connect(transport_id, dtls_parameters as types.DtlsParameters)),
    'voice.sfu.restart_ice': (client, { transport_id }) =>
      asked(client, async (peer) => {
        const { ice_parameters } = await peer.restartIce(transport_id)
        return { ice_parameters: { ...ice_parameters } }
      }),
    'voice.sfu.produce': (client, { transport_id, kind, rtp_parameters, source }) =>
      asked(client, async (peer, { permissions }) => {
        demand(permissions, PERMISSION[source])
        const { producer_id } = await peer.produce(transport_id, kind, rtp_parameters as never, source)
        return { producer_id }
      }),
    'voice.sfu.close_producer': (client, { producer_id }) => done(client, (peer) => peer.closeProducer(producer_id)),
    'voice.sfu.pause_producer': (client, { producer_id }) =>
      done(client, (peer) => peer.pauseProducer(producer_id, true)),
    'voice.sfu.resume_producer': (client, { producer_id }) =>
      done(client, (peer) => peer.pauseProducer(producer_id, false)),
    'voice.sfu.consume': (client, { producer_id, rtp_capabilities }) =>
      asked(client, async (peer) => {
        const taken = await peer.consume(producer_id, rtp_capabilities as types.RtpCapabilities)
        return { ...taken, rtp_parameters: { ...taken.rtp_parameters } }
      }),
    'voice.sfu.resume_consumer': (client, { consumer_id }) =>
      done(client, (peer) => peer.pauseConsumer(consumer_id, false)),
    'voice.sfu.pause_consumer': (client, { consumer_id }) =>
      done(client, (peer) => peer.pauseConsumer(consumer_id, true)),
    'voice.sfu.set_preferred_layers': (client, { consumer_id, spatial_layer, temporal_layer }) =>
      done(client, (peer) =>
        peer.setPreferredLayers(consumer_id, { spatialLayer: spatial_layer, temporalLayer: temporal_layer }),
      ),
  }
}
