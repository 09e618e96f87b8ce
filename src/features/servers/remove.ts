import type { Sql, Transaction } from '../../database/database.ts'
import type { Emit, Notify } from '../../events/write.ts'
import { topic } from '../../core/events.ts'
import { clearPictures, lockServersShowing } from '../files/access.ts'

/** The files in a server's messages. */
const filesIn = (sql: Transaction, id: number): ReturnType<Sql> => sql`f.message_id in (
  select m.id from messages m join channels c on c.id = m.channel_id where c.server_id = ${id})`

/** Locks a server that is to be deleted, with the servers whose icons are among its files, in one order. */
export const lockForRemoval = (sql: Transaction, id: number): Promise<void> =>
  lockServersShowing(sql, filesIn(sql, id), [id])

/** Deletes a server, locked by lockForRemoval, with its content, also in the event log; publishes the deletion. */
export async function removeServer(sql: Transaction, emit: Emit, notify: Notify, id: number): Promise<void> {
  // Sends, edits and deletions in the server that are under way end first; later ones find no server.
  await sql`select change_access(${id})`
  await clearPictures(
    sql,
    emit,
    filesIn(sql, id),
    // Their counts of servers change.
    sql`select user_id from members where server_id = ${id}`,
  )
  await sql`delete from servers where id = ${id}`
  await sql`update events set body = null where server_id = ${id}`
  emit(topic.server(id), 'server.deleted', { id })
  notify({ kind: 'server_deleted', server_id: id })
}
