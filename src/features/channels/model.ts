import { z } from 'zod'
import { durable, type Payloads } from '../../core/events.ts'
import { Id, placeName, patch, PublicUser, text, Time } from '../../core/schema.ts'
import { Mark } from '../unread/model.ts'
import { RetentionDays } from '../retention/model.ts'

/** 500 text and voice channels, and 50 categories. */
const CHANNELS_MAX = 550

/** Six hours. */
const SLOWMODE_SECONDS_MAX = 21_600
/** Periods after which a quiet thread may be archived: an hour, a day, three days, a week. */
const ARCHIVE_AFTER_SECONDS = [3_600, 86_400, 259_200, 604_800] as const

const ServerChannelType = z.enum(['text', 'voice', 'category'])

export const Channel = z
  .object({
    id: Id,
    server_id: Id.nullable().describe('null for a dm or group'),
    parent_id: Id.nullable().describe('its category; of a thread, the channel that it belongs to'),
    name: z.string().describe('empty for a dm, and for a group until it is named'),
    type: z.enum([...ServerChannelType.options, 'thread', 'dm', 'group']),
    topic: z.string(),
    position: z
      .int()
      .describe('its place, from 0, among the channels of its category; categories are counted by themselves'),
    recipients: z
      .array(PublicUser)
      .nullable()
      .describe('everyone in a dm or group, the own account included, in the order in which they came; else null'),
    owner_id: Id.nullable().describe('of a group; of a thread, who began it'),
    icon_file_id: Id.nullable().describe('of a group; for its participants alone'),
    last_message_id: Id.nullable(),
    last_message_at: Time.nullable().describe('of a thread: when its newest message was written'),
    slowmode_seconds: z.int().describe('so long each member waits between two messages; 0: not at all'),
    message_id: Id.nullable().describe('of a thread: the message that it began at, if that is still there'),
    message_count: z.int().describe('of a thread'),
    archived_at: Time.nullable().describe('of a thread: a message brings it back, unless it is locked'),
    locked: z.boolean().describe('a thread in which only members with manage_threads write'),
    archive_after_seconds: z.int().nullable().describe('of a thread: quiet for so long, it is archived'),
    message_retention_days: RetentionDays.describe(
      'messages are deleted after so many days, or sooner where the server or the operator says so',
    ),
    pruned_before_id: Id.nullable().describe('messages with smaller ids have been deleted by their age'),
    created_at: Time,
    updated_at: Time,
  })
  .meta({ title: 'Channel' })
export type Channel = z.infer<typeof Channel>

export const ChannelDraft = z.strictObject({
  name: placeName(100).meta({ example: 'field-notes' }),
  type: ServerChannelType,
  topic: text(0, 1024).default(''),
  parent_id: Id.nullable().default(null),
})
export const ChannelPatch = patch({
  name: z.union([placeName(100), z.literal('')]).describe('empty for a group alone: it goes by its people then'),
  topic: text(0, 1024).describe('not of a group'),
  parent_id: Id.nullable().describe('not of a group'),
  position: z.int().describe('not of a group'),
  message_retention_days: RetentionDays.describe('not of a group'),
  icon_file_id: Id.nullable().describe('of a group alone: an own picture'),
  slowmode_seconds: z.int().min(0).max(SLOWMODE_SECONDS_MAX).describe('0: off; not of a group'),
  archived: z.boolean().describe('of a thread alone'),
  locked: z.boolean().describe('of a thread alone'),
  archive_after_seconds: z.literal(ARCHIVE_AFTER_SECONDS).describe('of a thread alone'),
})

/** A simultaneous move of several channels and categories of one server. */
export const ChannelOrder = z
  .array(z.strictObject({ id: Id, parent_id: Id.nullable(), position: z.int() }))
  .min(1)
  .max(CHANNELS_MAX)
  .refine((moves) => new Set(moves.map(({ id }) => id)).size === moves.length, 'Must name each channel once')

/** Two to nine recipients create a new group; one opens the dm with that account. */
const RECIPIENTS_MAX = 9
export const DirectChannelDraft = z.strictObject({
  recipient_ids: z
    .array(Id)
    .min(1)
    .max(RECIPIENTS_MAX)
    .refine((ids) => new Set(ids).size === ids.length, 'Must not repeat an id'),
  nonce: text(1, 64).optional().describe('the same nonce and request within 24 hours answers the same group'),
})

const seers = 'members who see the channel; participants of a group'
export const channelEvents = {
  'channel.created': durable(Channel, (d) => `channel:${d.id}`, `${seers}; without \`s\` to one who gains it`),
  'channel.updated': durable(Channel, (d) => `channel:${d.id}`, seers),
  'channel.deleted': durable(
    z.object({ id: Id, server_id: Id.nullable() }),
    (d) => `channel:${d.id}`,
    `${seers}; without \`s\` to one who loses a server's; with \`s\` to one who has left a group`,
  ),
  'channel.pruned': durable(
    z.object({
      channel_id: Id,
      before_id: Id.describe('every message of the channel with a smaller id has been deleted by its age'),
      last_message_id: Id.nullable()
        .optional()
        .describe('in a dm alone: null when the conversation shows no message any more'),
      unread_count: z.int().optional().describe('in a dm alone: unread messages of the own side'),
    }),
    (d) => `pruned:${d.channel_id}`,
    seers,
  ),
  'channel.read': durable(Mark, (d) => `read:${d.channel_id}`, 'the own sockets'),
}

declare module '../../core/events.ts' {
  interface Events extends Payloads<typeof channelEvents> {}
}
