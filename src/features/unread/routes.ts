import { z } from 'zod'
import { BODY_CODES, found, PLACE_CODES, SHAPE_CODES, TOKEN_CODES } from '../../core/errors.ts'
import { answers, DecimalId, NoBody, Nothing } from '../../core/schema.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { guarded, membership } from '../access/guard.ts'
import type { Sessions } from '../sessions/store.ts'
import { FirstMessage, SinceQuery, Unread, UNREAD_LOOKED_AT, UnreadFrom, UnreadQuery } from './model.ts'
import { markServerRead, markUnread, unreadIn } from './unread.ts'

const tags = ['Notifications']
/** Low, because each scans many messages of up to a hundred channels. */
const READINGS: BucketPolicy = { name: 'unread', burst: 30, refillPerS: 3 }
/** Low, because each mark that moves is an event. */
const MARKS: BucketPolicy = { name: 'marks', burst: 30, refillPerS: 1 }
/** Cost in tokens of marking every channel of a server. */
const SERVER_MARKS = 5
const DERIVED = `Computed on request from the newest ${UNREAD_LOOKED_AT.toLocaleString('en')} messages above the read
mark; a channel where all of these are notices, own messages or messages of blocked accounts counts as read. Ask again
after events other than new messages that may change it: edits, deletions, blocks, mutes, and changes of roles and
access.`

export const unreadRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions)
    .get(
      '/api/unread',
      async ({ me, caller, query }) => {
        await parts.limits.take(caller, READINGS, `user:${me.id}`)
        return unreadIn(parts.sql, me.id, query.channel_ids)
      },
      {
        query: UnreadQuery,
        detail: {
          summary: 'Get the unread state of channels; channels that the caller does not see are omitted',
          description: DERIVED,
          tags,
        },
        response: answers({ 200: z.array(Unread) }, ...SHAPE_CODES, ...TOKEN_CODES),
      },
    )
    .get(
      '/api/channels/:channel_id/first-message',
      async ({ params, query }) => {
        const [first] = await parts.sql<{ message_id: number | null }[]>`
          select first_message_since(${params.channel_id}, ${query.since}::timestamptz) as message_id`
        return found(first, 'internal')
      },
      {
        params: z.object({ channel_id: DecimalId }),
        query: SinceQuery,
        channel: 'read_history',
        detail: { summary: 'Get the first message of a channel since a time', tags: ['Messages'] },
        response: answers({ 200: FirstMessage }, ...PLACE_CODES),
      },
    )
    .post(
      '/api/channels/:channel_id/unread',
      async ({ me, caller, params, body }) => {
        await parts.limits.take(caller, MARKS, `user:${me.id}`)
        return parts.write((sql, emit) => markUnread(sql, emit, me.id, params.channel_id, body.message_id))
      },
      {
        params: z.object({ channel_id: DecimalId }),
        body: UnreadFrom,
        channel: 'read_history',
        detail: {
          summary: 'Mark a message and all after it as unread',
          description:
            'The sender of a direct message still sees it as read. Opening the place marks it as read again.',
          tags,
        },
        response: answers({ 200: Unread }, ...PLACE_CODES, ...BODY_CODES),
      },
    )
    .post(
      '/api/servers/:server_id/read-all',
      async ({ me, caller, params: { server_id }, status }) => {
        await parts.limits.take(caller, MARKS, `user:${me.id}`, SERVER_MARKS)
        await parts.write(async (sql, emit) => {
          await sql`select share_access(${server_id})`
          await membership(sql, server_id, me.id)
          await markServerRead(sql, emit, me.id, server_id)
        })
        return status(204, undefined)
      },
      {
        params: z.object({ server_id: DecimalId }),
        body: NoBody,
        member: 'none',
        detail: { summary: 'Mark every channel of a server that the caller sees as read', tags },
        response: answers({ 204: Nothing }, ...PLACE_CODES, ...BODY_CODES),
      },
    )
