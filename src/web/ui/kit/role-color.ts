import type { Role } from '../../../features/roles/model.ts'
import { state } from '../../state/session.ts'

/** The colour of the highest role that has one. */
function colorOf(serverId: number, userId: number): string | undefined {
  const roles = state.rolesOf(serverId, userId).toSorted((a: Role, b: Role) => b.position - a.position)
  return roles.find((role) => role.color !== null)?.color ?? undefined
}

/** The attributes of a member's name: the role's colour, which the style sheet makes readable on its background. */
export const roleColor = (serverId: number, userId: number) => {
  const color = colorOf(serverId, userId)
  return color === undefined ? {} : { class: 'tinted', style: { '--tint': color } }
}
