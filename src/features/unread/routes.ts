import { z } from 'zod'
import { BODY_CODES, found, ROOM_CODES, SHAPE_CODES, TOKEN_CODES } from '../../core/errors.ts'
import { answers, DecimalId, NoBody, Nothing } from '../../core/schema.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { guarded, membership } from '../servers/guard.ts'
import type { Sessions } from '../sessions/store.ts'
import { FirstMessage, SinceQuery, Unread, UNREAD_LOOKED_AT, UnreadFrom, UnreadQuery } from './model.ts'
import { markServerRead, markUnread, unreadIn } from './unread.ts'

const tags = ['Notifications']
/** Low, because each scans many messages of up to a hundred channels. */
const READINGS: BucketPolicy = { name: 'unread', burst: 30, refill_per_s: 3 }
/** Low, because each mark that moves is an event. */
const MARKS: BucketPolicy = { name: 'marks', burst: 30, refill_per_s: 1 }
/** Cost in tokens of marking every channel of a server. */
const SERVER_MARKS = 5
const DERIVED = `Found from the messages and the mark whenever it is asked for, from the newest
${UNREAD_LOOKED_AT.toLocaleString('en')} messages above the mark: behind so many notices, own messages or messages of
those whom the caller blocks, a channel counts as read. Ask after events that may change it in another way than a new
message does: edits, deletions, blocks, mutes, and changes of roles and access.`

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
          summary: 'What is unread in channels; those that the caller does not see are left out',
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
        detail: { summary: 'The first message of a channel since a time', tags: ['Messages'] },
        response: answers({ 200: FirstMessage }, ...ROOM_CODES),
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
          summary: 'Mark a message and all after it unread',
          description:
            'A direct message stays read for its sender. Clients mark it read when the place is opened again.',
          tags,
        },
        response: answers({ 200: Unread }, ...ROOM_CODES, ...BODY_CODES),
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
        detail: { summary: 'Mark every channel of a server read that the caller sees', tags },
        response: answers({ 204: Nothing }, ...ROOM_CODES, ...BODY_CODES),
      },
    )
