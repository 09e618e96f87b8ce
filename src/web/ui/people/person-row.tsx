import { Component } from 'preact'
import type { Status } from '../../../features/status/model.ts'
import { nameOf } from '../../state/names.ts'
import { follow, state } from '../../state/session.ts'
import { words } from '../../words/words.ts'
import { Avatar, KindSign, sayingOf, statusOf } from '../kit/controls.tsx'
import { roleColor } from '../kit/role-color.ts'
import { RoleIcon } from '../kit/role-icon.tsx'
import { showProfile } from './show-people.tsx'

interface PersonProps {
  id: number
  isOwner: boolean
  server_id: number | undefined
  /** In a large server, whose presence is not announced. */
  status?: Status
}

/** A row that follows its own state, so that it does not render with the others. */
export class PersonRow extends Component<PersonProps> {
  override shouldComponentUpdate({ id, isOwner, server_id, status }: PersonProps): boolean {
    const before = this.props
    return id !== before.id || isOwner !== before.isOwner || server_id !== before.server_id || status !== before.status
  }

  override render() {
    return <Person {...this.props} />
  }
}

const Person = ({ id, isOwner, server_id, status }: PersonProps) => {
  follow('members')
  const saying = sayingOf(id)
  return (
    <button
      type="button"
      class={`row person ${status ?? statusOf(id)}`}
      data-menu={`person ${id} ${server_id ?? 0}`}
      onClick={() => void showProfile(id, server_id)}
    >
      <Avatar id={id} size={32} status={status ?? true} />
      <bdi {...roleColor(server_id ?? 0, id)}>{nameOf(id)}</bdi>
      <RoleIcon of={id} server_id={server_id ?? 0} />
      <KindSign kind={state.users.get(id)?.kind} />
      {isOwner ? <small>{words.owner}</small> : null}
      {saying ? (
        <small class="saying" title={saying}>
          <bdi>{saying}</bdi>
        </small>
      ) : null}
    </button>
  )
}
