import { z } from 'zod'

// Frames of Discord's gateway, and its close codes.

export const OP = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  presence: 3,
  voice: 4,
  resume: 6,
  reconnect: 7,
  members: 8,
  invalidSession: 9,
  hello: 10,
  heartbeatAck: 11,
  sounds: 31,
} as const

export const CLOSE = {
  unknown: { code: 4000, reason: 'Unknown error.' },
  unknownOpcode: { code: 4001, reason: 'Unknown opcode.' },
  decode: { code: 4002, reason: 'Error while decoding payload.' },
  notAuthenticated: { code: 4003, reason: 'Not authenticated.' },
  authenticationFailed: { code: 4004, reason: 'Authentication failed.' },
  alreadyAuthenticated: { code: 4005, reason: 'Already authenticated.' },
  invalidSeq: { code: 4007, reason: 'Invalid seq.' },
  rateLimited: { code: 4008, reason: 'Rate limited.' },
  timedOut: { code: 4009, reason: 'Session timed out.' },
  invalidShard: { code: 4010, reason: 'Invalid shard.' },
  invalidIntents: { code: 4013, reason: 'Invalid intent(s).' },
} as const
export type Close = { code: number; reason: string }

/** A frame from a bot. Unknown fields are ignored, here and below. */
export const Frame = z.object({ op: z.int(), d: z.unknown().optional() })

const Token = z.string().max(2048)
export const Identify = z.object({
  token: Token,
  intents: z.int().min(0),
  shard: z.tuple([z.int().min(0), z.int().min(1).max(1024)]).nullish(),
  large_threshold: z.int().min(50).max(250).nullish(),
})
export type Identify = z.infer<typeof Identify>
export const Resume = z.object({ token: Token, session_id: z.string().max(64), seq: z.int().min(0).nullish() })
export type Resume = z.infer<typeof Resume>
