import { state } from '../../state/session.ts'

/** The picture of the member's highest role that has one. */
export const RoleIcon = ({ of, server_id }: { of: number; server_id: number }) => {
  const [role] = state
    .rolesOf(server_id, of)
    .filter(({ icon_url }) => icon_url)
    .toSorted((a, b) => b.position - a.position)
  return role ? <img class="role-icon" src={role.icon_url ?? ''} alt={role.name} title={role.name} /> : null
}
