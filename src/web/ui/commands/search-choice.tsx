import { useId, useState } from 'preact/hooks'
import { matches } from '../../state/matches.ts'
import { commandWords } from '../../words/commands.ts'
import { isComposingKey, stepOf } from '../../state/keyboard.ts'
import { useMemberSearch } from '../kit/member-search.ts'

/** Options of a plain list; more of them get a search by name. */
const LISTED_MAX = 25
const FOUND_MAX = 8

export const isLong = (choices: unknown[]): boolean => choices.length > LISTED_MAX

interface SearchChoiceProps {
  label: string
  /** Values with their names. */
  choices: (readonly [value: number, name: string])[]
  value: number | undefined
  onChange: (value: number | undefined) => void
  required?: boolean
  disabled?: boolean
  /** The browser says this when the form is sent; empty if the choice is right. */
  complaint?: string
  /** The server whose members are the choices: a large one is searched for members that the page does not know. */
  membersOf?: number | null
}

/** A choice of one among many: by part of the name, by keyboard or touch. */
export const SearchChoice = (props: SearchChoiceProps) => {
  const { label, choices, value, onChange, required, disabled, complaint = '', membersOf } = props
  const id = useId()
  /** The search text; undefined while the field is not being edited. */
  const [query, setQuery] = useState<string>()
  const [at, setAt] = useState(0)
  useMemberSearch(membersOf, query)
  const chosenName = choices.find(([each]) => each === value)?.[1] ?? ''
  const candidates = choices.map(([each, name]) => ({ id: each, name }))
  const results = query === undefined ? [] : matches(query.trim(), candidates, FOUND_MAX)
  const pick = (each: { id: number } | undefined) => {
    setQuery(undefined)
    setAt(0)
    onChange(each?.id)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = stepOf(event)
    if (isComposingKey(event) || query === undefined) return
    if (step !== undefined && results.length > 0) setAt((at + step + results.length) % results.length)
    else if (event.key === 'Enter') pick(results[at])
    else if (event.key === 'Escape') setQuery(undefined)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <span class="search-choice">
      <input
        ref={(element) => element?.setCustomValidity(complaint)}
        type="text"
        role="combobox"
        aria-label={label}
        aria-expanded={results.length > 0}
        aria-autocomplete="list"
        aria-controls={id}
        aria-activedescendant={results.length > 0 ? `${id}-${at}` : undefined}
        autocomplete="off"
        placeholder={commandWords.choose}
        required={required}
        disabled={disabled}
        value={query ?? chosenName}
        onInput={(event) => {
          onChange(undefined)
          setQuery(event.currentTarget.value)
          setAt(0)
        }}
        onFocus={() => setQuery((before) => before ?? (chosenName === '' ? '' : undefined))}
        onBlur={() => setQuery(undefined)}
        onKeyDown={onKeyDown}
      />
      <ul id={id} class="suggestions-list" role="listbox" aria-label={label} hidden={results.length === 0}>
        {results.map((each, place) => (
          <li
            key={each.id}
            id={`${id}-${place}`}
            role="option"
            aria-selected={place === at}
            class={`row ${place === at ? 'here' : ''}`}
            onMouseDown={(event) => event.preventDefault()}
            onClick={(event) => {
              event.preventDefault()
              pick(each)
            }}
          >
            <bdi>{each.name}</bdi>
          </li>
        ))}
      </ul>
    </span>
  )
}
