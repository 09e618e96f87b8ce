import type { Channel } from '../../../features/access/model.ts'
import type { Modal } from '../../../features/messages/model.ts'
import { follow } from '../../state/session.ts'
import { commandWords } from '../../words/commands.ts'
import { largeServer, offeredIn } from './choices.ts'
import { isLong, SearchChoice } from './search-choice.tsx'

type Input = Modal['inputs'][number]

interface ModalSelectProps {
  input: Input & { select: NonNullable<Input['select']> }
  channel_id: Channel['id']
  chosen: string[]
  onChange: (chosen: string[]) => void
}

/** A choice in a form of a bot: a list, or a search by name among many. */
export const ModalSelect = (props: ModalSelectProps) => {
  follow('members')
  const { input, channel_id, chosen, onChange } = props
  const { label, description, required, select } = input
  const { min, max, placeholder } = select
  const choices = offeredIn(select, channel_id)
  const membersOf = largeServer(select, channel_id)
  if (membersOf !== null || (select.of !== 'string' && isLong(choices)))
    return <SearchedSelect {...props} choices={choices} membersOf={membersOf} />
  const isMany = max > 1
  // A browser cannot say itself how many entries of a list are wanted.
  const isWrong = chosen.length > max || (chosen.length < min && (required || chosen.length > 0))
  const validate = (element: HTMLSelectElement | null) =>
    element?.setCustomValidity(isWrong ? commandWords.chooseBetween({ min: String(min), max: String(max) }) : '')
  return (
    <label class="field">
      <span>{required ? `${label} *` : label}</span>
      <select
        ref={validate}
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
      {description ? <small>{description}</small> : null}
    </label>
  )
}

interface SearchedSelectProps extends ModalSelectProps {
  choices: [value: string, name: string][]
  membersOf: number | null
}

/** In a group and not in a label: a click on a label's text would press its first button, and take a choice away. */
const SearchedSelect = ({ input, chosen, onChange, choices, membersOf }: SearchedSelectProps) => {
  const { label, description, required, select } = input
  const isMany = select.max > 1
  const pick = (value: number | undefined) => {
    if (value === undefined) return isMany ? undefined : onChange([])
    onChange(isMany ? [...new Set([...chosen, String(value)])].slice(0, select.max) : [String(value)])
  }
  return (
    <div class="field" role="group" aria-label={label}>
      <span>{required ? `${label} *` : label}</span>
      {isMany
        ? chosen.map((value) => (
            <button
              key={value}
              type="button"
              aria-pressed="true"
              onClick={() => onChange(chosen.filter((each) => each !== value))}
            >
              {choices.find(([each]) => each === value)?.[1]}
            </button>
          ))
        : null}
      <SearchChoice
        label={label}
        choices={choices.map(([value, name]) => [Number(value), name] as const)}
        value={isMany ? undefined : Number(chosen[0])}
        onChange={pick}
        required={required && chosen.length === 0}
        membersOf={membersOf}
      />
      {description ? <small>{description}</small> : null}
    </div>
  )
}
