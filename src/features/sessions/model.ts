import { z } from 'zod'
import { durable, type Payloads } from '../../core/events.ts'
import { Id, Time } from '../../core/schema.ts'

export const SESSION_DAYS = 30
export const SESSION_SECONDS = SESSION_DAYS * 86_400
export const SESSIONS_PER_USER_MAX = 50
/** The token before the last refresh is accepted for this time, for requests that crossed the refresh. */
export const PREVIOUS_TOKEN_SECONDS = 60

/** Public key of a device (Ed25519), in hexadecimal. */
export const DeviceKey = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({ example: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a' })

/** A change in the log of an account's devices for encrypted calls. */
export const LoggedDevice = z.object({
  position: z.int(),
  kind: z.enum(['added', 'removed']),
  key: DeviceKey,
  created_at: Time,
})

export const Session = z
  .object({
    id: Id,
    created_at: Time,
    last_used_at: Time,
    expires_at: Time,
    user_agent: z.string().nullable(),
    ip: z.string(),
    current: z.boolean(),
    device_key: DeviceKey.nullable().describe('the key by which the device confirms its part in encrypted calls'),
  })
  .meta({ title: 'Session' })
export type Session = z.infer<typeof Session>

export const TokenAnswer = z.object({ token: z.string() }).meta({ title: 'Token' })

export const sessionEvents = {
  'session.created': durable(
    Session,
    (d) => `session:${d.id}`,
    'the account’s sockets, when it was logged in to from a device or an address that is new to it',
  ),
}

declare module '../../core/events.ts' {
  interface Events extends Payloads<typeof sessionEvents> {}
}
