import { z } from 'zod'
import type { Parts } from '../../parts.ts'
import { BODY_CODES, found, PLACE_CODES } from '../../core/errors.ts'
import { CursorQuery } from '../../core/paging.ts'
import { answers, DecimalId, Nothing } from '../../core/schema.ts'
import { audit } from '../audit/record.ts'
import { lockServersShowing } from '../files/access.ts'
import { bodiesWithMine } from '../reactions/mine.ts'
import { demand, guarded, serverOf } from '../access/guard.ts'
import type { Sessions } from '../sessions/store.ts'
import { field, json } from '../../http/answers.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import { lockedChannel } from './acknowledge.ts'
import { editMessage, judgeEdit } from './edit.ts'
import { messagePage } from './list.ts'
import { BulkDeletion, Message, MessageDraft, MessageEdit } from './model.ts'
import { lockedPlace, messagePlace } from '../access/place.ts'
import { hidePost, removeMessage, removeMessages } from './remove.ts'
import { embedsOf } from '../previews/embed-drafts.ts'
import { demandOfBot, sendOrForward } from './forward.ts'
import type { SendGroups } from './send-groups.ts'

const tags = ['Messages']
const ChannelPath = z.object({ channel_id: DecimalId })
const MessagePath = z.object({ message_id: DecimalId })

/** Low, because each causes up to a hundred events. */
const BULK_DELETIONS: BucketPolicy = { name: 'bulk-deletions', burst: 10, refillPerS: 0.5 }

/** Messages of channels. SQL produces their JSON for answers and events alike. */
export const messageRoutes = (parts: Parts, sessions: Sessions, groups: SendGroups) =>
  guarded(parts, sessions)
    .post(
      '/api/channels/:channel_id/messages',
      async ({ params, me, caller, body }) => {
        await parts.space.demand()
        return sendOrForward(parts, groups, { ...me, caller }, params, body)
      },
      {
        params: ChannelPath,
        body: MessageDraft,
        detail: { summary: 'Send a message; 200 with the original when its nonce was used before', tags },
        response: answers(
          { 200: Message, 201: Message },
          'automod_blocked',
          'storage_full',
          'nonce_conflict',
          'already_attached',
          'too_many_bytes',
          'too_many_uploads',
          'upload_missing',
          'cannot_contact',
          'forbidden',
          ...PLACE_CODES,
          ...BODY_CODES,
        ),
      },
    )
    .get(
      '/api/channels/:channel_id/messages',
      async ({ params, query, request, me }) =>
        parts.read('history', (sql) => messagePage(sql, request, query, params.channel_id, me.id)),
      {
        params: ChannelPath,
        query: CursorQuery,
        detail: { summary: 'List messages, newest first, whatever the cursor', tags },
        response: answers({ 200: z.array(Message) }, ...PLACE_CODES),
      },
    )
    .post(
      '/api/channels/:channel_id/messages/bulk-delete',
      async ({ params: { channel_id }, me, caller, body: { ids }, status }) => {
        await parts.limits.take(caller, BULK_DELETIONS, `user:${me.id}`)
        return parts.write(async (sql, emit) => {
          await lockServersShowing(sql, sql`f.message_id = any(${ids})`)
          const channel = await lockedChannel(sql, channel_id, me.id)
          const server_id = serverOf(channel, 'manage_messages')
          demand(channel.permissions, 'manage_messages')
          const messages = await sql<{ id: number; author_id: number }[]>`
            select id, author_id from messages where id = any(${ids}) and channel_id = ${channel_id}`
          const authors = new Map(messages.map(({ id, author_id }) => [id, author_id]))
          await sql`select 1 from users where id = any(${[...authors.values()]}) order by id for key share`
          await hidePost(sql, channel_id, ids, me.id)
          const removedIds = await removeMessages(sql, emit, ids, { ...channel, channel_id, recipient_id: null })
          const entry = { server_id, actor_id: me.id, action: 'messages.deleted' as const }
          const author_ids = [...new Set(removedIds.flatMap((id) => authors.get(id) ?? []))]
          const deletion = { message_ids: removedIds, author_ids }
          if (removedIds.length > 0) await audit(sql, entry, ['channel', channel_id], deletion, null)
          return status(204, undefined)
        })
      },
      {
        params: ChannelPath,
        body: BulkDeletion,
        channel: 'none',
        detail: { summary: 'Delete up to 100 messages of a channel at once (manage_messages)', tags },
        response: answers({ 204: Nothing }, ...PLACE_CODES, ...BODY_CODES),
      },
    )
    .get(
      '/api/messages/:message_id',
      async ({ params, me }) => {
        const { permissions } = await messagePlace(parts.sql, params.message_id, me.id)
        demand(permissions, 'read_history')
        const [row] = await parts.sql<{ body: string }[]>`
          select message_json(m, ${me.id})::text as body from messages m where id = ${params.message_id}`
        const [body] = await bodiesWithMine(parts.sql, me.id, [found(row).body])
        return json(found(body))
      },
      {
        params: MessagePath,
        detail: { summary: 'Get a message', tags },
        response: answers({ 200: Message }, ...PLACE_CODES),
      },
    )
    .put(
      '/api/messages/:message_id',
      async ({ params, me, body }) => {
        const { embeds, ...fields } = body
        const { components, allowed_mentions } = fields
        // Also an empty list is a change that only bots make.
        demandOfBot(me, { components: components && [components], embeds: embeds && [embeds], allowed_mentions })
        if (fields.file_ids && !me.is_bot) throw field('file_ids', 'Only bots can change the files of a message')
        await parts.space.demand()
        const cards = embeds && embedsOf(embeds, parts.environment.LINK_PREVIEWS === 'on')
        const change = { ...fields, embeds: cards }
        const settle = await judgeEdit(parts, params.message_id, me.id, change)
        const message = await parts.write((sql, emit) => editMessage(sql, emit, params.message_id, me.id, change))
        await settle?.()
        return message
      },
      {
        params: MessagePath,
        body: MessageEdit,
        detail: { summary: 'Edit a message (author)', tags },
        response: answers(
          { 200: Message },
          'automod_blocked',
          'forbidden',
          'cannot_contact',
          'storage_full',
          'already_attached',
          ...PLACE_CODES,
          ...BODY_CODES,
        ),
      },
    )
    .delete(
      '/api/messages/:message_id',
      async ({ params, me, status }) =>
        parts.write(async (sql, emit) => {
          const id = params.message_id
          await lockServersShowing(sql, sql`f.message_id = ${id}`)
          const place = await lockedPlace(sql, id, me.id)
          const isOwn = place.author_id === me.id && !place.kind.endsWith('_alert')
          if (!isOwn) {
            demand(place.permissions, 'manage_messages')
            await hidePost(sql, place.channel_id, [id], me.id)
          }
          await removeMessage(sql, emit, id, place)
          const { author_id, channel_id, server_id } = place
          if (!isOwn && server_id !== null) {
            const entry = { server_id, actor_id: me.id, action: 'message.deleted' as const }
            await audit(sql, entry, ['message', id], { author_id, channel_id }, null)
          }
          return status(204, undefined)
        }),
      {
        params: MessagePath,
        detail: { summary: 'Delete a message (author, or manage_messages)', tags },
        response: answers({ 204: Nothing }, ...PLACE_CODES),
      },
    )
