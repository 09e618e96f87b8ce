import type { Channel } from '../../../features/access/model.ts'
import type { Modal } from '../../../features/messages/model.ts'
import { commandWords } from '../../words/commands.ts'
import { offeredIn } from './choices.ts'
import { isLong, SearchChoice } from './search-choice.tsx'

type Input = Modal['inputs'][number]

interface ModalSelectProps {
  input: Input & { select: NonNullable<Input['select']> }
  channel_id: Channel['id']
  chosen: string[]
  onChange: (chosen: string[]) => void
}

/** A choice in a form of a bot. */
export const ModalSelect = ({ input, channel_id, chosen, onChange }: ModalSelectProps) => {
  const { label, description, required, select } = input
  const { min, max, placeholder } = select
  const choices = offeredIn(select, channel_id)
  const isMany = max > 1
  const nameOfValue = (value: string) => choices.find(([each]) => each === value)?.[1]
  const pick = (value: number | undefined) => {
    if (value === undefined) return isMany ? undefined : onChange([])
    onChange(isMany ? [...new Set([...chosen, String(value)])].slice(0, max) : [String(value)])
  }
  // A browser cannot say itself how many entries of a list are wanted.
  const isWrong = chosen.length > max || (chosen.length < min && (required || chosen.length > 0))
  const validate = (element: HTMLSelectElement | null) =>
    element?.setCustomValidity(isWrong ? commandWords.chooseBetween({ min: String(min), max: String(max) }) : '')
  return (
    <label class="field">
      <span>{required ? `${label} *` : label}</span>
      {select.of !== 'string' && isLong(choices) ? (
        <>
          {isMany
            ? chosen.map((value) => (
                <button
                  key={value}
                  type="button"
                  aria-pressed="true"
                  onClick={() => onChange(chosen.filter((each) => each !== value))}
                >
                  {nameOfValue(value)}
                </button>
              ))
            : null}
          <SearchChoice
            label={label}
            choices={choices.map(([value, name]) => [Number(value), name] as const)}
            value={isMany ? undefined : Number(chosen[0])}
            onChange={pick}
            required={required && chosen.length === 0}
          />
        </>
      ) : (
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
      )}
      {description ? <small>{description}</small> : null}
    </label>
  )
}
