import { z } from 'zod'
import { durable, type Payloads } from '../../core/events.ts'
import { Id, line, patch, text, Time } from '../../core/schema.ts'

/** 500 text and voice channels, and 50 categories. */
const CHANNELS_MAX = 550

const ChannelType = z.enum(['text', 'voice', 'category'])

export const Channel = z
  .object({
    id: Id,
    server_id: Id,
    parent_id: Id.nullable().describe('its category'),
    name: z.string(),
    type: ChannelType,
    topic: z.string(),
    position: z
      .int()
      .describe('its place, from 0, among the channels of its category; categories are counted by themselves'),
    last_message_id: Id.nullable(),
    created_at: Time,
    updated_at: Time,
  })
  .meta({ title: 'Channel' })
export type Channel = z.infer<typeof Channel>

/** A channel's row, with `restricted`, which decides the topic of its events. */
export type ChannelRow = Channel & { restricted: boolean }

export const ChannelDraft = z.strictObject({
  name: line(100).meta({ example: 'field-notes' }),
  type: ChannelType,
  topic: text(0, 1024).default(''),
  parent_id: Id.nullable().default(null),
})
export const ChannelPatch = patch({
  name: line(100),
  topic: text(0, 1024),
  parent_id: Id.nullable(),
  position: z.int(),
})

/** Channels and categories of one server that move at once. */
export const ChannelOrder = z
  .array(z.strictObject({ id: Id, parent_id: Id.nullable(), position: z.int() }))
  .min(1)
  .max(CHANNELS_MAX)
  .refine((moves) => new Set(moves.map(({ id }) => id)).size === moves.length, 'Must name each channel once')

const seers = 'members who see the channel'
export const channelEvents = {
  'channel.created': durable(Channel, (d) => `channel:${d.id}`, `${seers}; without \`s\` to one who gains it`),
  'channel.updated': durable(Channel, (d) => `channel:${d.id}`, seers),
  'channel.deleted': durable(
    z.object({ id: Id, server_id: Id }),
    (d) => `channel:${d.id}`,
    `${seers}; without \`s\` to one who loses it`,
  ),
  'channel.read': durable(
    z.object({ channel_id: Id, message_id: Id }),
    (d) => `read:${d.channel_id}`,
    'the own sockets',
  ),
}

declare module '../../core/events.ts' {
  interface Events extends Payloads<typeof channelEvents> {}
}
