import { z } from 'zod'
import { durable, type Payloads } from '../../core/events.ts'
import { Id, line, patch, text, Time } from '../../core/schema.ts'

export const Channel = z
  .object({
    id: Id,
    server_id: Id,
    name: z.string(),
    type: z.enum(['text', 'voice']),
    topic: z.string(),
    position: z.int(),
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
  type: z.enum(['text', 'voice']),
  topic: text(0, 1024).default(''),
})
export const ChannelPatch = patch({ name: line(100), topic: text(0, 1024), position: z.int() })

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
