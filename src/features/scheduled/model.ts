import { z } from 'zod'
import { type ErrorCode, errorCodes } from '../../core/errors.ts'
import { durable, type Payloads } from '../../core/events.ts'
import { GivenTime, Id, patch, Time } from '../../core/schema.ts'
import { File } from '../files/model.ts'
import { MessageDraft } from '../messages/model.ts'

/** Scheduled messages per account, returned ones included. */
export const SCHEDULED_MAX = 50
export const SCHEDULE_DAYS_MAX = 90

const reason = z
  .enum(['overdue', ...(Object.keys(errorCodes) as ErrorCode[])])
  .nullable()
  .describe('of `returned`: the code of the refused send; `overdue`: its time passed before it was confirmed')

/** A message that is sent at a later time. */
export const Scheduled = z
  .object({
    id: Id,
    channel_id: Id.nullable().describe('null once the channel is deleted'),
    server_id: Id.nullable().describe('null in a dm or group'),
    content: z.string(),
    reply_to_id: Id.nullable(),
    reply_mention: z.boolean(),
    files: z.array(File),
    send_at: Time,
    state: z
      .enum(['waiting', 'held', 'returned'])
      .describe('held: not sent until its author confirms it; returned: could not be sent, see `reason`'),
    reason,
    created_at: Time,
  })
  .meta({ title: 'Scheduled' })
export type Scheduled = z.infer<typeof Scheduled>

/** The part that the author's devices follow. Events have no text, because the event log keeps them. */
export const ScheduledChange = Scheduled.pick({
  id: true,
  channel_id: true,
  send_at: true,
  state: true,
  reason: true,
}).meta({ title: 'ScheduledChange' })

const SendAt = GivenTime.describe(`in the next ${SCHEDULE_DAYS_MAX} days`)
const Draft = MessageDraft.describe('without forwards, polls, components, embeds and allowed mentions')
const example = { draft: { content: 'Good morning!' }, send_at: '2027-05-05T07:00:00Z' }

export const ScheduledDraft = z.strictObject({ draft: Draft, send_at: SendAt }).meta({ example })
export const ScheduledPatch = patch({ draft: Draft.describe('replaces the earlier one'), send_at: SendAt }).meta({
  example,
})

const key = (d: { id: number }) => `scheduled:${d.id}`
const to = 'your own sockets'

export const scheduledEvents = {
  'scheduled.updated': durable(ScheduledChange, key, to),
  'scheduled.removed': durable(
    z.object({ id: Id, message_id: Id.nullable().describe('the message that was sent; null: it was cancelled') }),
    key,
    to,
  ),
}

declare module '../../core/events.ts' {
  interface Events extends Payloads<typeof scheduledEvents> {}
}
