import { createHash } from 'node:crypto'
import { Elysia } from 'elysia'
import { z } from 'zod'
import { cursorList, offsetList, slice } from '../../http/lists.ts'
import type { Parts } from '../../parts.ts'
import { topic } from '../../core/events.ts'
import { BODY_CODES, found, Problem, SHAPE_CODES, TOKEN_CODES } from '../../core/errors.ts'
import { CursorQuery, OffsetQuery } from '../../core/paging.ts'
import { answers, DecimalId, NoBody, Nothing } from '../../core/schema.ts'
import { MessageEdit } from '../messages/model.ts'
import { field, json } from '../../http/answers.ts'
import { signedIn } from '../sessions/identity.ts'
import type { Sessions } from '../sessions/store.ts'
import {
  conversationWith,
  demandContact,
  lockedMessage,
  lockPair,
  markAllRead,
  markRead,
  selectConversations,
  removeDirectMessage,
  emitDmUpdated,
} from './conversation.ts'
import { Conversation, DirectDraft, DirectMessage } from './model.ts'

const tags = ['Direct messages']
const UserPath = z.object({ user_id: DecimalId })
const MessagePath = z.object({ message_id: DecimalId })
const ROOM = ['not_found', ...SHAPE_CODES, ...TOKEN_CODES] as const

/** The problems that send_dm's outcomes mean. */
const refusals = {
  nonce_conflict: () => new Problem('nonce_conflict'),
  file_unknown: () => field('file_ids', 'There is no such file of yours'),
  already_attached: () => new Problem('already_attached'),
  cannot_contact: () => new Problem('cannot_contact'),
  not_found: () => new Problem('not_found'),
}

interface Sent {
  outcome: 'created' | 'repeated' | keyof typeof refusals
  body: string
  event_ids: number[] | null
  topics: string[]
  bodies: string[]
}

const eventsOf = ({ event_ids, topics, bodies }: Sent) =>
  (event_ids ?? []).map((event_id, at) => ({
    type: 'dm.created',
    event_id,
    topic: topics[at] as string,
    body: bodies[at] as string,
  }))

/** Conversations: send, list, mark read, hide. */
const conversationRoutes = (parts: Parts, sessions: Sessions) =>
  new Elysia({ prefix: '/api/dm' })
    .use(signedIn(parts, sessions))
    .post(
      '/messages',
      async ({ me, body: { recipient_id, content, file_ids, nonce = null } }) => {
        if (recipient_id === me.id) throw new Problem('cannot_target_self')
        await parts.space.demand()
        const request = JSON.stringify([content, file_ids])
        const hash = nonce === null ? null : createHash('sha256').update(request).digest()
        const [sent] = await parts.write.once(
          (sql) => sql<Sent[]>`select outcome, body, event_ids, topics, bodies from send_dm(
            ${me.id}, ${recipient_id}, ${content}, ${file_ids}, ${nonce}, ${hash})`,
          (rows) => rows.flatMap(eventsOf),
        )
        const { outcome, body: message } = found(sent, 'internal')
        if (outcome === 'created') return json(message, 201)
        if (outcome === 'repeated') return json(message)
        throw refusals[outcome]()
      },
      {
        body: DirectDraft,
        detail: { summary: 'Send a direct message; 200 with the original when its nonce was used before', tags },
        response: answers(
          { 200: DirectMessage, 201: DirectMessage },
          'storage_full',
          'cannot_contact',
          'cannot_target_self',
          'nonce_conflict',
          'already_attached',
          'not_found',
          ...BODY_CODES,
          ...TOKEN_CODES,
        ),
      },
    )
    .get(
      '/conversations',
      async ({ me, query, request }) =>
        offsetList<Conversation>(request, query, (limit, offset) =>
          selectConversations(
            parts.sql,
            parts.sql`select * from participants where user_id = ${me.id} and last_message_id > hidden_id
              order by last_message_id desc limit ${limit} offset ${offset}`,
          ),
        ),
      {
        query: OffsetQuery,
        detail: { summary: 'List conversations, the newest first, without hidden ones', tags },
        response: answers({ 200: z.array(Conversation) }, ...SHAPE_CODES, ...TOKEN_CODES),
      },
    )
    .get(
      '/:user_id/messages',
      async ({ me, params, query, request }) => {
        const conversation_id = (await conversationWith(parts.sql, me.id, params.user_id)) ?? 0
        const rows = await cursorList<{ id: number; body: string }>(
          request,
          query,
          'newest',
          (row) => row.id,
          (scan) => parts.sql`
            select page.id, (select dm_json(d, ${me.id})::text from dm_messages d where d.id = page.id) as body
            from (select id from dm_messages
              where conversation_id = ${conversation_id} and ${slice(parts.sql, 'id', scan)}) page`,
        )
        return json(`[${rows.map((row) => row.body).join(',')}]`)
      },
      {
        params: UserPath,
        query: CursorQuery,
        detail: { summary: 'List the messages between two people, newest first; reading marks nothing read', tags },
        response: answers({ 200: z.array(DirectMessage) }, 'cannot_target_self', ...ROOM),
      },
    )
    .post(
      '/:user_id/read-all',
      async ({ me, params: { user_id } }) => {
        // Each batch is a transaction: the sender does not wait for all of them.
        const batch = (after: number) =>
          parts.write(async (sql, emit) => {
            await lockPair(sql, [me.id, user_id], me.id)
            const conversation_id = found(await conversationWith(sql, me.id, user_id))
            const next = await markAllRead(sql, emit, conversation_id, me.id, after)
            if (next !== undefined) return { next }
            const [conversation] = await selectConversations(
              sql,
              sql`select * from participants where user_id = ${me.id} and other_id = ${user_id}`,
            )
            return { conversation: found(conversation) }
          })
        let done = await batch(0)
        while (done.next !== undefined) done = await batch(done.next)
        return done.conversation
      },
      {
        params: UserPath,
        body: NoBody,
        detail: { summary: 'Mark every message of an account read', tags },
        response: answers({ 200: Conversation }, 'cannot_target_self', ...ROOM, ...BODY_CODES),
      },
    )
    .delete(
      '/:user_id/hide',
      async ({ me, params: { user_id }, status }) =>
        parts.write(async (sql, emit) => {
          await lockPair(sql, [me.id, user_id], me.id)
          found(await conversationWith(sql, me.id, user_id))
          const [hidden] = await sql<{ message_id: number }[]>`
            update participants set hidden_id = last_message_id
            where user_id = ${me.id} and other_id = ${user_id} and last_message_id > hidden_id
            returning hidden_id as message_id`
          if (hidden) emit(topic.user(me.id), 'dm.hidden', { user_id, ...hidden })
          return status(204, undefined)
        }),
      {
        params: UserPath,
        detail: { summary: 'Hide a conversation until somebody writes again; the other is not told', tags },
        response: answers({ 204: Nothing }, 'cannot_target_self', ...ROOM),
      },
    )

