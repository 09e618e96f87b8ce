import { z } from 'zod'
import { BODY_CODES, PLACE_CODES } from '../../core/errors.ts'
import { OffsetQuery } from '../../core/paging.ts'
import { permissions } from '../../core/permissions.ts'
import { answers, DecimalId, NoBody, Nothing } from '../../core/schema.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import { offsetList } from '../../http/lists.ts'
import type { Parts } from '../../parts.ts'
import { guarded } from '../access/guard.ts'
import type { Sessions } from '../sessions/store.ts'
import { changeWebhook, createWebhook, deleteWebhook, rotateWebhook, selectWebhooks } from './change.ts'
import { IssuedWebhook, Webhook, WebhookDraft, WebhookPatch } from './model.ts'

const tags = ['Webhooks']
const ChannelPath = z.object({ channel_id: DecimalId })
const WebhookPath = z.object({ webhook_id: DecimalId })

/** Low, because each may create an account, and publishes a name to everybody in the server. */
const CHANGES: BucketPolicy = { name: 'webhooks', burst: 20, refillPerS: 0.2 }

/** Managing the webhooks of a server. */
export const webhookRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions)
    .post(
      '/api/channels/:channel_id/webhooks',
      async ({ params: { channel_id }, me, caller, body, status }) => {
        await parts.limits.take(caller, CHANGES, `user:${me.id}`)
        await parts.space.demand()
        const actor = { id: me.id, base: caller.base }
        return status(201, await parts.write((sql, emit) => createWebhook(sql, emit, actor, channel_id, body)))
      },
      {
        params: ChannelPath,
        body: WebhookDraft,
        channel: 'manage_webhooks',
        detail: { summary: 'Create a webhook (manage_webhooks); its URL is shown only this once', tags },
        response: answers(
          { 201: IssuedWebhook },
          'too_many_webhooks',
          'forbidden',
          'picture_unreadable',
          'storage_full',
          ...PLACE_CODES,
          ...BODY_CODES,
        ),
      },
    )
    .get(
      '/api/channels/:channel_id/webhooks',
      async ({ params: { channel_id } }) =>
        selectWebhooks(parts.sql, parts.sql`w.channel_id = ${channel_id} order by w.id`),
      {
        params: ChannelPath,
        channel: 'manage_webhooks',
        detail: { summary: 'List the webhooks of a channel (manage_webhooks), at most 15', tags },
        response: answers({ 200: z.array(Webhook) }, ...PLACE_CODES),
      },
    )
    .get(
      '/api/servers/:server_id/webhooks',
      async ({ params: { server_id }, me, query, request }) =>
        offsetList<Webhook>(request, query, (limit, offset) => {
          const required = permissions('view_channel', 'manage_webhooks')
          const { sql } = parts
          return selectWebhooks(
            sql,
            sql`c.server_id = ${server_id} and exists (select from channel_access(c.id, ${me.id}) ca
              where ca.permissions & ${required} = ${required}) order by w.id limit ${limit} offset ${offset}`,
          )
        }),
      {
        params: z.object({ server_id: DecimalId }),
        query: OffsetQuery,
        member: 'none',
        detail: { summary: 'List the webhooks of the channels where the caller has manage_webhooks', tags },
        response: answers({ 200: z.array(Webhook) }, ...PLACE_CODES),
      },
    )
    .put(
      '/api/webhooks/:webhook_id',
      async ({ params: { webhook_id }, me, caller, body }) => {
        await parts.limits.take(caller, CHANGES, `user:${me.id}`)
        return parts.write((sql, emit) => changeWebhook(sql, emit, me.id, webhook_id, body))
      },
      {
        params: WebhookPath,
        body: WebhookPatch,
        detail: { summary: 'Change a webhook (manage_webhooks)', tags },
        response: answers(
          { 200: Webhook },
          'too_many_webhooks',
          'forbidden',
          'picture_unreadable',
          ...PLACE_CODES,
          ...BODY_CODES,
        ),
      },
    )
    .post(
      '/api/webhooks/:webhook_id/rotate',
      async ({ params: { webhook_id }, me, caller }) => {
        await parts.limits.take(caller, CHANGES, `user:${me.id}`)
        return parts.write((sql) => rotateWebhook(sql, { id: me.id, base: caller.base }, webhook_id))
      },
      {
        params: WebhookPath,
        body: NoBody,
        detail: { summary: 'Renew the URL of a webhook (manage_webhooks); the old one stops working at once', tags },
        response: answers({ 200: IssuedWebhook }, 'forbidden', ...PLACE_CODES, ...BODY_CODES),
      },
    )
    .delete(
      '/api/webhooks/:webhook_id',
      async ({ params: { webhook_id }, me, status }) => {
        await parts.write((sql, emit) => deleteWebhook(sql, emit, me.id, webhook_id))
        return status(204, undefined)
      },
      {
        params: WebhookPath,
        detail: { summary: 'Delete a webhook (manage_webhooks); its messages stay', tags },
        response: answers({ 204: Nothing }, 'forbidden', ...PLACE_CODES),
      },
    )
