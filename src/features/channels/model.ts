import { z } from 'zod'
import { durable, type Payloads } from '../../core/events.ts'
import { Id, placeName, text } from '../../core/schema.ts'
import { Channel, CHANNELS_MAX, forumDraft, ServerChannelType, voiceDraft } from '../access/model.ts'
import { Mark } from '../unread/model.ts'

export const ChannelDraft = z.strictObject({
  name: placeName(100).meta({ example: 'field-notes' }),
  type: ServerChannelType,
  topic: text(0, 1024).default(''),
  parent_id: Id.nullable().default(null),
  ...forumDraft,
  ...voiceDraft,
})

/** A simultaneous move of several channels and categories of one server. */
export const ChannelOrder = z
  .array(
    z.strictObject({
      id: Id,
      parent_id: Id.nullable(),
      position: z.int(),
      confirm_opens: z
        .boolean()
        .default(false)
        .describe('the channel may become visible to everybody who picks a self-assignable role'),
    }),
  )
  .min(1)
  .max(CHANNELS_MAX)
  .refine((moves) => new Set(moves.map(({ id }) => id)).size === moves.length, 'Must name each channel once')

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
        .describe('only in a dm: null when the conversation shows no message any more'),
      unread_count: z.int().optional().describe('only in a dm: your unread messages'),
    }),
    (d) => `pruned:${d.channel_id}`,
    seers,
  ),
  'channel.pruned_by': durable(
    z.object({
      channel_id: Id,
      author_id: Id,
      after_id: z.int().min(0),
      before_id: Id.describe(
        "every message of the author's with an id between the two has been deleted by a moderator",
      ),
    }),
    (d) => `pruned:${d.channel_id}:${d.author_id}`,
    'members who see the channel',
  ),
  'channel.read': durable(Mark, (d) => `read:${d.channel_id}`, 'your own sockets'),
}

declare module '../../core/events.ts' {
  interface Events extends Payloads<typeof channelEvents> {}
}
