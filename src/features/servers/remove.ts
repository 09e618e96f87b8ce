import type { Transaction } from '../../database/database.ts'
import type { Emit, Notify } from '../../events/write.ts'
import { topic } from '../../core/events.ts'

/**
 * Deletes a server, locked by lockServer: without an owner, members and invites nobody sees it. Publishes the deletion.
 * ServerRemoval deletes the content later.
 */
export async function removeServer(sql: Transaction, emit: Emit, notify: Notify, id: number): Promise<void> {
  // Wait for running sends, edits and deletions in the server; later ones find no server.
  await sql`select change_access(${id})`
  await sql`update servers set owner_id = null, icon_file_id = null where id = ${id}`
  // The members' server counts change: lock accounts in order of id.
  await sql`select count(*) from (
    select 1 from users where id in (select user_id from members where server_id = ${id})
    order by id for no key update) locked`
  await sql`delete from members where server_id = ${id}`
  await sql`update users set guest_until = least(guest_until, now())
    where id in (select user_id from guests where server_id = ${id}) and guest_until is not null`
  await sql`delete from invites where server_id = ${id}`
  await sql`delete from timeouts where server_id = ${id}`
  await sql`delete from quarantines where server_id = ${id}`
  await sql`delete from prunes where server_id = ${id}`
  emit(topic.server(id), 'server.deleted', { id })
  notify({ kind: 'server_deleted', server_id: id })
}
