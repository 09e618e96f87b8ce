import type { Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { topic } from '../../core/events.ts'
import { found } from '../../core/errors.ts'

/** Deletes an invite of a server that lockServer has locked. @throws Problem `not_found` */
export async function removeInvite(
  sql: Transaction,
  emit: Emit,
  { id, server_id }: { id: number; server_id: number },
): Promise<void> {
  const [invite] = await sql`update invites set deleted_at = now() where id = ${id} and deleted_at is null returning 1`
  found(invite)
  emit(topic.invites(server_id), 'invite.deleted', { id, server_id })
}
