import type { types } from 'mediasoup-client'
import type { Joined } from '../../voice/model.ts'
import type { Source } from './local-tracks.ts'
import type { CallSealing } from './sealing/call-sealing.ts'
import type { VoiceGateway } from './voice-gateway.ts'

/** A producer of another member. */
export type Produced = Joined['producers'][number]

export interface SfuOptions {
  gateway: VoiceGateway
  router_rtp_capabilities: object
  /** Bits per second of the microphone's audio; undefined: as the browser thinks best. */
  bits(): number | undefined
  ice_servers: RTCIceServer[]
  /** True for a listener of a stage: the transport that sends is opened when it is needed. */
  listens?: boolean
  sealing: Pick<CallSealing, 'settings' | 'protect'>
  /** All that the others send now. */
  producers(): Produced[]
  /** Height at which a member's video is shown, screen pixels; Infinity for full size. */
  heightOf(from: string, source: Source): number
  /** A source of a member has begun, or ended. */
  onTrack(from: string, source: Source, receiver: RTCRtpReceiver | undefined): void
  onFault(error: unknown): void
}

interface TransportSettings {
  gateway: VoiceGateway
  ice_servers: RTCIceServer[]
  sealing: Pick<CallSealing, 'settings'>
}

interface Offer {
  transport_id: string
  ice_parameters: types.IceParameters
  ice_candidates: types.IceCandidate[]
  dtls_parameters: types.DtlsParameters
}

/** Opens a transport on the SFU. */
export async function openTransport(
  { gateway, ice_servers, sealing }: TransportSettings,
  direction: 'send' | 'recv',
): Promise<types.TransportOptions> {
  const offer = (await gateway.command('voice.sfu.create_transport', { direction })) as Offer
  return {
    id: offer.transport_id,
    iceParameters: offer.ice_parameters,
    iceCandidates: offer.ice_candidates,
    dtlsParameters: offer.dtls_parameters,
    iceServers: ice_servers,
    additionalSettings: sealing.settings,
  }
}
