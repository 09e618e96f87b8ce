import { withoutBidi } from '../../state/names.ts'
import { route } from '../../state/route.ts'
import { follow, state } from '../../state/session.ts'
import { stopViewing } from '../../state/view-as.ts'
import { words } from '../../words/words.ts'

/** Names the role that the server is viewed as, with a button that ends this. */
export const ViewedAs = () => {
  follow('shell')
  const here = route.value
  const role = state.roles.get(state.viewedAs?.role_id ?? 0)
  if (here.page !== 'server' || !role || !state.isViewing(here.server_id)) return null
  return (
    <div class="viewed-as">
      <span role="status">{words.servers.viewedAs(role.is_everyone ? undefined : withoutBidi(role.name))}</span>
      <button type="button" onClick={() => stopViewing()}>
        {words.servers.stopViewing}
      </button>
    </div>
  )
}
