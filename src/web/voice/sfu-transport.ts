import type { types } from 'mediasoup-client'
import type { CallSealing } from './sealing/call-sealing.ts'
import type { VoiceGateway } from './voice-gateway.ts'

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
