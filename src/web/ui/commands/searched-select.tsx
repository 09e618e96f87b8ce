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
  onChange: (chosen: string[]) => void
}

/** A select of a bot with many choices: a search by name. If several may be chosen, the chosen ones precede it. */
export const SearchedSelect = (props: SearchedSelectProps) => {
  const { label, choices, membersOf, chosen, max, required, disabled, onChange } = props
  const isMany = max > 1
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
        disabled={disabled}
        membersOf={membersOf}
      />
    </>
  )
}
