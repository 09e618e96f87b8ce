import type { Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { topic } from '../../core/events.ts'
import { found } from '../../core/errors.ts'
import { clearPictures } from '../files/access.ts'

/**
 * Deletes a message with its files, blanks what the log has of it, and tells who saw it.
 * @param location where it stands, locked
 * @throws Problem `not_found` when another was quicker
 */
export async function removeMessage(
  sql: Transaction,
  emit: Emit,
  id: number,
  location: { channel_id: number; server_id: number; restricted: boolean },
): Promise<void> {
  const { channel_id } = location
  // The channel's row before the message's, as a deletion of the channel has them.
  await sql`update channels set newest_deleted_id = greatest(newest_deleted_id, ${id}) where id = ${channel_id}`
  // And the message's before its files', as a deletion of one of these has them.
  found((await sql`select 1 from messages where id = ${id} for update`)[0])
  await clearPictures(sql, emit, sql`f.message_id = ${id}`)
  await sql`delete from messages where id = ${id}`
  await sql`update events set body = null where resource = ${`message:${id}`}`
  emit(topic.channel({ ...location, id: channel_id }), 'message.deleted', { id, channel_id })
}
