import { topic } from '../../core/events.ts'
import { found } from '../../core/errors.ts'
import type { Transaction } from '../../database/database.ts'
import type { Emit, Write } from '../../events/write.ts'
import { markAllRead } from './reading.ts'
import { visibleChannel } from '../access/guard.ts'
import { demandLiving } from '../access/place.ts'

interface Mark {
  channel_id: number
  message_id: number
}

/**
 * Marks a channel as read up to a message; in a dm, marks the messages as well. Read marks only move forward.
 * @returns the current mark
 * @throws Problem `not_found` for a channel that the account does not see, or a message that is not in it
 */
export async function acknowledge(write: Write, userId: number, { channel_id, message_id }: Mark): Promise<Mark> {
  // One transaction per batch, so that nobody waits for all of them.
  const batch = (after: number) =>
    write(async (sql, emit) => {
      const { type } = await lockedChannel(sql, channel_id, userId)
      await demandMessage(sql, channel_id, message_id)
      const next = type === 'dm' ? await markAllRead(sql, emit, channel_id, userId, after, message_id) : undefined
      return next === undefined ? { mark: await moveMark(sql, emit, userId, { channel_id, message_id }) } : { next }
    })
  let result = await batch(0)
  while (result.next !== undefined) result = await batch(result.next)
  return { channel_id, ...found(result.mark) }
}

/**
 * Locks a channel: until the commit it is neither deleted nor hidden from the account.
 * @throws Problem `not_found`, `token_revoked` in a dm for a caller who has been deleted meanwhile
 */
export async function lockedChannel(sql: Transaction, channel_id: number, userId: number) {
  await sql`select share_channel(c) from channels c where c.id = ${channel_id}
    and exists (select from channel_access(c.id, ${userId}))`
  const channel = await visibleChannel(sql, channel_id, userId)
  if (channel.type === 'dm') await demandLiving(sql, userId)
  return channel
}

async function demandMessage(sql: Transaction, channel_id: number, message_id: number): Promise<void> {
  // The newest message may have been deleted, while the channel's last_message_id still names it.
  const [message] = await sql`
    select 1 from messages where id = ${message_id} and channel_id = ${channel_id}
    union all
    select 1 from channels c where c.id = ${channel_id} and last_message_id(c) = ${message_id}`
  found(message)
}

async function moveMark(sql: Transaction, emit: Emit, userId: number, { channel_id, message_id }: Mark) {
  const [newMark] = await sql<{ message_id: number }[]>`
    insert into read_marks as mark (user_id, channel_id, message_id)
    select ${userId}, c.id, greatest(${message_id}, (
      select floor_id from members where server_id = c.server_id and user_id = ${userId}))
    from channels c where c.id = ${channel_id}
    on conflict (user_id, channel_id) do update set message_id = excluded.message_id,
      moved_back = mark.moved_back and excluded.message_id < (
        select last_message_id(c) from channels c where c.id = ${channel_id})
      where mark.message_id < excluded.message_id returning message_id`
  const [place] = await sql<{ server_id: number | null; audience_id: number; message_id: number | null }[]>`
    select server_id, audience_id, (
      select message_id from read_marks where user_id = ${userId} and channel_id = ${channel_id})
    from channels where id = ${channel_id}`
  const { server_id, audience_id, message_id: current } = found(place)
  const within = { server_id: server_id ?? undefined, channel_id: audience_id }
  if (newMark) emit(topic.user(userId, within), 'channel.read', { channel_id, ...newMark })
  return { message_id: found(current) }
}
