import { columns, type Sql, type Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { topic } from '../../core/events.ts'
import { Problem } from '../../core/errors.ts'
import { Channel } from '../access/model.ts'
import { demand, demandSight } from '../access/guard.ts'
import { lockedChannel } from '../messages/acknowledge.ts'
import { demandLiving } from '../access/place.ts'
import type { FollowerChange } from './announce.ts'

/** Threads that `ready` lists for an account; the client finds the others by REST. */
export const THREADS_MAX = 500

/**
 * Follows or unfollows a thread, and notifies the account's sockets.
 * @returns undefined if nothing has changed
 * @throws Problem `not_found`, `forbidden` for another type of channel, `token_revoked`
 */
export async function follow(
  sql: Transaction,
  emit: Emit,
  channel_id: number,
  userId: number,
  following: boolean,
): Promise<FollowerChange | undefined> {
  const { type, server_id, audience_id } = await lockedChannel(sql, channel_id, userId)
  if (type !== 'thread' || server_id === null) throw new Problem('forbidden', 'Only threads can be followed')
  await demandLiving(sql, userId)
  const result = following
    ? await sql`insert into thread_followers (channel_id, user_id) values (${channel_id}, ${userId})
        on conflict do nothing`
    : await sql`delete from thread_followers where channel_id = ${channel_id} and user_id = ${userId}`
  if (result.count === 0) return undefined
  emit(topic.user(userId, { server_id, channel_id: audience_id }), 'thread.followed', { channel_id, following })
  return { server_id, channel_id, user_id: userId, following }
}

/** A thread that an account sees, for changes of who else follows it. @throws Problem `not_found`, `forbidden` */
async function lockedThread(sql: Transaction, channel_id: number, userId: number) {
  const thread = await lockedChannel(sql, channel_id, userId)
  if (thread.type !== 'thread' || thread.server_id === null)
    throw new Problem('forbidden', 'Only threads can be followed')
  await demandLiving(sql, userId)
  return { ...thread, server_id: thread.server_id }
}

/**
 * Lets another member follow a thread, as a mention of them would.
 * @returns undefined if nothing has changed
 * @throws Problem `not_found` also for who does not see the thread, `missing_permission`, `forbidden`, `cannot_contact`
 * for somebody who has a block with the actor, `token_revoked`
 */
export async function addFollower(
  sql: Transaction,
  emit: Emit,
  channel_id: number,
  actorId: number,
  userId: number,
): Promise<FollowerChange | undefined> {
  const { permissions, locked, hidden, archived_at, server_id, audience_id } = await lockedThread(
    sql,
    channel_id,
    actorId,
  )
  demand(permissions, 'send_in_threads')
  if (locked || hidden === true) demand(permissions, 'manage_threads')
  if (archived_at !== null) throw new Problem('forbidden', 'The thread is archived')
  const [target] = await sql<{ permissions: number; is_blocked: boolean }[]>`
    select ca.permissions, exists (select from relations_of r
      where r.user_id = ${actorId} and r.other_id = ${userId} and (r.blocks or r.is_blocked)) as is_blocked
    from channel_access(${channel_id}, ${userId}) ca`
  demandSight(target?.permissions)
  if (target?.is_blocked) throw new Problem('cannot_contact')
  const added = await sql`select follow_thread(${channel_id}, ${[userId]}::bigint[])`
  if (added.length === 0) return undefined
  const event = { channel_id, following: true }
  emit(topic.user(userId, { server_id, channel_id: audience_id }), 'thread.followed', event)
  return { server_id, user_id: userId, ...event }
}

/**
 * Lets another member follow a thread no longer. They may follow it again.
 * @returns undefined if nothing has changed
 * @throws Problem `not_found`, `missing_permission`, `forbidden`, `token_revoked`
 */
export async function removeFollower(
  sql: Transaction,
  emit: Emit,
  channel_id: number,
  actorId: number,
  userId: number,
): Promise<FollowerChange | undefined> {
  const { permissions, server_id, audience_id } = await lockedThread(sql, channel_id, actorId)
  demand(permissions, 'manage_threads')
  const removed = await sql`delete from thread_followers where channel_id = ${channel_id} and user_id = ${userId}`
  if (removed.count === 0) return undefined
  const event = { channel_id, following: false }
  emit(topic.user(userId, { server_id, channel_id: audience_id }), 'thread.followed', event)
  return { server_id, user_id: userId, ...event }
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
