import { z } from 'zod'
import { PLACE_CODES, Problem } from '../../core/errors.ts'
import { CursorQuery } from '../../core/paging.ts'
import { answers, DecimalId, Nothing, PublicUser } from '../../core/schema.ts'
import type { Parts } from '../../parts.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import { cursorList, slice } from '../../http/lists.ts'
import { demand, guarded } from '../access/guard.ts'
import type { Sessions } from '../sessions/store.ts'
import { announceFollower } from './announce.ts'
import { addFollower, follow, removeFollower } from './follow.ts'

const tags = ['Channels']
const ChannelPath = z.object({ channel_id: DecimalId })
const FollowerPath = ChannelPath.extend({ user_id: DecimalId })
/** Changes of who else follows a thread. Low, because each reaches another person. */
const OTHERS: BucketPolicy = { name: 'followers', burst: 20, refillPerS: 0.2 }

/** Followers of threads. Routes of any type of channel are in features/channels, lists in features/forums. */
export const threadRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions)
    .put(
      '/api/channels/:channel_id/followers/@me',
      async ({ params, me, status }) => {
        const change = await parts.write((sql, emit) => follow(sql, emit, params.channel_id, me.id, true))
        await announceFollower(parts, change)
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
        const change = await parts.write((sql, emit) => follow(sql, emit, params.channel_id, me.id, false))
        await announceFollower(parts, change)
        return status(204, undefined)
      },
      {
        params: ChannelPath,
        detail: { summary: 'Unfollow a thread', tags },
        response: answers({ 204: Nothing }, 'forbidden', ...PLACE_CODES),
      },
    )
    .get(
      '/api/channels/:channel_id/followers',
      async ({ channel, query, request }) => {
        if (channel.type !== 'thread') throw new Problem('forbidden', 'Only threads can be followed')
        demand(channel.permissions, 'manage_threads')
        return cursorList<PublicUser>(
          request,
          query,
          'oldest',
          ({ id }) => id,
          async (scan) => {
            const { sql } = parts
            const rows = await sql<{ user: PublicUser }[]>`
              select public_user(u) as user from thread_followers f join users u on u.id = f.user_id
              cross join lateral channel_access(f.channel_id, f.user_id) ca
              where f.channel_id = ${channel.id} and can_view(ca.permissions) and ${slice(sql, 'f.user_id', scan)}`
            return rows.map(({ user }) => user)
          },
        )
      },
      {
        params: ChannelPath,
        query: CursorQuery,
        channel: 'none',
        detail: { summary: 'List who follows a thread (manage_threads)', tags },
        response: answers({ 200: z.array(PublicUser) }, 'forbidden', ...PLACE_CODES),
      },
    )
    .put(
      '/api/channels/:channel_id/followers/:user_id',
      async ({ params: { channel_id, user_id }, me, caller, status }) => {
        await parts.limits.take(caller, OTHERS, `user:${me.id}`)
        const change = await parts.write((sql, emit) =>
          user_id === me.id
            ? follow(sql, emit, channel_id, me.id, true)
            : addFollower(sql, emit, channel_id, me.id, user_id),
        )
        await announceFollower(parts, change)
        return status(204, undefined)
      },
      {
        params: FollowerPath,
        detail: {
          summary: 'Let another member follow a thread, as a mention would (send_in_threads)',
          tags,
        },
        response: answers({ 204: Nothing }, 'forbidden', 'cannot_contact', ...PLACE_CODES),
      },
    )
    .delete(
      '/api/channels/:channel_id/followers/:user_id',
      async ({ params: { channel_id, user_id }, me, caller, status }) => {
        await parts.limits.take(caller, OTHERS, `user:${me.id}`)
        const change = await parts.write((sql, emit) =>
          user_id === me.id
            ? follow(sql, emit, channel_id, me.id, false)
            : removeFollower(sql, emit, channel_id, me.id, user_id),
        )
        await announceFollower(parts, change)
        return status(204, undefined)
      },
      {
        params: FollowerPath,
        detail: { summary: 'Let another member follow a thread no longer (manage_threads)', tags },
        response: answers({ 204: Nothing }, 'forbidden', ...PLACE_CODES),
      },
    )
