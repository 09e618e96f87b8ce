import { z } from 'zod'
import { durable, type Payloads } from '../../core/events.ts'
import { Id, ownName, patch, PublicUser, Time } from '../../core/schema.ts'

export const WEBHOOKS_PER_CHANNEL_MAX = 15
/** The path for programs that post, outside `/api`. */
export const HOOKS_PATH = '/hooks'

/** The name of a webhook, or of a single message's author. */
export const WebhookName = ownName(80).meta({ example: 'Grafana' })

export const Webhook = z
  .object({
    id: Id.describe('also that of the account that its messages are by'),
    server_id: Id,
    channel_id: Id,
    name: z.string(),
    avatar_file_id: Id.nullable(),
    creator: PublicUser.nullable(),
    mentions_everyone: z.boolean().describe('whether it may mention everyone, and roles that not everyone may mention'),
    created_at: Time,
  })
  .meta({
    title: 'Webhook',
    description: '`creator` created it or last renewed its URL; its files count towards their limits',
  })
export type Webhook = z.infer<typeof Webhook>

/** A webhook with its URL, which is shown only this once. */
export const IssuedWebhook = Webhook.extend({
  url: z
    .string()
    .describe('what posts here speaks in the channel: a secret; shown once')
    .meta({ example: 'https://chat.example.org/hooks/42/cQ9f…' }),
}).meta({ title: 'IssuedWebhook' })
export type IssuedWebhook = z.infer<typeof IssuedWebhook>

export const webhookEvents = {
  'webhooks.updated': durable(
    z.object({ server_id: Id, channel_id: Id }),
    (d) => `webhooks:${d.channel_id}`,
    'bots that hold manage_webhooks in the channel, after one of its webhooks was made, changed, moved or deleted',
  ),
}

declare module '../../core/events.ts' {
  interface Events extends Payloads<typeof webhookEvents> {}
}

const AvatarFileId = Id.nullable().describe('a picture that the caller has uploaded')

export const WebhookDraft = z.strictObject({
  name: WebhookName,
  avatar_file_id: AvatarFileId.optional().default(null).meta({ example: null }),
})

export const WebhookPatch = patch({
  name: WebhookName,
  avatar_file_id: AvatarFileId.meta({ example: null }),
  channel_id: Id.describe('another channel of the server, in which the caller holds manage_webhooks too'),
  mentions_everyone: z.boolean().describe('true takes mention_everyone in its channel'),
})
