import { createHash } from 'node:crypto'
import { z } from 'zod'
import { cursorList, slice } from '../../http/lists.ts'
import type { Parts } from '../../parts.ts'
import { BODY_CODES, found, Problem, ROOM_CODES } from '../../core/errors.ts'
import { CursorQuery } from '../../core/paging.ts'
import type { Permission } from '../../core/permissions.ts'
import { answers, DecimalId, Nothing } from '../../core/schema.ts'
import { audit } from '../audit/record.ts'
import { demand, guarded } from '../servers/guard.ts'
import type { Sessions } from '../sessions/store.ts'
import { field, json } from '../../http/answers.ts'
import { Message, MessageDraft, MessageEdit, mentionsIn } from './model.ts'
import { changeMessage, lockedPlace, messagePlace } from './place.ts'
import { removeMessage } from './remove.ts'

const tags = ['Messages']
const ChannelPath = z.object({ channel_id: DecimalId })
const MessagePath = z.object({ message_id: DecimalId })

/** The problems that send_message's outcomes mean. */
const refusals = {
  nonce_conflict: () => new Problem('nonce_conflict'),
  reply_unknown: () => field('reply_to_id', 'There is no such message in this channel'),
  file_unknown: () => field('file_ids', 'There is no such file of yours'),
  already_attached: () => new Problem('already_attached'),
  missing_permission: () => new Problem('missing_permission'),
  is_category: () => new Problem('forbidden', 'A category takes no messages'),
  not_found: () => new Problem('not_found'),
}

interface Sent {
  outcome: 'created' | 'repeated' | keyof typeof refusals
  missing: Permission
  event_id: number
  topic: string
  body: string
}

/** Messages of channels. SQL makes their JSON, for answers and events alike. */
export const messageRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions)
    .post(
      '/api/channels/:channel_id/messages',
      async ({ params, me, body }) => {
        await parts.space.demand()
        const { content, reply_to_id, file_ids, nonce = null } = body
        const request = JSON.stringify([content, reply_to_id, file_ids])
        const hash = nonce === null ? null : createHash('sha256').update(request).digest()
        const [sent] = await parts.write.once(
          (sql) => sql<Sent[]>`select outcome, missing, event_id, topic, body from send_message(
            ${me.id}, ${params.channel_id}, ${content}, ${mentionsIn(content)}, ${reply_to_id}, ${file_ids}, ${nonce},
            ${hash})`,
          (rows) =>
            rows
              .filter((row) => row.outcome === 'created')
              .map((row) => ({ type: 'message.created', channel_id: params.channel_id, ...row })),
        )
        const { outcome, body: message, missing } = found(sent, 'internal')
        if (outcome === 'created') return json(message, 201)
        if (outcome === 'repeated') return json(message)
        if (outcome === 'missing_permission') demand(0, missing)
        throw refusals[outcome]()
      },
      {
        params: ChannelPath,
        body: MessageDraft,
        detail: { summary: 'Send a message; 200 with the original when its nonce was used before', tags },
        response: answers(
          { 200: Message, 201: Message },
          'storage_full',
          'nonce_conflict',
          'already_attached',
          'forbidden',
          ...ROOM_CODES,
          ...BODY_CODES,
        ),
      },
    )
    .get(
      '/api/channels/:channel_id/messages',
      async ({ params, query, request }) => {
        const rows = await cursorList<{ id: number; body: string }>(
          request,
          query,
          'newest',
          (row) => row.id,
          // The inner query takes ids from the index alone; otherwise the planner may scan all channels' messages.
          (scan) => parts.sql`
            select page.id, (select message_json(m)::text from messages m where m.id = page.id) as body
            from (select id from messages
              where channel_id = ${params.channel_id} and ${slice(parts.sql, 'id', scan)}) page`,
        )
        return json(`[${rows.map((row) => row.body).join(',')}]`)
      },
      {
        params: ChannelPath,
        query: CursorQuery,
        channel: 'read_history',
        detail: { summary: 'List messages, newest first, whatever the cursor', tags },
        response: answers({ 200: z.array(Message) }, ...ROOM_CODES),
      },
    )
    .get(
      '/api/messages/:message_id',
      async ({ params, me }) => {
        const { permissions } = await messagePlace(parts.sql, params.message_id, me.id)
        demand(permissions, 'read_history')
        const [row] = await parts.sql<{ body: string }[]>`
          select message_json(m)::text as body from messages m where id = ${params.message_id}`
        return json(found(row).body)
      },
      {
        params: MessagePath,
        detail: { summary: 'Get a message', tags },
        response: answers({ 200: Message }, ...ROOM_CODES),
      },
    )
    .put(
      '/api/messages/:message_id',
      async ({ params, me, body: { content } }) => {
        await parts.space.demand()
        return parts.write(async (sql, emit) => {
          const { message } = await changeMessage(sql, emit, params.message_id, me.id, undefined, async (before) => {
            if (before.author_id !== me.id) throw new Problem('forbidden', 'Only the author edits a message')
            const [row] = await sql<{ files: number }[]>`
              update messages m set content = ${content}, edited_at = clock_timestamp(),
                mention_ids = mentioned(m.channel_id, ${mentionsIn(content)})
              where id = ${params.message_id}
              returning (select count(*)::int from files where message_id = m.id) as files`
            if (found(row).files === 0 && content === '') throw field('content', 'Must not be empty without files')
          })
          return message
        })
      },
      {
        params: MessagePath,
        body: MessageEdit,
        detail: { summary: 'Edit a message (author)', tags },
        response: answers({ 200: Message }, 'forbidden', 'storage_full', ...ROOM_CODES, ...BODY_CODES),
      },
    )
    .delete(
      '/api/messages/:message_id',
      async ({ params, me, status }) =>
        parts.write(async (sql, emit) => {
          const id = params.message_id
          const place = await lockedPlace(sql, id, me.id)
          if (place.author_id !== me.id) demand(place.permissions, 'manage_messages')
          await removeMessage(sql, emit, id, place)
          const { author_id, channel_id, server_id } = place
          const entry = { server_id, actor_id: me.id, action: 'message.deleted' as const }
          if (author_id !== me.id) await audit(sql, entry, ['message', id], { author_id, channel_id }, null)
          return status(204, undefined)
        }),
      {
        params: MessagePath,
        detail: { summary: 'Delete a message (author, or manage_messages)', tags },
        response: answers({ 204: Nothing }, ...ROOM_CODES),
      },
    )
