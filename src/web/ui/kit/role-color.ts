import type { Role } from '../../../features/roles/model.ts'
import { state } from '../../state/session.ts'

/** The colour of the highest role that has one. */
function colorOf(server_id: number, user_id: number): string | undefined {
  const roles = state.rolesOf(server_id, user_id).toSorted((a: Role, b: Role) => b.position - a.position)
  return roles.find((role) => role.color !== null)?.color ?? undefined
}

/** The attributes of a member's name: the role's colour, which the style sheet makes readable on its background. */
export const roleColor = (server_id: number, user_id: number) => {
  const color = colorOf(server_id, user_id)
  return color === undefined ? {} : { class: 'tinted', style: { '--tint': color } }
}
