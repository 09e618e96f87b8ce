import type { Sql, Transaction } from '../../database/database.ts'
import { topic } from '../../core/events.ts'
import { found } from '../../core/errors.ts'
import type { Emit } from '../../events/write.ts'
import { demand } from '../access/guard.ts'
import { lockedChannel } from '../messages/acknowledge.ts'
import type { Unread } from './model.ts'

/** The unread state of those channels that the account sees. */
export const unreadIn = (sql: Sql, userId: number, channelIds: number[]) => sql<Unread[]>`
  select u.* from unread_of(${userId}, array(
    select asked.id from unnest(${channelIds}::bigint[]) asked (id)
    cross join lateral channel_access(asked.id, ${userId}) ca where can_view(ca.permissions))) u order by u.channel_id`

/**
 * Moves the account's read mark back, so that a message and all after it are unread.
 * @throws Problem `not_found`, `missing_permission`
 */
export async function markUnread(
  sql: Transaction,
  emit: Emit,
  userId: number,
  channelId: number,
  messageId: number,
): Promise<Unread> {
  const { server_id, audience_id, permissions } = await lockedChannel(sql, channelId, userId)
  demand(permissions, 'read_history')
  found((await sql`select 1 from messages where id = ${messageId} and channel_id = ${channelId}`)[0])
  const [mark] = await sql<{ channel_id: number; message_id: number }[]>`
    insert into read_marks (user_id, channel_id, message_id, moved_back)
    select ${userId}, c.id, least(read_until(${userId}, c), ${messageId}::bigint - 1), c.type = 'dm'
    from channels c where c.id = ${channelId}
    on conflict (user_id, channel_id) do update
      set message_id = excluded.message_id, moved_back = excluded.moved_back
    returning channel_id, message_id`
  emit(topic.user(userId, { server_id: server_id ?? undefined, channel_id: audience_id }), 'channel.read', found(mark))
  return found((await unreadIn(sql, userId, [channelId]))[0])
}

/** Marks every channel of a server that the account sees as read. The caller's locks keep access from changing. */
export async function markServerRead(sql: Transaction, emit: Emit, userId: number, server_id: number): Promise<void> {
  const marks = await sql<{ channel_id: number; message_id: number; audience_id: number }[]>`
    with seen as materialized (
      select cp.channel_id from channel_permissions cp
      where cp.server_id = ${server_id} and cp.user_id = ${userId} and can_view(cp.permissions)
    ), moved as (
      insert into read_marks as mark (user_id, channel_id, message_id)
      select ${userId}, c.id, last_message_id(c) from channels c
      where c.id in (select channel_id from seen union all select t.id from thread_followers f
          join channels t on t.id = f.channel_id join seen on seen.channel_id = t.audience_id
          where f.user_id = ${userId})
        and last_message_id(c) > read_until(${userId}, c) order by c.id
      on conflict (user_id, channel_id) do update set message_id = excluded.message_id
        where mark.message_id < excluded.message_id returning channel_id, message_id
    )
    select moved.*, c.audience_id from moved join channels c on c.id = moved.channel_id`
  for (const { audience_id, ...mark } of marks)
    emit(topic.user(userId, { server_id, channel_id: audience_id }), 'channel.read', mark)
}
