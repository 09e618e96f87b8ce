import { isLarge } from '../../state/member-lists.ts'
import { state } from '../../state/session.ts'
import { SearchChoice } from '../commands/search-choice.tsx'
import { SelectField } from '../kit/dialog-forms.tsx'

interface MemberFieldProps {
  server_id: number
  label: string
  value: number
  /** Members that the page knows, and 0 for none. */
  options: [id: number, name: string][]
  onChange: (id: number) => void
}

/** The choice of a member: from a list, in a large server by a part of the name. */
export const MemberField = ({ server_id, ...field }: MemberFieldProps) =>
  isLarge(state, server_id) ? (
    <label class="field">
      <span>{field.label}</span>
      <SearchChoice
        label={field.label}
        choices={field.options.filter(([id]) => id !== 0)}
        value={field.value === 0 ? undefined : field.value}
        onChange={(id = 0) => field.onChange(id)}
        membersOf={server_id}
      />
    </label>
  ) : (
    <SelectField {...field} />
  )
