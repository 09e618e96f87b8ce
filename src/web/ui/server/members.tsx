import { nameOf } from '../../state/names.ts'
import { follow } from '../../state/session.ts'
import { words } from '../../words/words.ts'
import { Avatar, statusOf } from '../kit/controls.tsx'
import { showDialog } from '../kit/dialogs.tsx'
import { roleColor } from '../kit/role-color.ts'
import { Profile } from '../people/profile.tsx'

/** Rows of the list: large servers have thousands of members. */
const SHOWN_MAX = 250

interface MembersProps {
  ids: number[]
  owner_id: number | null
  /** Absent for a group. */
  server_id?: number
}

/** The members of a server or group: online ones first. */
export const MembersList = ({ ids, owner_id, server_id }: MembersProps) => {
  follow('shell', 'members', 'statuses')
  const sorted = ids.toSorted((a, b) => nameOf(a).localeCompare(nameOf(b))).slice(0, SHOWN_MAX)
  const online = sorted.filter((id) => statusOf(id) !== 'offline')
  const offline = sorted.filter((id) => statusOf(id) === 'offline')
  return (
    <aside class="members scroll" aria-label={words.membersTitle}>
      {(
        [
          [words.status.online, online],
          [words.status.offline, offline],
        ] as const
      ).map(([title, people]) =>
        people.length === 0 ? null : (
          <section key={title}>
            <h3>
              {title} · {people.length}
            </h3>
            <ul>
              {people.map((id) => (
                <li key={id}>
                  <Person id={id} isOwner={id === owner_id} server_id={server_id} />
                </li>
              ))}
            </ul>
          </section>
        ),
      )}
      {ids.length > SHOWN_MAX ? <p class="quiet pad">{words.andMore(ids.length - SHOWN_MAX)}</p> : null}
    </aside>
  )
}

interface PersonProps {
  id: number
  isOwner: boolean
  server_id: number | undefined
}

const Person = ({ id, isOwner, server_id }: PersonProps) => {
  follow('members', 'shell')
  return (
    <button
      type="button"
      class={`row person ${statusOf(id)}`}
      onClick={() => showDialog(() => <Profile user_id={id} {...(server_id === undefined ? {} : { server_id })} />)}
    >
      <Avatar id={id} size={32} status />
      <bdi {...roleColor(server_id ?? 0, id)}>{nameOf(id)}</bdi>
      {isOwner ? <small>{words.owner}</small> : null}
    </button>
  )
}
