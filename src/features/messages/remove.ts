import type { Sql, Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { type Seen, topic } from '../../core/events.ts'
import { found } from '../../core/errors.ts'
import { clearPictures } from '../files/access.ts'
import type { MessageLocation } from '../access/place.ts'
import { BULK_MAX } from './model.ts'

/** The location of messages in one channel. */
type RemovalPlace = Seen & Pick<MessageLocation, 'channel_id' | 'recipient_id'>

/** Removes the content of messages from the event log. */
export const blankEvents = (sql: Transaction, ids: number[]) =>
  sql`update events set body = null where resource in (
    select kind || id from unnest(${ids}::bigint[]) id, unnest(array['message:', 'reactions:', 'poll:']) kind)
    and body is not null`

/**
 * Locks, hides and archives a post whose first message is among those that a moderator is about to delete; access to
 * its forum is locked. An author who deletes the first message of their own post changes nothing else.
 */
export async function hidePost(
  sql: Transaction,
  channel_id: number,
  messageIds: number[],
  moderatorId: number | null,
): Promise<void> {
  await sql`
    with hidden as (
      update channels set hidden = true, locked = true, archived_at = coalesce(archived_at, now())
      where id = ${channel_id} and first_message_id = any(${messageIds}) and owner_id is distinct from ${moderatorId}
      returning id
    ) select thread_hidden(id) from hidden`
}

/**
 * Deletes messages of one channel with their files, and their content in the event log; publishes the deletion.
 * EmptiedForwards then empties their forwards.
 * @param place where the messages are; access to it is locked
 * @returns the ids of the deleted messages
 */
export async function removeMessages(
  sql: Transaction,
  emit: Emit,
  ids: number[],
  place: RemovalPlace,
): Promise<number[]> {
  const { channel_id } = place
  const messages: ReturnType<Sql> = sql`select id from messages where channel_id = ${channel_id} and id = any(${ids})`
  // Locks in the order of a channel's deletion: the channel, then its messages,
  await sql`update channels c set newest_deleted_id = greatest(c.newest_deleted_id, newest.id)
    from (select max(id) as id from (${messages}) own) newest where c.id = ${channel_id} and newest.id is not null`
  const rows = await sql<{ id: number; created_at: string }[]>`
    select id, created_at from messages where id in (${messages}) order by id for update`
  const lockedIds = rows.map(({ id }) => id)
  // then their files.
  await clearPictures(sql, emit, sql`f.message_id = any(${lockedIds})`)
  await sql`delete from messages where id = any(${lockedIds})`
  await blankEvents(sql, lockedIds)
  for (const [at, row] of rows.entries())
    if (place.recipient_id === null) {
      const bulk = at % BULK_MAX === 0 ? rows.slice(at, at + BULK_MAX) : []
      const event = { ...row, channel_id, ...(rows.length > 1 ? { bulk } : {}) }
      emit(topic.seers(place), 'message.deleted', event)
    } else
      for (const { user_id, ...side } of await sidesOf(sql, channel_id))
        emit(topic.user(user_id, { channel_id }), 'message.deleted', { ...row, channel_id, ...side })
  return lockedIds
}

/**
 * Deletes one message.
 * @param place where the message is; locked by lockedPlace or lockedLocation
 * @throws Problem `not_found` if it has just been deleted
 */
export async function removeMessage(sql: Transaction, emit: Emit, id: number, place: RemovalPlace): Promise<void> {
  found((await removeMessages(sql, emit, [id], place))[0])
}

/** Both sides of a dm: the newest message on each side, if the conversation is not hidden, and the unread count. */
export const sidesOf = (sql: Transaction, channel_id: number) =>
  sql<{ user_id: number; last_message_id: number | null; unread_count: number }[]>`
    select user_id, unread_count, case when last_message_id > hidden_id then last_message_id end as last_message_id
    from participants where channel_id = ${channel_id} order by user_id`
