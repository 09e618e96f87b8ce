import type { Transaction } from '../../database/database.ts'
import type { Emit, Notify } from '../../events/write.ts'
import { topic } from '../../core/events.ts'
import { clearPictures } from '../files/access.ts'

/** Deletes a locked server with its content, also in the event log; publishes the deletion. */
export async function removeServer(sql: Transaction, emit: Emit, notify: Notify, id: number): Promise<void> {
  // Sends, edits and deletions in the server that are under way end first; later ones find no server.
  await sql`select change_access(${id})`
  await clearPictures(
    sql,
    emit,
    sql`f.message_id in (
      select m.id from messages m join channels c on c.id = m.channel_id where c.server_id = ${id})`,
    // Their counts of servers change.
    sql`select user_id from members where server_id = ${id}`,
  )
  await sql`delete from servers where id = ${id}`
  await sql`update events set body = null where server_id = ${id}`
  emit(topic.server(id), 'server.deleted', { id })
  notify({ kind: 'server_deleted', server_id: id })
}
