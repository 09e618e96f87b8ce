import { found, Problem } from '../../core/errors.ts'
import type { Sql, Transaction } from '../../database/database.ts'
import { beginAccessChange, visibleRole } from '../roles/hierarchy.ts'
import type { Role } from '../roles/model.ts'

interface Place {
  server_id: number
  user_id: number
}

/** @throws Problem `forbidden` for a guest, and for a member who is held back or timed out: they choose nothing */
export async function demandChooser(sql: Sql, { server_id, user_id }: Place): Promise<void> {
  const [member] = await sql<{ can_choose: boolean; is_guest: boolean }[]>`
    select held_back is null and not timed_out as can_choose, is_guest from member_permissions
    where server_id = ${server_id} and user_id = ${user_id}`
  if (found(member).is_guest) throw new Problem('forbidden', 'Guests cannot choose roles or channels')
  if (!found(member).can_choose) throw new Problem('forbidden', 'You are held back or timed out in this server')
}

/**
 * Begins a choice of a member: waits for other changes in the server and for running sends.
 * @throws Problem `not_found`, `forbidden`
 */
export async function beginChoice(sql: Transaction, place: Place): Promise<void> {
  await beginAccessChange(sql, place.server_id, place.user_id)
  await demandChooser(sql, place)
}

/** True until the member has accepted the rules and answered the required questions. */
export async function hasToArrive(sql: Sql, { server_id, user_id }: Place): Promise<boolean> {
  const [member] = await sql<{ is_arriving: boolean }[]>`
    select is_arriving from members where server_id = ${server_id} and user_id = ${user_id}`
  return found(member).is_arriving
}

/** A role that members of the server may pick. @throws Problem `not_found`, `forbidden` */
export async function selfAssignableRole(
  sql: Transaction,
  { server_id, role_id }: { server_id: number; role_id: number },
  userId: number,
): Promise<Role> {
  const role = await visibleRole(sql, role_id, userId)
  if (role.server_id !== server_id) throw new Problem('not_found')
  if (!role.self_assignable) throw new Problem('forbidden', 'Only moderators give and remove this role')
  return role
}
