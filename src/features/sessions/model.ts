import { z } from 'zod'
import { durable, type Payloads } from '../../core/events.ts'
import { Id, Time } from '../../core/schema.ts'

export const SESSION_DAYS = 30
export const SESSION_SECONDS = SESSION_DAYS * 86_400
export const SESSIONS_PER_USER_MAX = 50
/** The token before the last refresh is accepted for this time, for requests that crossed the refresh. */
export const PREVIOUS_TOKEN_SECONDS = 60

export const Session = z
  .object({
    id: Id,
    created_at: Time,
    last_used_at: Time,
    expires_at: Time,
    user_agent: z.string().nullable(),
    ip: z.string(),
    current: z.boolean(),
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
