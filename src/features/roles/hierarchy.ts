import type { Sql, Transaction } from '../../database/database.ts'
import { columns } from '../../database/database.ts'
import { found, Problem } from '../../core/errors.ts'
import { contains, holds, permissionNames } from '../../core/permissions.ts'
import { demand, lockServer, type Membership, membership } from '../access/guard.ts'
import { Overwrite, Role } from './model.ts'

/**
 * Begins a change of roles or overwrites: waits for other changes in the server and for running sends.
 * @returns the caller's membership, read inside the lock
 * @throws Problem `not_found`
 */
export async function beginAccessChange(sql: Transaction, serverId: number, userId: number): Promise<Membership> {
  await membership(sql, serverId, userId)
  await lockServer(sql, serverId)
  await sql`select change_access(${serverId})`
  return membership(sql, serverId, userId)
}

/** beginAccessChange for a caller with manage_roles. @throws Problem `not_found`, `missing_permission` */
export async function beginRoleChange(sql: Transaction, serverId: number, userId: number): Promise<Membership> {
  const actor = await beginAccessChange(sql, serverId, userId)
  demand(actor.permissions, 'manage_roles')
  return actor
}

/** A role of one of the account's servers. @throws Problem `not_found` */
export async function visibleRole(sql: Sql, role_id: number, userId: number): Promise<Role> {
  const [role] = await sql<Role[]>`select ${columns(sql, Role)} from roles where id = ${role_id}
    and server_id in (select server_id from members where user_id = ${userId})`
  return found(role)
}

/** @throws Problem `forbidden` for a role that is not strictly below the actor's highest one */
export function demandBelow(actor: Membership, position: number): void {
  if (!actor.is_owner && position >= actor.position) throw new Problem('forbidden', 'This role is not below you')
}

/** Members grant and revoke only bits that they have. @throws Problem `missing_permission` */
export function demandHeld(actor: { is_owner: boolean; permissions: number }, bits: number): void {
  if (actor.is_owner || contains(actor.permissions, bits)) return
  const missing = permissionNames.find((name) => holds(bits, name) && !holds(actor.permissions, name))
  throw new Problem(
    'missing_permission',
    `The permission ${missing} is missing: you can only grant permissions that you have`,
  )
}

/**
 * Giving, removing or deleting a role also applies or lifts its overwrites, so the actor must have their bits.
 * @throws Problem `missing_permission`
 */
export async function demandOverwritesHeld(sql: Sql, actor: Membership, role_id: number): Promise<void> {
  if (actor.is_owner) return
  const rows = await sql<{ bits: number; permissions: number }[]>`
    select o.allow | o.deny as bits, cp.permissions from effective_overwrites o
    join channel_permissions cp on cp.channel_id = o.channel_id and cp.user_id = ${actor.user_id}
    where o.role_id = ${role_id}`
  for (const { bits, permissions } of rows) demandHeld({ is_owner: false, permissions }, bits)
}

/**
 * A category's overwrite also applies in channels whose own overwrites do not mention the bits: the actor must have
 * these bits and manage_roles there too.
 * @throws Problem `missing_permission`
 */
export async function demandHeldWithin(
  sql: Sql,
  actor: Membership,
  { channel_id, role_id, bits }: { channel_id: number; role_id: number; bits: number },
): Promise<void> {
  if (actor.is_owner) return
  const rows = await sql<{ bits: number; permissions: number }[]>`
    select ${bits}::bigint & ~coalesce(own.allow | own.deny, 0) as bits, cp.permissions from channels c
    join channel_permissions cp on cp.channel_id = c.id and cp.user_id = ${actor.user_id}
    left join overwrites own on own.channel_id = c.id and own.role_id = ${role_id}
    where c.parent_id = ${channel_id}`
  for (const { bits: changedBits, permissions } of rows) {
    if (changedBits === 0) continue
    demand(permissions, 'manage_roles')
    demandHeld({ is_owner: false, permissions }, changedBits)
  }
}

/** A channel's overwrites, ordered by role id. */
export const overwritesOf = (sql: Sql, channel_id: number) => sql<Overwrite[]>`
  select ${columns(sql, Overwrite)} from overwrites where channel_id = ${channel_id} order by role_id`