/** One direct message: edit, delete, mark read. */
const directMessageRoutes = (parts: Parts, sessions: Sessions) =>
  new Elysia({ prefix: '/api/dm/messages' })
    .use(signedIn(parts, sessions))
    .put(
      '/:message_id',
      async ({ me, params: { message_id }, body: { content } }) => {
        await parts.space.demand()
        return parts.write(async (sql, emit) => {
          const { sender_id, recipient_id } = await lockedMessage(sql, message_id, me.id)
          if (sender_id !== me.id) throw new Problem('forbidden', 'Only the sender edits a direct message')
          // An edit reaches the recipient like a new message, so the same rule applies.
          await demandContact(sql, me.id, recipient_id)
          const [row] = await sql<{ files: number }[]>`
            update dm_messages d set content = ${content}, edited_at = clock_timestamp() where id = ${message_id}
            returning (select count(*)::int from files where dm_message_id = d.id) as files`
          if (found(row).files === 0 && content === '') throw field('content', 'Must not be empty without files')
          return emitDmUpdated(sql, emit, message_id)
        })
      },
      {
        params: MessagePath,
        body: MessageEdit,
        detail: { summary: 'Edit a direct message (sender)', tags },
        response: answers(
          { 200: DirectMessage },
          'forbidden',
          'cannot_contact',
          'storage_full',
          ...ROOM,
          ...BODY_CODES,
        ),
      },
    )
    .delete(
      '/:message_id',
      async ({ me, params: { message_id }, status }) =>
        parts.write(async (sql, emit) => {
          const place = await lockedMessage(sql, message_id, me.id)
          if (place.sender_id !== me.id) throw new Problem('forbidden', 'Only the sender deletes a direct message')
          await removeDirectMessage(sql, emit, place)
          return status(204, undefined)
        }),
      {
        params: MessagePath,
        detail: { summary: 'Delete a direct message (sender)', tags },
        response: answers({ 204: Nothing }, 'forbidden', ...ROOM),
      },
    )
    .post(
      '/:message_id/read',
      async ({ me, params: { message_id } }) =>
        parts.write(async (sql, emit) => {
          const { conversation_id, recipient_id } = await lockedMessage(sql, message_id, me.id)
          if (recipient_id !== me.id) throw new Problem('forbidden', 'Only the recipient marks a direct message read')
          await markRead(sql, emit, conversation_id, me.id, message_id)
          const [row] = await sql<{ message: DirectMessage }[]>`
            select dm_json(d, ${me.id}) as message from dm_messages d where id = ${message_id}`
          return found(row).message
        }),
      {
        params: MessagePath,
        body: NoBody,
        detail: { summary: 'Mark one direct message read (recipient); its sender is told', tags },
        response: answers({ 200: DirectMessage }, 'forbidden', ...ROOM, ...BODY_CODES),
      },
    )

/** Direct messages. */
export const dmRoutes = (parts: Parts, sessions: Sessions) =>
  new Elysia().use(conversationRoutes(parts, sessions)).use(directMessageRoutes(parts, sessions))
