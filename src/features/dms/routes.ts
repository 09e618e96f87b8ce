import { Elysia } from 'elysia'
import { z } from 'zod'
import type { Transaction } from '../../database/database.ts'
import { json } from '../../http/answers.ts'
import { offsetList } from '../../http/lists.ts'
import type { Parts } from '../../parts.ts'
import { topic } from '../../core/events.ts'
import { BODY_CODES, found, Problem, SHAPE_CODES, TOKEN_CODES } from '../../core/errors.ts'
import { CursorQuery, OffsetQuery } from '../../core/paging.ts'
import { answers, DecimalId, NoBody, Nothing } from '../../core/schema.ts'
import { editMessage } from '../messages/edit.ts'
import { messagePage } from '../messages/list.ts'
import { TextEdit } from '../messages/model.ts'
import { lockedPlace } from '../access/place.ts'
import { removeMessage } from '../messages/remove.ts'
import { sendOrForward } from '../messages/forward.ts'
import type { SendGroups } from '../messages/send-groups.ts'
import { withMine } from '../reactions/mine.ts'
import { signedIn } from '../sessions/identity.ts'
import type { Sessions } from '../sessions/store.ts'
import { conversationWith, endMovedBack, lockPair, selectConversations } from './conversation.ts'
import { markAllRead, markRead } from '../messages/reading.ts'
import { Conversation, DirectDraft, DirectMessage, RequestAnswer } from './model.ts'
import { answerRequest } from '../messages/requests.ts'

const tags = ['Direct messages']
const UserPath = z.object({ user_id: DecimalId })
const MessagePath = z.object({ message_id: DecimalId })
const DM_CODES = ['not_found', ...SHAPE_CODES, ...TOKEN_CODES] as const

/**
 * Finds a direct message through one of its two accounts, and locks both.
 * @throws Problem `not_found`, for a message elsewhere too
 */
async function lockedMessage(sql: Transaction, id: number, me: number) {
  const { recipient_id, ...place } = await lockedPlace(sql, id, me)
  return { ...place, recipient_id: found(recipient_id) }
}

const conversationRoutes = (parts: Parts, sessions: Sessions, groups: SendGroups) =>
  new Elysia({ prefix: '/api/dm' })
    .use(signedIn(parts, sessions))
    .post(
      '/messages',
      async ({ me, caller, body: { recipient_id, ...draft } }) => {
        if (recipient_id === me.id) throw new Problem('cannot_target_self')
        await parts.space.demand()
        return sendOrForward(parts, groups, { ...me, caller }, { recipient_id }, draft)
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
          'too_many_bytes',
          'too_many_uploads',
          'upload_missing',
          'not_found',
          ...BODY_CODES,
          ...TOKEN_CODES,
        ),
      },
    )
    .get(
      '/conversations',
      async ({ me, query, request }) => {
        const conversations = await offsetList(request, query, (limit, offset) =>
          selectConversations(
            parts.sql,
            me.id,
            parts.sql`select * from participants where user_id = ${me.id} and last_message_id > hidden_id
              order by last_message_id desc limit ${limit} offset ${offset}`,
          ),
        )
        return json(`[${conversations.join(',')}]`)
      },
      {
        query: OffsetQuery,
        detail: { summary: 'List conversations, the newest first, without hidden ones', tags },
        response: answers({ 200: z.array(Conversation) }, ...SHAPE_CODES, ...TOKEN_CODES),
      },
    )
    .get(
      '/:user_id/messages',
      async ({ me, params, query, request }) => {
        const channel_id = await conversationWith(parts.sql, me.id, params.user_id)
        if (channel_id === undefined) return json('[]')
        return parts.read('history', (sql) => messagePage(sql, request, query, channel_id, me.id))
      },
      {
        params: UserPath,
        query: CursorQuery,
        detail: { summary: 'List the messages between two people, newest first, without marking any as read', tags },
        response: answers({ 200: z.array(DirectMessage) }, 'cannot_target_self', ...DM_CODES),
      },
    )
    .post(
      '/:user_id/read-all',
      async ({ me, params: { user_id } }) => {
        // One transaction per batch, so that the sender can write between batches.
        const batch = (after: number) =>
          parts.write(async (sql, emit) => {
            await lockPair(sql, me.id, user_id)
            const channel_id = found(await conversationWith(sql, me.id, user_id))
            const next = await markAllRead(sql, emit, channel_id, me.id, after)
            if (next !== undefined) return { next }
            await endMovedBack(sql, emit, channel_id, me.id)
            const [conversation] = await selectConversations(
              sql,
              me.id,
              sql`select * from participants where user_id = ${me.id} and other_id = ${user_id}`,
            )
            return { conversation: found(conversation) }
          })
        let result = await batch(0)
        while (result.next !== undefined) result = await batch(result.next)
        return json(result.conversation)
      },
      {
        params: UserPath,
        body: NoBody,
        detail: { summary: 'Mark every message from an account as read', tags },
        response: answers({ 200: Conversation }, 'cannot_target_self', ...DM_CODES, ...BODY_CODES),
      },
    )
    .put(
      '/:user_id/request',
      async ({ me, params: { user_id }, body: { state }, status }) =>
        parts.write(async (sql, emit) => {
          await lockPair(sql, me.id, user_id)
          found(await conversationWith(sql, me.id, user_id))
          if (!(await answerRequest(sql, emit, me.id, user_id, state))) throw new Problem('not_found')
          return status(204, undefined)
        }),
      {
        params: UserPath,
        body: RequestAnswer,
        detail: {
          summary: 'Accept or ignore a message request; an ignored one can still be accepted',
          description: 'Its sender is not notified. An answer accepts it too.',
          tags,
        },
        response: answers({ 204: Nothing }, 'cannot_target_self', ...DM_CODES, ...BODY_CODES),
      },
    )
    .delete(
      '/:user_id/hide',
      async ({ me, params: { user_id }, status }) =>
        parts.write(async (sql, emit) => {
          await lockPair(sql, me.id, user_id)
          const channel_id = found(await conversationWith(sql, me.id, user_id))
          const [hiddenUpTo] = await sql<{ message_id: number }[]>`
            update participants set hidden_id = last_message_id
            where user_id = ${me.id} and other_id = ${user_id} and last_message_id > hidden_id
            returning hidden_id as message_id`
          if (hiddenUpTo) emit(topic.user(me.id), 'dm.hidden', { channel_id, user_id, ...hiddenUpTo })
          return status(204, undefined)
        }),
      {
        params: UserPath,
        detail: { summary: 'Hide a conversation until somebody writes again; the other account is not notified', tags },
        response: answers({ 204: Nothing }, 'cannot_target_self', ...DM_CODES),
      },
    )

