import { Problem } from '../../core/errors.ts'
import type { Transaction } from '../../database/database.ts'
import { field } from '../../http/answers.ts'
import { demand, type Membership } from '../access/guard.ts'
import { audit } from '../audit/record.ts'
import { beginTemporary, isTemporary } from '../members/temporary.ts'
import { demandBelow, demandHeld, demandOverwritesHeld, visibleRole } from '../roles/hierarchy.ts'
import type { Invite, InviteDraft } from './model.ts'

// Invites may give a self-assignable role, and a membership that ends by itself, and let guests in.

/**
 * Demands that the member may give what the invite gives.
 * @throws Problem `forbidden`, `missing_permission`, `not_found`, `validation_failed`
 */
export async function demandGifts(sql: Transaction, actor: Membership, { role_id, guest }: InviteDraft): Promise<void> {
  // Or a temporary member would come back by an invite of its own, and stay.
  if (await isTemporary(sql, actor)) throw new Problem('forbidden', 'Temporary members cannot create invites')
  if (guest) demand(actor.permissions, 'manage_server')
  if (role_id === null) return
  demand(actor.permissions, 'manage_roles')
  const role = await visibleRole(sql, role_id, actor.user_id)
  if (role.server_id !== actor.server_id || !role.self_assignable)
    throw field('role_id', 'Must be a self-assignable role of this server')
  demandBelow(actor, role.position)
  demandHeld(actor, role.permissions)
  await demandOverwritesHeld(sql, actor, role_id)
}

/** The role that an invite of the locked server gives, if its maker may still give it. */
export async function givenRole(
  sql: Transaction,
  { server_id, creator_id, role_id }: Invite,
): Promise<number | undefined> {
  if (role_id === null) return undefined
  const [role] = await sql<{ id: number }[]>`
    select r.id from roles r join member_permissions maker on maker.server_id = r.server_id
    where r.id = ${role_id} and r.server_id = ${server_id} and r.self_assignable
      and maker.user_id = ${creator_id} and holds(maker.permissions, 'manage_roles')
      and (maker.is_owner or maker.position > r.position)`
  return role?.id
}

/** Gives the rest to who has just joined by the invite, and logs invite and maker. */
export async function giveRest(
  sql: Transaction,
  { id, server_id, creator_id, temporary }: Invite,
  { user_id, role_id = null, isGuest }: { user_id: number; role_id: number | null | undefined; isGuest: boolean },
): Promise<void> {
  if (temporary !== null) await beginTemporary(sql, { server_id, user_id }, temporary)
  if (temporary === null && role_id === null && !isGuest) return
  const entry = { server_id, actor_id: user_id, action: 'invite.used' as const }
  await audit(sql, entry, ['invite', id], null, { creator_id, role_id, temporary, guest: isGuest })
}
