import { useEffect, useState } from 'preact/hooks'
import type { RosterMember } from '../../../features/members/model.ts'
import { dateOf } from '../../state/format.ts'
import { withoutBidi } from '../../state/names.ts'
import { call, follow, gateway, state } from '../../state/session.ts'
import { moderationWords } from '../../words/moderation.ts'
import { listOf } from '../../words/plural.ts'
import { Picture } from '../kit/controls.tsx'
import { SelectField } from '../kit/dialog-forms.tsx'
import { Empty } from '../kit/empty.tsx'
import { Field } from '../kit/forms.tsx'
import { Pages, usePages } from '../kit/pages.tsx'
import { actsIn, showAct } from './roster-acts.tsx'
import { showCases } from './show-cases.tsx'

const says = moderationWords.members
/** Pause in typing after which the name is searched, ms. */
const SEARCH_MS = 300

/** The members of a server for moderators: by name, role and time of joining, with acts on many at once. */
export const Roster = ({ server_id }: { server_id: number }) => {
  follow('shell', 'members')
  const [name, setName] = useState('')
  const [q, setQuery] = useState('')
  const [role_id, setRole] = useState(0)
  const [sort, setSort] = useState<'newest' | 'oldest'>('newest')
  const [chosen, setChosen] = useState<ReadonlyMap<number, string>>(new Map())
  useEffect(() => {
    const timer = setTimeout(() => setQuery(name.trim()), SEARCH_MS)
    return () => clearTimeout(timer)
  }, [name])
  const list = usePages<RosterMember>(
    ({ limit }, last) => {
      // Nobody is acted on who is no longer listed.
      if (!last) setChosen(new Map())
      const cursor = last ? { cursor: `${Date.parse(last.joined_at)}.${last.user.id}` } : {}
      const filters = { ...(q === '' ? {} : { q }), ...(role_id === 0 ? {} : { role_id }) }
      return call('GET /api/servers/:server_id/roster', { server_id, limit, sort, ...filters, ...cursor })
    },
    server_id,
    q,
    role_id,
    sort,
  )
  useEffect(
    () =>
      gateway.listen(({ t, d }) => {
        if (t === 'member.left' && d.server_id === server_id) list.drop(({ user }) => user.id === d.user_id)
        if (t === 'member.updated' && d.server_id === server_id)
          list.change((row) => (row.user.id === d.user.id ? { ...row, ...d } : row))
      }),
    [list.rows],
  )
  const listed = new Map([...chosen].filter(([id]) => list.rows.some(({ user }) => user.id === id)))
  const choose = (id: number, of: string) => {
    const next = new Map(listed)
    if (!next.delete(id)) next.set(id, of)
    setChosen(next)
  }
  const all = new Map(list.rows.map((row) => [row.user.id, nameIn(row)]))
  const roles = [...state.roles.values()]
    .filter((role) => role.server_id === server_id && !role.is_everyone)
    .toSorted((a, b) => b.position - a.position)
    .map((role): [number, string] => [role.id, withoutBidi(role.name)])
  return (
    <>
      <div class="roster-filters">
        <Field label={says.search} value={name} onInput={setName} maxLength={64} autocomplete="off" />
        <SelectField label={says.role} value={role_id} options={[[0, says.anyRole], ...roles]} onChange={setRole} />
        <SelectField
          label={says.sort}
          value={sort}
          options={[
            ['newest', says.newest],
            ['oldest', says.oldest],
          ]}
          onChange={setSort}
        />
      </div>
      <div class="roster-acts">
        <span class="choices">
          <span role="status">{says.selected(listed.size)}</span>
          <button
            type="button"
            disabled={list.rows.length === 0}
            onClick={() => setChosen(listed.size < all.size ? all : new Map())}
          >
            {listed.size > 0 && listed.size === all.size ? says.selectNone : says.selectAll}
          </button>
        </span>
        {listed.size === 0 ? null : (
          <span class="choices">
            {actsIn(server_id).map((act) => (
              <button
                type="button"
                key={act.action}
                class={act.isDangerous ? 'danger' : ''}
                onClick={() => showAct(act, server_id, listed, () => void list.again())}
              >
                {act.label}
              </button>
            ))}
          </span>
        )}
      </div>
      <Pages list={list} class="roster" empty={<Empty icon="members" title={says.none} text={says.noneText} />}>
        {list.rows.map((row) => (
          <RosterRow
            key={row.user.id}
            row={row}
            isChosen={listed.has(row.user.id)}
            onChoose={() => choose(row.user.id, nameIn(row))}
          />
        ))}
      </Pages>
    </>
  )
}

const nameIn = ({ nickname, user }: RosterMember): string => withoutBidi(nickname ?? user.display_name)

interface RosterRowProps {
  row: RosterMember
  isChosen: boolean
  onChoose: () => void
}

const RosterRow = ({ row, isChosen, onChoose }: RosterRowProps) => {
  const { user, server_id, role_ids, joined_at, cases } = row
  const name = nameIn(row)
  const roles = role_ids.flatMap((id) => {
    const role = state.roles.get(id)
    return role ? [withoutBidi(role.name)] : []
  })
  return (
    <li class="row person">
      <label>
        <input type="checkbox" checked={isChosen} onChange={onChoose} aria-label={says.select(name)} />
        <Picture id={user.id} name={user.display_name} file_id={user.avatar_file_id} size={36} />
        <span>
          <bdi>{name}</bdi>
          <small>
            {says.joined(dateOf(joined_at))}
            {roles.length > 0 ? ` · ${listOf(roles)}` : ''}
          </small>
        </span>
      </label>
      {cases === 0 ? null : (
        <button type="button" class="link" onClick={() => void showCases(user.id, server_id)}>
          {says.cases(cases)}
        </button>
      )}
    </li>
  )
}