const directMessageRoutes = (parts: Parts, sessions: Sessions) =>
  new Elysia({ prefix: '/api/dm/messages' })
    .use(signedIn(parts, sessions))
    .put(
      '/:message_id',
      async ({ me, params: { message_id }, body: { content } }) => {
        await parts.space.demand()
        return parts.write(async (sql, emit) => {
          await lockedMessage(sql, message_id, me.id)
          return DirectMessage.parse(await editMessage(sql, emit, message_id, me.id, { content }))
        })
      },
      {
        params: MessagePath,
        body: TextEdit,
        detail: { summary: 'Edit a direct message (sender)', tags },
        response: answers(
          { 200: DirectMessage },
          'forbidden',
          'cannot_contact',
          'storage_full',
          ...DM_CODES,
          ...BODY_CODES,
        ),
      },
    )
    .delete(
      '/:message_id',
      async ({ me, params: { message_id }, status }) =>
        parts.write(async (sql, emit) => {
          const place = await lockedMessage(sql, message_id, me.id)
          if (place.author_id !== me.id) throw new Problem('forbidden', 'Only the sender can delete a direct message')
          await removeMessage(sql, emit, message_id, place)
          return status(204, undefined)
        }),
      {
        params: MessagePath,
        detail: { summary: 'Delete a direct message (sender)', tags },
        response: answers({ 204: Nothing }, 'forbidden', ...DM_CODES),
      },
    )
    .post(
      '/:message_id/read',
      async ({ me, params: { message_id } }) =>
        parts.write(async (sql, emit) => {
          const { channel_id, recipient_id } = await lockedMessage(sql, message_id, me.id)
          if (recipient_id !== me.id)
            throw new Problem('forbidden', 'Only the recipient can mark a direct message as read')
          await markRead(sql, emit, channel_id, me.id, message_id)
          const [row] = await sql<{ message: DirectMessage }[]>`
            select message_json(m, ${me.id}) as message from messages m where id = ${message_id}`
          return found((await withMine(sql, me.id, [found(row).message]))[0])
        }),
      {
        params: MessagePath,
        body: NoBody,
        detail: { summary: 'Mark a direct message as read (recipient); its sender is notified', tags },
        response: answers({ 200: DirectMessage }, 'forbidden', ...DM_CODES, ...BODY_CODES),
      },
    )

export const dmRoutes = (parts: Parts, sessions: Sessions, groups: SendGroups) =>
  new Elysia().use(conversationRoutes(parts, sessions, groups)).use(directMessageRoutes(parts, sessions))
