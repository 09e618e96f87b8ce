import { isLarge } from '../../state/member-lists.ts'
import { nameOf, withoutBidi } from '../../state/names.ts'
import { follow, state } from '../../state/session.ts'
import { words } from '../../words/words.ts'
import { statusOf } from '../kit/controls.tsx'
import { useGradually } from '../kit/gradually.ts'
import { OnlineList } from './online-list.tsx'
import { PersonRow } from './person-row.tsx'

/** Rows of the list: large servers have thousands of members. */
const SHOWN_MAX = 250
/** Minimum height of a row, px. Rows that fill the screen are rendered at once, DRAWN_A_FRAME others in each frame. */
const ROW_PX_MIN = 42
const DRAWN_A_FRAME = 20

interface MembersProps {
  ids: number[]
  owner_id: number | null
  /** Absent for a group. */
  server_id?: number
}

/** The members of a server, drawn again when they change and not with the page around them. */
export const ServerMembers = ({ server_id }: { server_id: number }) => {
  follow('members', 'shell')
  if (isLarge(state, server_id)) return <OnlineList key={server_id} server_id={server_id} />
  const owner_id = state.servers.get(server_id)?.owner_id ?? null
  const ids = [...(state.members.get(server_id)?.keys() ?? [])]
  return <MembersList ids={ids} owner_id={owner_id} server_id={server_id} />
}

export const GroupMembers = ({ channel_id }: { channel_id: number }) => {
  follow('shell')
  const channel = state.channels.get(channel_id)
  return <MembersList ids={(channel?.recipients ?? []).map(({ id }) => id)} owner_id={channel?.owner_id ?? null} />
}

interface Group {
  key: string
  title: string
  people: number[]
  /** Number of members above the group. */
  start: number
}

/** Online members by the highest role that is shown separately, then the others. */
function groupsOf(server_id: number | undefined, ids: number[]): Group[] {
  const apart = [...state.roles.values()]
    .filter((role) => role.server_id === server_id && role.hoist)
    .toSorted((a, b) => b.position - a.position)
  const members = server_id === undefined ? undefined : state.members.get(server_id)
  const heldBy = (id: number) => members?.get(id)?.role_ids ?? []
  const groupOf = (id: number): string => {
    if (statusOf(id) === 'offline') return 'offline'
    const role = apart.find((each) => heldBy(id).includes(each.id))
    return role ? `role ${role.id}` : 'online'
  }
  const people = Map.groupBy(ids, groupOf)
  const groups = [
    ...apart.map((role) => ({ key: `role ${role.id}`, title: withoutBidi(role.name) })),
    { key: 'online', title: words.status.online },
    { key: 'offline', title: words.status.offline },
  ]
  let start = 0
  return groups.flatMap((group) => {
    const list = people.get(group.key)
    if (!list) return []
    start += list.length
    return [{ ...group, people: list, start: start - list.length }]
  })
}

const { compare } = new Intl.Collator()
/** By name. */
const inOrder = (ids: number[]): number[] =>
  ids
    .map((id) => [nameOf(id), id] as const)
    .toSorted(([a], [b]) => compare(a, b))
    .map(([, id]) => id)

/** Members of a server or group: by roles that are shown separately, then the other online ones, then the others. */
const MembersList = ({ ids, owner_id, server_id }: MembersProps) => {
  follow('members', 'statuses')
  const groups = groupsOf(server_id, inOrder(ids).slice(0, SHOWN_MAX))
  return (
    <aside class="members scroll" aria-label={words.membersTitle}>
      <Groups groups={groups} owner_id={owner_id} server_id={server_id} />
      {ids.length > SHOWN_MAX ? <p class="quiet pad">{words.andMore(ids.length - SHOWN_MAX)}</p> : null}
    </aside>
  )
}

/** The rows, rendered over several frames. Their accounts are sorted once for all. */
const Groups = ({ groups, owner_id, server_id }: Omit<MembersProps, 'ids'> & { groups: Group[] }) => {
  const count = groups.reduce((sum, { people }) => sum + people.length, 0)
  const drawnCount = useGradually(server_id, count, Math.ceil(innerHeight / ROW_PX_MIN), DRAWN_A_FRAME)
  return groups.map(({ key, title, people, start }) => (
    <section key={key}>
      <h3>
        <bdi>{title}</bdi> · {people.length}
      </h3>
      <ul>
        {people.slice(0, Math.max(0, drawnCount - start)).map((id) => (
          <li key={id}>
            <PersonRow id={id} isOwner={id === owner_id} server_id={server_id} />
          </li>
        ))}
      </ul>
    </section>
  ))
}
