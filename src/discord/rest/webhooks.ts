import { z } from 'zod'
import type { IssuedWebhook, Webhook } from '../../features/webhooks/model.ts'
import type { Lookup } from '../lookup.ts'
import { userOf } from '../shapes/users.ts'
import { parseBody } from './bodies.ts'
import type { Call, Reply } from './call.ts'
import { withPicture } from './pictures.ts'
import { route } from './router.ts'

// Webhooks as those who manage them see them. Posting with a webhook's URL needs no bot: docs/webhooks.md.

const WebhookBody = z.object({
  name: z.string().optional(),
  avatar: z.string().nullish(),
  channel_id: z.string().nullish(),
})

const webhookOf = (of: Lookup, { id, server_id, channel_id, name, creator }: Webhook, base: string, url?: string) => ({
  id: of.id('user', id),
  type: 1,
  guild_id: of.id('server', server_id),
  channel_id: of.id('channel', channel_id),
  name,
  avatar: null,
  application_id: null,
  ...(creator ? { user: userOf(of, creator) } : {}),
  // The secret of the URL is shown once, as in Parley.
  ...(url === undefined ? {} : { token: url.split('/').at(-1), url: url.startsWith('/') ? base + url : url }),
})

const show = (call: Call, webhooks: Webhook[]): Promise<object[]> =>
  call.resolve((of) => webhooks.map((webhook) => webhookOf(of, webhook, call.caller.base)))

async function create(call: Call): Promise<Reply> {
  const { name, avatar } = parseBody(WebhookBody, call.body)
  const path = `/api/channels/${await call.id('channel')}/webhooks`
  const webhook = await withPicture(call, 'avatar_file_id', avatar ?? undefined, (fields) =>
    call.own<IssuedWebhook>('POST', path, { name, ...fields }),
  )
  return call.resolve((of) => webhookOf(of, webhook, call.caller.base, webhook.url))
}

async function edit(call: Call): Promise<Reply> {
  const { name, avatar, channel_id } = parseBody(WebhookBody, call.body)
  const path = `/api/webhooks/${await call.id('user', 'webhook', 'webhook')}`
  const moved = channel_id ? { channel_id: await call.find('channel', channel_id) } : {}
  const webhook = await withPicture(call, 'avatar_file_id', avatar, (fields) =>
    call.own<Webhook>('PUT', path, { ...(name === undefined ? {} : { name }), ...moved, ...fields }),
  )
  return (await show(call, [webhook]))[0]
}

export const webhookRoutes = [
  route('POST', '/channels/:channel/webhooks', 'channel', create),
  route('GET', '/channels/:channel/webhooks', 'channel', async (call) =>
    show(call, await call.own<Webhook[]>('GET', `/api/channels/${await call.id('channel')}/webhooks`)),
  ),
  route('GET', '/guilds/:guild/webhooks', 'server', async (call) =>
    show(call, await call.own<Webhook[]>('GET', `/api/servers/${await call.id('server', 'guild')}/webhooks`)),
  ),
  route('PATCH', '/webhooks/:webhook', 'webhook', edit),
  route('DELETE', '/webhooks/:webhook', 'webhook', async (call) => {
    await call.own('DELETE', `/api/webhooks/${await call.id('user', 'webhook', 'webhook')}`)
    return undefined
  }),
]
