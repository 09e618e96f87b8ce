import { holds, union } from '../../core/permissions.ts'
import type { Role } from '../../features/roles/model.ts'
import { overwritesOfRole, roleOfEveryone, type Said, viewIn } from './private-channels.ts'
import { state, store } from './session.ts'
import type { ServerChannel } from './state.ts'

/** The channels of a server that a member with only one role sees. */
function seenBy(role: Role, channels: ServerChannel[], says: Map<number, Said>[]): Set<number> {
  const everyone = roleOfEveryone(role.server_id)
  const sum = union(role.permissions, everyone?.permissions ?? 0)
  const sees = ({ id, parent_id }: ServerChannel) =>
    holds(sum, 'administrator') ||
    says.reduce(
      (before, overwrites) => viewIn(overwrites.get(id)) ?? viewIn(overwrites.get(parent_id ?? 0)) ?? before,
      holds(sum, 'view_channel'),
    )
  const visible = channels.filter((channel) => channel.type !== 'category' && sees(channel))
  // A category is visible if one of its channels is.
  const around = visible.flatMap(({ parent_id }) => parent_id ?? [])
  return new Set([...visible.map(({ id }) => id), ...around])
}

/** Shows a server as a member with only one role sees it. @throws ApiError */
export async function viewAs(role: Role): Promise<void> {
  const { id: role_id, server_id } = role
  const everyone = roleOfEveryone(server_id)
  const ids = [...new Set([everyone?.id ?? role_id, role_id])]
  const says = await Promise.all(ids.map(overwritesOfRole))
  state.viewedAs = undefined
  const channels = [...state.categoriesOf(server_id), ...state.channelsOf(server_id)]
  show({ server_id, role_id, sees: seenBy(role, channels, says) })
}

/** Shows the server as the account sees it. */
export const stopViewing = (): void => show(undefined)

function show(viewed: typeof state.viewedAs): void {
  state.viewedAs = viewed
  store.touch('shell', 'members')
  store.notify()
}
