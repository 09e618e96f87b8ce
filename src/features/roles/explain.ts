import type { Sql } from '../../database/database.ts'
import { found } from '../../core/errors.ts'
import { GUEST_PERMISSIONS, holds, type Permission, permissionNames } from '../../core/permissions.ts'
import type { HeldBack } from '../access/model.ts'
import type { Explanation, Overwrite, Role } from './model.ts'

/** The input from which a member's permissions in a channel are resolved. */
export interface Reasons {
  is_owner: boolean
  /** The member's roles, everyone first. */
  roles: Pick<Role, 'id' | 'permissions' | 'is_everyone'>[]
  /** The overwrites of these roles that apply: the channel's own, and its category's. */
  overwrites: (Pick<Overwrite, 'role_id' | 'allow' | 'deny'> & { at_id: number })[]
  /** The overwrites for the member: the channel's own, then its category's. */
  memberOverwrites: (Pick<Overwrite, 'allow' | 'deny'> & { at_id: number })[]
}

type Because = Explanation['bits'][number]['because']

/**
 * The reason for one bit, and its value, in the precedence of permissions_of: owner, administrator, the overwrites for
 * the member, allows of the member's roles, their denies, everyone's overwrite, the roles themselves.
 */
function becauseOf(
  { is_owner, roles, overwrites, memberOverwrites }: Reasons,
  bit: Permission,
): [Because, allows: boolean] {
  if (is_owner) return ['owner', true]
  if (roles.some((role) => holds(role.permissions, 'administrator'))) return ['administrator', true]
  const ofMember = memberOverwrites.find((row) => holds(row.allow, bit) || holds(row.deny, bit))
  if (ofMember) return [{ member_overwrite_at: ofMember.at_id }, holds(ofMember.allow, bit)]
  const everyone = roles.find((role) => role.is_everyone)?.id
  const [general, special] = [true, false].map((isGeneral) =>
    overwrites.filter((row) => (row.role_id === everyone) === isGeneral),
  )
  const decisive =
    special?.find((row) => holds(row.allow, bit)) ??
    special?.find((row) => holds(row.deny, bit)) ??
    general?.find((row) => holds(row.allow, bit) || holds(row.deny, bit))
  if (decisive) return [{ overwrite: decisive.role_id, at: decisive.at_id }, holds(decisive.allow, bit)]
  const grantingRole = roles.find((role) => holds(role.permissions, bit))
  return grantingRole ? [{ role: grantingRole.id }, true] : ['not_granted', false]
}

/**
 * Explains a member's permissions in a channel; permissions_of itself computes the sum.
 * @throws Problem `not_found` if the account is not a member
 */
export async function explain(sql: Sql, channelId: number, user_id: number): Promise<Explanation> {
  interface Row extends Pick<Reasons, 'is_owner'> {
    server_id: number
    parent_id: number
    permissions: number
    held_back: HeldBack | null
    is_guest: boolean
  }
  const [access] = await sql<Row[]>`
    select cp.server_id, c.parent_id, cp.is_owner, cp.permissions, m.held_back, m.is_guest
    from channel_permissions cp join channels c on c.id = cp.channel_id
    join members m on m.server_id = cp.server_id and m.user_id = cp.user_id
    where cp.channel_id = ${channelId} and cp.user_id = ${user_id}`
  const { server_id, parent_id, is_owner, permissions, held_back, is_guest } = found(access)
  const roles = await sql<Reasons['roles']>`
    select id, permissions, is_everyone from roles where server_id = ${server_id} and (is_everyone or id in (
      select role_id from member_roles where server_id = ${server_id} and user_id = ${user_id})) order by position`
  const overwrites = await sql<Reasons['overwrites']>`
    select role_id, allow, deny, at_id from overwrites_in(${channelId}, ${parent_id})
    where role_id = any(${roles.map((role) => role.id)})`
  const memberOverwrites = await sql<Reasons['memberOverwrites']>`
    select allow, deny, channel_id as at_id from member_overwrites
    where user_id = ${user_id} and channel_id = any(${[channelId, parent_id]}) order by channel_id <> ${channelId}`
  const bits = permissionNames.map((name) => {
    const [because, allows] = becauseOf({ is_owner, roles, overwrites, memberOverwrites }, name)
    const isAllowed = holds(permissions, name)
    // If the sum disagrees with roles and overwrites, the reason is a category visible through its channels, or that
    // the member is a guest, held back or timed out.
    const isMasked = is_guest && !holds(GUEST_PERMISSIONS, name)
    const limit: Because = isMasked ? 'guest' : (held_back ?? 'timed_out')
    if (isAllowed !== allows)
      return { name, allowed: isAllowed, because: isAllowed ? ('sees_channel' as const) : limit }
    return { name, allowed: isAllowed, because }
  })
  return { user_id, permissions, bits }
}
