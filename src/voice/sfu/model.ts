import { z } from 'zod'
import { ephemeral } from '../../core/events.ts'

// mediasoup's data, camelCase inside. Only the outer shape is checked here; the worker validates the rest.
const Outer = z.record(z.string(), z.unknown())
const Fingerprint = z.strictObject({ algorithm: z.string().max(16), value: z.string().max(256) })
const Dtls = z.strictObject({
  role: z.enum(['auto', 'client', 'server']).optional(),
  fingerprints: z.array(Fingerprint).min(1).max(8),
})
const mediasoupId = z.string().max(64)
const Kind = z.enum(['audio', 'video'])
const Source = z.enum(['microphone', 'camera', 'screen', 'screen_audio'])
const Empty = z.strictObject({})
const Transport = { transport_id: mediasoupId }
const Producer = { producer_id: mediasoupId }
const Consumer = { consumer_id: mediasoupId }

/** A producer as described to the other members. */
export const ProducerInfo = z.object({ ...Producer, voice_session_id: z.string(), kind: Kind, source: Source })
export type ProducerInfo = z.infer<typeof ProducerInfo>

/** The room's router as described to a member: null and empty while media go peer to peer. */
export const routerFields = {
  router_rtp_capabilities: Outer.nullable().describe("as mediasoup-client's Device takes them"),
  producers: z.array(ProducerInfo).describe('of the other members'),
}

const Offer = { ...Transport, ice_parameters: Outer, ice_candidates: z.array(Outer), dtls_parameters: Outer }

/** Request for a test of the path to the SFU. */
export const SfuTestDraft = z
  .strictObject({
    fingerprints: z
      .array(Fingerprint)
      .min(1)
      .max(4)
      .describe("of the certificate of one's own end, as RTCCertificate.getFingerprints() gives them, in capitals"),
  })
  .meta({ title: 'SfuTestDraft' })
export const SfuTest = z
  .object({ ...Offer, router_rtp_capabilities: Outer.describe("as mediasoup-client's Device takes them") })
  .meta({ title: 'SfuTest' })

const change = <S extends z.ZodRawShape>(shape: S, summary: string) => ({
  d: z.strictObject(shape),
  answer: Empty,
  summary,
})

/** The commands of a room whose media go over the SFU. Source: docs/voice.md. */
export const sfuCommands = {
  'voice.sfu.capabilities': {
    d: Empty,
    answer: z.object({ router_rtp_capabilities: Outer }),
    summary: 'Get what the router of the room can carry',
  },
  'voice.sfu.create_transport': {
    d: z.strictObject({ direction: z.enum(['send', 'recv']) }),
    answer: z.object(Offer),
    summary: 'Open a transport to the SFU',
  },
  'voice.sfu.connect': change({ ...Transport, dtls_parameters: Dtls }, 'Connect a transport with your DTLS parameters'),
  'voice.sfu.restart_ice': {
    d: z.strictObject(Transport),
    answer: z.object({ ice_parameters: Outer }),
    summary: 'Let a transport find another path',
  },
  'voice.sfu.produce': {
    d: z.strictObject({ ...Transport, kind: Kind, rtp_parameters: Outer, source: Source }),
    answer: z.object(Producer),
    summary: 'Send from a source; needs speak for the microphone, share_screen for pictures and their sound',
  },
  'voice.sfu.close_producer': change(Producer, 'Send no more from a source'),
  'voice.sfu.pause_producer': change(Producer, 'Pause your producer'),
  'voice.sfu.resume_producer': change(Producer, 'Resume your producer'),
  'voice.sfu.consume': {
    d: z.strictObject({ ...Producer, rtp_capabilities: Outer }),
    answer: ProducerInfo.extend({ ...Consumer, rtp_parameters: Outer }),
    summary: 'Receive what another member sends: paused, until it is resumed',
  },
  'voice.sfu.resume_consumer': change(Consumer, 'Let what is received flow'),
  'voice.sfu.pause_consumer': change(Consumer, 'Stop what is received'),
  'voice.sfu.set_preferred_layers': change(
    { ...Consumer, spatial_layer: z.int().min(0).max(8), temporal_layer: z.int().min(0).max(8).optional() },
    'Choose how large a picture is received',
  ),
} as const

const others = "the room's other members"
const seat = 'the member concerned'

export const sfuEvents = {
  'voice.sfu.producer_new': ephemeral(ProducerInfo, others),
  'voice.sfu.producer_closed': ephemeral(ProducerInfo, others),
  'voice.sfu.producer_paused': ephemeral(ProducerInfo, others),
  'voice.sfu.producer_resumed': ephemeral(ProducerInfo, others),
  'voice.sfu.consumer_closed': ephemeral(z.object(Consumer), seat),
  'voice.sfu.consumer_layers': ephemeral(
    z.object({
      ...Consumer,
      layers: z.object({ spatialLayer: z.int(), temporalLayer: z.int().optional() }).nullable(),
    }),
    seat,
  ),
  'voice.sfu.consumer_score': ephemeral(z.object({ ...Consumer, score: Outer }), seat),
  'voice.active_speaker': ephemeral(z.object({ voice_session_id: z.string() }), "the room's members, over the SFU"),
}
