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
  user_id: number,
  following: boolean,
): Promise<void> {
  const { type, server_id, audience_id } = await lockedChannel(sql, channel_id, user_id)
  if (type !== 'thread' || server_id === null) throw new Problem('forbidden', 'Only threads can be followed')
  await demandLiving(sql, user_id)
  const changed = following
    ? await sql`insert into thread_followers (channel_id, user_id) values (${channel_id}, ${user_id})
        on conflict do nothing`
    : await sql`delete from thread_followers where channel_id = ${channel_id} and user_id = ${user_id}`
  const own = topic.user(user_id, { server_id, channel_id: audience_id })
  if (changed.count > 0) emit(own, 'thread.followed', { channel_id, following })
}

/**
 * The unarchived threads that accounts follow, the most active first, including those in channels that they do not see.
 */
export const followedThreads = (sql: Sql, user_ids: number[]) => sql<(Channel & { follower_id: number })[]>`
  select own.user_id as follower_id, ${columns(sql, Channel, 'c')}
  from unnest((select ${user_ids}::bigint[])) as own (user_id)
  cross join lateral (
    select t.id, t.active_at from thread_followers f join channels t on t.id = f.channel_id
    where f.user_id = own.user_id and t.archived_at is null and t.parent_id is not null
    order by t.active_at desc limit ${THREADS_MAX}) followed
  join channels c on c.id = followed.id order by followed.active_at desc, c.id desc`
