import { z } from 'zod'
import { durable, type Payloads } from '../../core/events.ts'
import { GivenTime, Id, patch, Time } from '../../core/schema.ts'
import { NotificationLevel } from '../access/model.ts'

const fields = {
  level: z
    .enum([...NotificationLevel.options, 'all_posts'])
    .nullable()
    .describe('of which messages to tell, or `all_posts` of a forum: of each new post; null: as the place around says'),
  muted_until: Time.nullable().describe('until then only mentions by name notify and count; null: not muted here'),
  suppress_everyone: z
    .boolean()
    .nullable()
    .describe('whether mentions of everyone and here do not count; null: as the place around says'),
  listed: z
    .boolean()
    .nullable()
    .describe('whether a channel with `opt_in_since` is listed; null: as `opt_in_since` says'),
}

/** An account's notification setting for a server or channel. */
export const NotificationSetting = z
  .object({
    server_id: Id.nullable().describe('null for a dm or group'),
    channel_id: Id.nullable().describe('null for the server as a whole'),
    ...fields,
  })
  .meta({ title: 'NotificationSetting' })
export type NotificationSetting = z.infer<typeof NotificationSetting>

export const NotificationPatch = patch({
  ...fields,
  muted_until: GivenTime.nullable().describe(fields.muted_until.description ?? ''),
})

export const notificationEvents = {
  'notifications.updated': durable(
    NotificationSetting,
    (d) => `notifications:${d.server_id}:${d.channel_id}`,
    'your own sockets',
  ),
}

declare module '../../core/events.ts' {
  interface Events extends Payloads<typeof notificationEvents> {}
}
