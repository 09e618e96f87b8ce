import { z } from 'zod'
import { DecimalId, GivenTime, Id, idsIn } from '../../core/schema.ts'

/** Mentions to count per channel: `unread_mentions` in sql/0040_notifications.sql. */
const MENTIONS_COUNTED_MAX = 100
const CHANNELS_ASKED_MAX = 100
/** Messages to scan per channel: `unread_of` in sql/0040_notifications.sql. */
export const UNREAD_LOOKED_AT = 10_000

/** An account's read mark in a channel. */
export const Mark = z.object({
  channel_id: Id,
  message_id: z.int().min(0).describe('the last message that is read, which may be deleted; 0: none'),
})

const newestId = Id.describe('the newest unread message of somebody else that the account does not block')
const mention_count = z
  .int()
  .describe(`unread messages that mention the account, counted up to ${MENTIONS_COUNTED_MAX}`)

/** Unread messages of a channel. */
export const Unread = Mark.extend({
  newest_id: newestId.nullable().describe(`${newestId.description}; null: nothing is unread`),
  mention_count,
}).meta({ title: 'Unread' })
export type Unread = z.infer<typeof Unread>

/** The unread state in the gateway's `ready`; for a channel without unread messages it has only the mark. */
export const ReadyMark = Mark.extend({
  newest_id: newestId.optional(),
  mention_count: mention_count.optional(),
}).meta({ title: 'ReadyMark' })

export const UnreadQuery = z.object({
  channel_ids: z
    .union([z.string(), z.array(z.string()).max(CHANNELS_ASKED_MAX)])
    .transform(idsIn)
    .pipe(z.array(DecimalId))
    .refine((ids) => ids.length <= CHANNELS_ASKED_MAX, `Must be at most ${CHANNELS_ASKED_MAX} ids`)
    .meta({ type: 'string', example: '3,17', description: `ids of channels, at most ${CHANNELS_ASKED_MAX}` }),
})

export const SinceQuery = z.object({ since: GivenTime.describe('the earliest time') })
export const FirstMessage = z
  .object({ message_id: Id.nullable().describe('null: there is no message since then') })
  .meta({ title: 'FirstMessage' })

export const UnreadFrom = z.strictObject({ message_id: Id.describe('from which on the channel is unread') })
