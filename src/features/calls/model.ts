import { z } from 'zod'
import { durable, type Payloads } from '../../core/events.ts'
import { Id, Time } from '../../core/schema.ts'

/** A ring ends after this time. */
export const RING_SECONDS = 60
/** Minimum interval between two rings of one conversation. */
export const RING_INTERVAL_SECONDS = 30

export const Ringing = z
  .object({
    channel_id: Id,
    by: Id.describe('who calls'),
    until: Time.describe('it rings no longer than this; `call.ended` says when it stops'),
    silent: z
      .boolean()
      .describe('the account does not want to be disturbed by the caller: show the call without sound'),
  })
  .meta({ title: 'Ringing' })
export type Ringing = z.infer<typeof Ringing>

const key = (d: { channel_id: number }) => `call:${d.channel_id}`

export const callEvents = {
  'call.ringing': durable(Ringing, key, 'everyone that the call rings'),
  'call.declined': durable(
    z.object({ channel_id: Id, user_id: Id.describe('whose devices ring no longer') }),
    (d) => `call_declined:${d.channel_id}:${d.user_id}`,
    'the participants of the dm or group, the one who declines too',
  ),
  'call.ended': durable(
    z.object({
      channel_id: Id,
      reason: z
        .enum(['answered', 'unanswered', 'over'])
        .describe('answered: on a device of the same account; unanswered: it rang long enough; over: the call is'),
    }),
    key,
    'everyone that the call has stopped ringing; the call itself may go on',
  ),
}

declare module '../../core/events.ts' {
  interface Events extends Payloads<typeof callEvents> {}
}
