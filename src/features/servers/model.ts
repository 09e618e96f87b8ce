import { z } from 'zod'
import { durable, type Payloads } from '../../core/events.ts'
import { Id, ownName, patch, text, Time } from '../../core/schema.ts'
import { NotificationLevel } from '../notifications/model.ts'
import { RetentionDays } from '../retention/model.ts'

export const Server = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string(),
    owner_id: Id,
    icon_file_id: Id.nullable(),
    system_channel_id: Id.nullable().describe('where it is told who joins; null: nowhere'),
    member_count: z.int(),
    message_retention_days: RetentionDays.describe(
      'messages are deleted after so many days, or sooner where the channel or the operator says so',
    ),
    default_notifications: NotificationLevel.describe('of which messages members are told who have set nothing'),
    created_at: Time,
    updated_at: Time,
  })
  .meta({ title: 'Server' })
export type Server = z.infer<typeof Server>

export const ServerDraft = z.strictObject({
  name: ownName(100).meta({ example: 'Birdwatchers' }),
  description: text(0, 1024).default(''),
})
export const ServerPatch = patch({
  name: ownName(100),
  description: text(0, 1024),
  icon_file_id: Id.nullable(),
  system_channel_id: Id.nullable().describe('a text channel of the server'),
  message_retention_days: RetentionDays,
  default_notifications: NotificationLevel,
})
export const Transfer = z.strictObject({ user_id: Id })

export const serverEvents = {
  'server.created': durable(Server, (d) => `server:${d.id}`, 'the own sockets of who created or joined it'),
  'server.updated': durable(Server, (d) => `server:${d.id}`, 'members of the server'),
  'server.deleted': durable(
    z.object({ id: Id }),
    (d) => `server:${d.id}`,
    'members of the server; without `s` to the sockets of one who left, was kicked or banned',
  ),
}

declare module '../../core/events.ts' {
  interface Events extends Payloads<typeof serverEvents> {}
}
