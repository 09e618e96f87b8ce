import { columns, type Sql, type Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { topic } from '../../core/events.ts'
import { Problem } from '../../core/errors.ts'
import { Channel } from '../access/model.ts'
import { lockedChannel } from '../messages/acknowledge.ts'
import { demandLiving } from '../access/place.ts'

/** Threads that `ready` lists for an account; the client finds the others by REST. */
export const THREADS_MAX = 500

/**
 * Follows or unfollows a thread, and notifies the account's sockets.
 * @throws Problem `not_found`, `forbidden` for another type of channel, `token_revoked`
 */
export async function follow(
  sql: Transaction,
  emit: Emit,
  channel_id: number,
  userId: number,
  following: boolean,
): Promise<void> {
  const { type, server_id, audience_id } = await lockedChannel(sql, channel_id, userId)
  if (type !== 'thread' || server_id === null) throw new Problem('forbidden', 'Only threads can be followed')
  await demandLiving(sql, userId)
  const result = following
    ? await sql`insert into thread_followers (channel_id, user_id) values (${channel_id}, ${userId})
        on conflict do nothing`
    : await sql`delete from thread_followers where channel_id = ${channel_id} and user_id = ${userId}`
  const ownTopic = topic.user(userId, { server_id, channel_id: audience_id })
  if (result.count > 0) emit(ownTopic, 'thread.followed', { channel_id, following })
}

/**
 * The unarchived threads that accounts follow, the most active first, including those in channels that they do not see.
 */
export const followedThreads = (sql: Sql, userIds: number[]) => sql<(Channel & { follower_id: number })[]>`
  select own.user_id as follower_id, ${columns(sql, Channel, 'c')}
  from unnest((select ${userIds}::bigint[])) as own (user_id)
  cross join lateral (
    select t.id, t.active_at from thread_followers f join channels t on t.id = f.channel_id
    where f.user_id = own.user_id and t.archived_at is null and t.parent_id is not null and t.hidden is not true
    order by t.active_at desc limit ${THREADS_MAX}) followed
  join channels c on c.id = followed.id order by followed.active_at desc, c.id desc`
