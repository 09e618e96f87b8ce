import { z } from 'zod'
import { MODES } from './encryption.ts'

// Frames of Discord's voice gateway, version 8, and its close codes. Unknown fields are ignored.

export const VOICE_OP = {
  identify: 0,
  selectProtocol: 1,
  ready: 2,
  heartbeat: 3,
  sessionDescription: 4,
  speaking: 5,
  heartbeatAck: 6,
  resume: 7,
  hello: 8,
  resumed: 9,
  clientsConnect: 11,
  clientDisconnect: 13,
} as const

export const VOICE_CLOSE = {
  /** Libraries resume after any code below 4000. */
  restarting: { code: 1012, reason: 'Service restart.' },
  decode: { code: 4002, reason: 'Failed to decode payload.' },
  notAuthenticated: { code: 4003, reason: 'Not authenticated.' },
  authenticationFailed: { code: 4004, reason: 'Authentication failed.' },
  alreadyAuthenticated: { code: 4005, reason: 'Already authenticated.' },
  sessionInvalid: { code: 4006, reason: 'Session is no longer valid.' },
  timedOut: { code: 4009, reason: 'Session timeout.' },
  unknownProtocol: { code: 4012, reason: 'Unknown protocol.' },
  disconnected: { code: 4014, reason: 'Disconnected.' },
  unknownMode: { code: 4016, reason: 'Unknown encryption mode.' },
  rateLimited: { code: 4021, reason: 'Rate limited.' },
} as const
export type VoiceClose = (typeof VOICE_CLOSE)[keyof typeof VOICE_CLOSE]

const Snowflake = z.string().max(20)
const Secret = z.string().max(128)

export const VoiceFrame = z.object({ op: z.int(), d: z.unknown().optional() })
export const VoiceIdentify = z.object({
  server_id: Snowflake,
  user_id: Snowflake,
  session_id: Secret,
  token: Secret,
})
export const VoiceResume = VoiceIdentify.omit({ user_id: true })
export const SelectProtocol = z.object({
  protocol: z.string(),
  data: z.object({
    address: z.ipv4(),
    port: z.int().min(1).max(65_535),
    mode: z.string(),
  }),
})
export const Mode = z.enum(MODES)
const Nonce = z.union([z.number(), z.string().regex(/^\d{1,20}$/)])
/** Before version 8 it was only a number. */
export const Heartbeat = z.union([z.object({ t: Nonce }), Nonce])

/** The request of the main gateway by which a bot joins, changes or leaves a call. */
export const VoiceStateRequest = z.object({
  guild_id: Snowflake,
  channel_id: Snowflake.nullish(),
  self_mute: z.boolean().default(false),
  self_deaf: z.boolean().default(false),
})
export type VoiceStateRequest = z.infer<typeof VoiceStateRequest>
