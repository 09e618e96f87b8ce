import type { Channel } from '../../../features/access/model.ts'
import type { Modal } from '../../../features/messages/model.ts'
import { follow } from '../../state/session.ts'
import { commandWords } from '../../words/commands.ts'
import { offeredIn } from './choices.ts'
import { SearchedSelect } from './searched-select.tsx'

type Input = Modal['inputs'][number]

interface ModalSelectProps {
  input: Input & { select: NonNullable<Input['select']> }
  channel_id: Channel['id']
  chosen: string[]
  onChange: (chosen: string[]) => void
}

/** A choice in a form of a bot: a list, or a search by name among many. */
export const ModalSelect = ({ input, channel_id, chosen, onChange }: ModalSelectProps) => {
  follow('members')
  const { label, description, required, select } = input
  const { min, max, placeholder } = select
  const { choices, membersOf, isSearched } = offeredIn(select, channel_id)
  const title = <span>{required ? `${label} *` : label}</span>
  const hint = description ? <small>{description}</small> : null
  // A browser cannot check the number of choices by itself.
  const isWrong = chosen.length > max || (chosen.length < min && (required || chosen.length > 0))
  const complaint = isWrong ? commandWords.chooseBetween({ min: String(min), max: String(max) }) : ''
  // In a group and not in a label: a click on a label's text would press its first button, and take a choice away.
  if (isSearched)
    return (
      <div class="field" role="group" aria-label={label}>
        {title}
        <SearchedSelect
          label={label}
          choices={choices}
          membersOf={membersOf}
          chosen={chosen}
          max={max}
          required={required}
          complaint={complaint}
          onChange={onChange}
        />
        {hint}
      </div>
    )
  const isMany = max > 1
  return (
    <label class="field">
      {title}
      <select
        ref={(element) => element?.setCustomValidity(complaint)}
        multiple={isMany}
        required={required}
        onChange={(event) =>
          onChange([...event.currentTarget.selectedOptions].flatMap(({ value }) => (value === '' ? [] : [value])))
        }
      >
        {isMany ? null : <option value="">{placeholder || commandWords.choose}</option>}
        {choices.map(([value, name]) => (
          <option key={value} value={value} selected={chosen.includes(value)}>
            {name}
          </option>
        ))}
      </select>
      {hint}
    </label>
  )
}
