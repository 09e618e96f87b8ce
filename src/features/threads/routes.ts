import { z } from 'zod'
import { columns } from '../../database/database.ts'
import { BODY_CODES, PLACE_CODES } from '../../core/errors.ts'
import { OffsetQuery } from '../../core/paging.ts'
import { answers, DecimalId, Nothing } from '../../core/schema.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import { offsetList } from '../../http/lists.ts'
import type { Parts } from '../../parts.ts'
import { Channel } from '../access/model.ts'
import { guarded } from '../access/guard.ts'
import type { Sessions } from '../sessions/store.ts'
import { beginThread } from './begin.ts'
import { judgeName } from './change.ts'
import { follow } from './follow.ts'
import { ThreadDraft } from './model.ts'

const tags = ['Channels']
const ChannelPath = z.object({ channel_id: DecimalId })
/** Low, because each posts a message in the channel, and may archive another thread. */
const THREADS: BucketPolicy = { name: 'threads', burst: 20, refillPerS: 0.2 }
const flag = z.enum(['true', 'false']).default('false')

/** Threads of channels. Routes that apply to any type of channel, threads included, are in features/channels. */
export const threadRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions)
    .post(
      '/api/channels/:channel_id/threads',
      async ({ params, me, caller, body, status }) => {
        await parts.space.demand()
        await parts.limits.take(caller, THREADS, `user:${me.id}`)
        const settle = await judgeName(parts.judge, params.channel_id, me.id, body.name, 'create_threads')
        const thread = await parts.write((sql, emit) => beginThread(sql, emit, params.channel_id, me.id, body))
        await settle?.()
        return status(201, thread)
      },
      {
        params: ChannelPath,
        body: ThreadDraft,
        detail: {
          summary: 'Start a thread in a text or voice channel (create_threads), optionally at one of its messages',
          tags,
        },
        response: answers(
          { 201: Channel },
          'thread_exists',
          'automod_blocked',
          'forbidden',
          'slowmode',
          'storage_full',
          ...PLACE_CODES,
          ...BODY_CODES,
        ),
      },
    )
    .get(
      '/api/channels/:channel_id/threads',
      async ({ channel: { id }, me, query, request }) => {
        const { sql } = parts
        const [state, order] =
          query.archived === 'true'
            ? [sql`c.archived_at is not null`, sql`c.archive_active_at`]
            : [sql`c.archived_at is null`, sql`c.active_at`]
        const follows = sql`exists (select from thread_followers f where f.channel_id = c.id and f.user_id = ${me.id})`
        return offsetList<Channel>(
          request,
          query,
          (limit, offset) => sql`select ${columns(sql, Channel, 'c')} from channels c
            where c.parent_id = ${id} and c.type = 'thread' and ${state}
              ${query.followed === 'true' ? sql`and ${follows}` : sql``}
            order by ${order} desc, c.id desc limit ${limit} offset ${offset}`,
        )
      },
      {
        params: ChannelPath,
        query: OffsetQuery.extend({
          archived: flag.describe('`true`: those in the archive'),
          followed: flag.describe('`true`: only those that the caller follows'),
        }),
        channel: 'none',
        detail: {
          summary: 'List the threads of a channel, most active first',
          tags,
        },
        response: answers({ 200: z.array(Channel) }, ...PLACE_CODES),
      },
    )
    .put(
      '/api/channels/:channel_id/followers/@me',
      async ({ params, me, status }) => {
        await parts.write((sql, emit) => follow(sql, emit, params.channel_id, me.id, true))
        return status(204, undefined)
      },
      {
        params: ChannelPath,
        detail: {
          summary: 'Follow a thread: its messages count as unread',
          description: 'Writing in a thread, or being mentioned there, follows it too.',
          tags,
        },
        response: answers({ 204: Nothing }, 'forbidden', ...PLACE_CODES),
      },
    )
    .delete(
      '/api/channels/:channel_id/followers/@me',
      async ({ params, me, status }) => {
        await parts.write((sql, emit) => follow(sql, emit, params.channel_id, me.id, false))
        return status(204, undefined)
      },
      {
        params: ChannelPath,
        detail: { summary: 'Unfollow a thread', tags },
        response: answers({ 204: Nothing }, 'forbidden', ...PLACE_CODES),
      },
    )
