import type { Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { topic } from '../../core/events.ts'
import { found } from '../../core/errors.ts'
import { clearPictures } from '../files/access.ts'
import { type MessageLocation, seersOf } from './place.ts'

/**
 * Deletes a message with its files, and its content in the event log; publishes the deletion.
 * @param place where the message is; locked by lockedPlace or lockedLocation
 * @throws Problem `not_found` when it has just been deleted
 */
export async function removeMessage(sql: Transaction, emit: Emit, id: number, place: MessageLocation): Promise<void> {
  const { channel_id } = place
  // Locks in the order of a channel's deletion: the channel, then its messages,
  await sql`update channels set newest_deleted_id = greatest(newest_deleted_id, ${id}) where id = ${channel_id}`
  // then their files.
  found((await sql`select 1 from messages where id = ${id} for update`)[0])
  await clearPictures(sql, emit, sql`f.message_id = ${id}`)
  await sql`delete from messages where id = ${id}`
  await sql`update events set body = null where resource in (${`message:${id}`}, ${`reactions:${id}`})`
  if (place.recipient_id === null) emit(seersOf(place), 'message.deleted', { id, channel_id })
  else
    for (const { user_id, ...side } of await sidesOf(sql, channel_id))
      emit(topic.user(user_id, { channel_id }), 'message.deleted', { id, channel_id, ...side })
}

/** Both sides of a dm: each one's newest message, if the conversation is not hidden, and its unread count. */
export const sidesOf = (sql: Transaction, channel_id: number) =>
  sql<{ user_id: number; last_message_id: number | null; unread_count: number }[]>`
    select user_id, unread_count, case when last_message_id > hidden_id then last_message_id end as last_message_id
    from participants where channel_id = ${channel_id} order by user_id`
