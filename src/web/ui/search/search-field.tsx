import type { TargetedKeyboardEvent } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type Completion, completions, type Known, lastWord, personBefore } from '../../state/search-query.ts'
import { searchWords } from '../../words/search.ts'
import { IconButton } from '../kit/controls.tsx'
import { Icon } from '../kit/icons.tsx'
import { useMemberSearch } from '../kit/member-search.ts'
import { searchFocus } from './search-shown.ts'
import { isComposingKey, stepOf } from '../../state/keyboard.ts'

const SUGGESTED_MAX = 8

interface FieldProps {
  value: string
  names: Known
  /** The server whose members filters suggest: a large one is searched for others than the page knows. */
  server_id: number | undefined
  onChange: (text: string) => void
  /** Asked to search at once, or to close. */
  onEnter: () => void
  onEscape: () => void
}

/** The field of the search, which suggests filters and their values. */
export const SearchField = ({ value, names, server_id, onChange, onEnter, onEscape }: FieldProps) => {
  const id = useId()
  const box = useRef<HTMLInputElement>(null)
  const [caret, setCaret] = useState<number>()
  const [at, setAt] = useState<number>()
  const caretAfter = useRef<number | undefined>(undefined)
  useLayoutEffect(() => {
    box.current?.focus()
    box.current?.select()
  }, [searchFocus.value])
  useLayoutEffect(() => {
    if (caretAfter.current === undefined) return
    box.current?.setSelectionRange(caretAfter.current, caretAfter.current)
    setCaret(caretAfter.current)
    caretAfter.current = undefined
  })
  const before = caret === undefined ? undefined : value.slice(0, caret)
  useMemberSearch(server_id, before === undefined ? undefined : personBefore(before))
  const suggestions = before === undefined ? [] : completions(before, names, SUGGESTED_MAX)
  const active = at !== undefined && at < suggestions.length ? at : undefined
  const pick = ({ text, isOpen }: Completion) => {
    const start = (before ?? '').slice(0, (before ?? '').length - lastWord(before ?? '').length)
    const next = `${start}${text}${isOpen ? '' : ' '}`
    caretAfter.current = next.length
    setAt(undefined)
    onChange(next + value.slice(caret ?? 0))
    box.current?.focus()
  }
  const key = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    if (isComposingKey(event)) return
    const step = stepOf(event)
    const suggestion = active === undefined ? undefined : suggestions[active]
    if (step !== undefined && suggestions.length > 0)
      setAt(((active ?? (step > 0 ? -1 : 0)) + step + suggestions.length) % suggestions.length)
    else if (suggestion && (event.key === 'Enter' || event.key === 'Tab')) pick(suggestion)
    else if (event.key === 'Enter') {
      setCaret(undefined)
      onEnter()
    } else if (event.key === 'Escape') {
      if (suggestions.length > 0) setCaret(undefined)
      else onEscape()
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div class="search-field">
      <Icon name="search" size={18} />
      <input
        ref={box}
        type="text"
        role="combobox"
        enterkeyhint="search"
        autocomplete="off"
        maxLength={400}
        value={value}
        placeholder={searchWords.hint}
        aria-label={searchWords.field}
        aria-autocomplete="list"
        aria-expanded={suggestions.length > 0}
        aria-controls={suggestions.length > 0 ? id : undefined}
        aria-activedescendant={active === undefined ? undefined : `${id}-${active}`}
        onInput={({ currentTarget }) => {
          setAt(undefined)
          setCaret(currentTarget.selectionEnd ?? undefined)
          onChange(currentTarget.value)
        }}
        onFocus={({ currentTarget }) => setCaret(currentTarget.selectionEnd ?? undefined)}
        onClick={({ currentTarget }) => setCaret(currentTarget.selectionEnd ?? undefined)}
        onBlur={() => setCaret(undefined)}
        onKeyDown={key}
      />
      {value ? (
        <IconButton
          icon="close"
          size={16}
          label={searchWords.clear}
          onClick={() => {
            onChange('')
            box.current?.focus()
          }}
        />
      ) : null}
      {suggestions.length > 0 ? <Completions id={id} suggestions={suggestions} active={active} pick={pick} /> : null}
    </div>
  )
}

interface CompletionsProps {
  id: string
  suggestions: Completion[]
  active: number | undefined
  pick: (completion: Completion) => void
}

const Completions = ({ id, suggestions, active, pick }: CompletionsProps) => (
  <ul class="completions" id={id} role="listbox" aria-label={searchWords.suggestions}>
    {suggestions.map((each, at) => (
      <li
        key={each.text}
        id={`${id}-${at}`}
        role="option"
        aria-selected={at === active}
        class={`row ${at === active ? 'here' : ''}`}
        // The field keeps the focus.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => pick(each)}
      >
        <bdi>{each.label}</bdi>
        {each.isOpen ? <small>{searchWords.filters[each.filter]}</small> : null}
      </li>
    ))}
  </ul>
)
