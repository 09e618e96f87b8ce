import { useRef } from 'preact/hooks'
import { SearchChoice } from './search-choice.tsx'

interface SearchedSelectProps {
  label: string
  choices: [value: string, name: string][]
  /** The server to search for members that the page does not know. */
  membersOf: number | null
  chosen: string[]
  max: number
  required?: boolean
  disabled?: boolean
  /** Says what is wrong with the chosen values; empty if nothing is. */
  complaint?: string
  onChange: (chosen: string[]) => void
}

/** A select of a bot with many choices: a search by name. If several may be chosen, the chosen ones precede it. */
export const SearchedSelect = (props: SearchedSelectProps) => {
  const { label, choices, membersOf, chosen, max, required, disabled, complaint, onChange } = props
  const isMany = max > 1
  const names = useRef(new Map<string, string>()).current
  for (const [value, name] of choices) if (chosen.includes(value)) names.set(value, name)
  // A chosen role that is deleted, or a member who leaves, keeps its name, so that the person can take it back.
  const nameOf = (value: string) => names.get(value) ?? '…'
  const [first] = chosen
  const isAbsent = !isMany && first !== undefined && !choices.some(([value]) => value === first)
  const offered = isAbsent ? [...choices, [first, nameOf(first)] as const] : choices
  const pick = (value: number | undefined) => {
    if (!isMany) onChange(value === undefined ? [] : [String(value)])
    else if (value !== undefined) onChange([...new Set([...chosen, String(value)])].slice(0, max))
  }
  return (
    <>
      {isMany
        ? chosen.map((value) => (
            <button
              key={value}
              type="button"
              aria-pressed="true"
              disabled={disabled}
              onClick={() => onChange(chosen.filter((each) => each !== value))}
            >
              {nameOf(value)}
            </button>
          ))
        : null}
      <SearchChoice
        label={label}
        choices={offered.map(([value, name]) => [Number(value), name] as const)}
        value={isMany ? undefined : Number(first)}
        onChange={pick}
        required={required && chosen.length === 0}
        disabled={disabled}
        complaint={complaint}
        membersOf={membersOf}
      />
    </>
  )
}
