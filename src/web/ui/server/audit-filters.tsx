import type { AuditEntry } from '../../../features/audit/model.ts'
import { nameOf, titleOf, withoutBidi } from '../../state/names.ts'
import { state } from '../../state/session.ts'
import { settingsWords } from '../../words/settings.ts'
import { SelectField } from '../kit/dialog-forms.tsx'

/** Filter of the audit log. */
export interface Filter {
  user_id?: number
  action?: AuditEntry['action']
  channel_id?: number
}

const ACTIONS = Object.keys(settingsWords.audit) as AuditEntry['action'][]
/** People to choose from: a longer list is of no use. */
const PEOPLE_MAX = 200

interface FiltersProps {
  server_id: number
  filter: Filter
  entries: AuditEntry[]
  onChange: (filter: Filter) => void
}

/** Accounts to filter by: the loaded members, and the actors of the loaded entries. */
function peopleOf(server_id: number, entries: AuditEntry[]): [id: number, name: string][] {
  const names = new Map(entries.map(({ actor }) => [actor.id, withoutBidi(actor.display_name)]))
  for (const id of state.members.get(server_id)?.keys() ?? []) if (names.size < PEOPLE_MAX) names.set(id, nameOf(id))
  return [...names].toSorted(([, one], [, other]) => one.localeCompare(other))
}

/** The choice of a person, an act and a channel. */
export const AuditFilters = ({ server_id, filter, entries, onChange }: FiltersProps) => {
  const { auditFilters: says, audit } = settingsWords
  const { user_id, action, channel_id } = filter
  const setFilter = <K extends keyof Filter>(name: K, value: Filter[K] | '' | 0) => {
    const { [name]: _, ...remaining } = filter
    onChange(value === '' || value === 0 ? remaining : { ...remaining, [name]: value })
  }
  const channels = state.channelsOf(server_id).map((channel) => [channel.id, titleOf(channel)] as const)
  return (
    <div class="pair">
      <SelectField
        label={says.person}
        value={user_id ?? 0}
        options={[[0, says.anybody], ...peopleOf(server_id, entries)]}
        onChange={(id) => setFilter('user_id', id)}
      />
      <SelectField
        label={says.act}
        value={action ?? ''}
        options={[['', says.anything], ...ACTIONS.map((each) => [each, audit[each]] as const)]}
        onChange={(each) => setFilter('action', each)}
      />
      <SelectField
        label={says.place}
        value={channel_id ?? 0}
        options={[[0, says.anywhere], ...channels]}
        onChange={(id) => setFilter('channel_id', id)}
      />
    </div>
  )
}
