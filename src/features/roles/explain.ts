import type { Sql } from '../../database/database.ts'
import { found } from '../../core/errors.ts'
import { holds, type Permission, permissionNames } from '../../core/permissions.ts'
import type { Explanation, Overwrite, Role } from './model.ts'

/** The input from which a member's permissions in a channel are resolved. */
export interface Reasons {
  is_owner: boolean
  /** The member's roles, everyone first. */
  roles: Pick<Role, 'id' | 'permissions' | 'is_everyone'>[]
  /** The channel's overwrites of these roles. */
  overwrites: Pick<Overwrite, 'role_id' | 'allow' | 'deny'>[]
}

type Because = Explanation['bits'][number]['because']

/**
 * Names what decides one bit, with the precedence of permissions_of: owner, administrator, allows of the member's
 * roles, their denies, everyone's overwrite, the roles themselves.
 */
function becauseOf({ is_owner, roles, overwrites }: Reasons, bit: Permission): Because {
  if (is_owner) return 'owner'
  if (roles.some((role) => holds(role.permissions, 'administrator'))) return 'administrator'
  const everyone = roles.find((role) => role.is_everyone)?.id
  const [general, special] = [true, false].map((of) => overwrites.filter((row) => (row.role_id === everyone) === of))
  const decisive =
    special?.find((row) => holds(row.allow, bit)) ??
    special?.find((row) => holds(row.deny, bit)) ??
    general?.find((row) => holds(row.allow, bit) || holds(row.deny, bit))
  if (decisive) return { overwrite: decisive.role_id }
  const granting = roles.find((role) => holds(role.permissions, bit))
  return granting ? { role: granting.id } : 'not_granted'
}

/**
 * Explains a member's permissions in a channel; permissions_of computes the sum itself.
 * @throws Problem `not_found` when the account is not a member
 */
export async function explain(sql: Sql, channel_id: number, user_id: number): Promise<Explanation> {
  const [resolved] = await sql<{ server_id: number; is_owner: boolean; permissions: number }[]>`
    select server_id, is_owner, permissions from channel_permissions
    where channel_id = ${channel_id} and user_id = ${user_id}`
  const { server_id, is_owner, permissions } = found(resolved)
  const roles = await sql<Reasons['roles']>`
    select id, permissions, is_everyone from roles where server_id = ${server_id} and (is_everyone or id in (
      select role_id from member_roles where server_id = ${server_id} and user_id = ${user_id})) order by position`
  const overwrites = await sql<Reasons['overwrites']>`
    select role_id, allow, deny from overwrites
    where channel_id = ${channel_id} and role_id = any(${roles.map((role) => role.id)})`
  const bits = permissionNames.map((name) => ({
    name,
    allowed: holds(permissions, name),
    because: becauseOf({ is_owner, roles, overwrites }, name),
  }))
  return { user_id, permissions, bits }
}
