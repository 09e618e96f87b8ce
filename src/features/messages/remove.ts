import type { Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { topic } from '../../core/events.ts'
import { found } from '../../core/errors.ts'
import { clearPictures } from '../files/access.ts'

/**
 * Deletes a message with its files, and its content in the event log; publishes the deletion.
 * @param location where the message is; locked by lockedPlace or lockedLocation
 * @throws Problem `not_found` when it has just been deleted
 */
export async function removeMessage(
  sql: Transaction,
  emit: Emit,
  id: number,
  location: { channel_id: number; server_id: number; restricted: boolean },
): Promise<void> {
  const { channel_id } = location
  // Locks in the order of a channel's deletion: the channel, then its messages,
  await sql`update channels set newest_deleted_id = greatest(newest_deleted_id, ${id}) where id = ${channel_id}`
  // then their files.
  found((await sql`select 1 from messages where id = ${id} for update`)[0])
  await clearPictures(sql, emit, sql`f.message_id = ${id}`)
  await sql`delete from messages where id = ${id}`
  await sql`update events set body = null where resource = ${`message:${id}`}`
  emit(topic.channel({ ...location, id: channel_id }), 'message.deleted', { id, channel_id })
}
