import type { TargetedKeyboardEvent } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type Completion, completions, type Known, lastWord } from '../../state/search-query.ts'
import { searchWords } from '../../words/search.ts'
import { IconButton } from '../kit/controls.tsx'
import { Icon } from '../kit/icons.tsx'
import { searchFocus } from './search-shown.ts'
import { isComposingKey, stepOf } from '../../state/keyboard.ts'

const SUGGESTED_MAX = 8

interface FieldProps {
  value: string
  known: Known
  onChange: (text: string) => void
  /** Asked to search at once, or to close. */
  onEnter: () => void
  onEscape: () => void
}

/** The field of the search, which suggests filters and their values. */
export const SearchField = ({ value, known, onChange, onEnter, onEscape }: FieldProps) => {
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
  const found = before === undefined ? [] : completions(before, known, SUGGESTED_MAX)
  const active = at !== undefined && at < found.length ? at : undefined
  const pick = ({ text, isOpen }: Completion) => {
    const start = (before ?? '').slice(0, (before ?? '').length - lastWord(before ?? '').length)
    const inserted = `${start}${text}${isOpen ? '' : ' '}`
    caretAfter.current = inserted.length
    setAt(undefined)
    onChange(inserted + value.slice(caret ?? 0))
    box.current?.focus()
  }
  const key = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    if (isComposingKey(event)) return
    const step = stepOf(event)
    const chosen = active === undefined ? undefined : found[active]
    if (step !== undefined && found.length > 0)
      setAt(((active ?? (step > 0 ? -1 : 0)) + step + found.length) % found.length)
    else if (chosen && (event.key === 'Enter' || event.key === 'Tab')) pick(chosen)
    else if (event.key === 'Enter') {
      setCaret(undefined)
      onEnter()
    } else if (event.key === 'Escape') {
      if (found.length > 0) setCaret(undefined)
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
        aria-expanded={found.length > 0}
        aria-controls={found.length > 0 ? id : undefined}
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
      {found.length > 0 ? <Completions id={id} found={found} active={active} pick={pick} /> : null}
    </div>
  )
}

interface CompletionsProps {
  id: string
  found: Completion[]
  active: number | undefined
  pick: (completion: Completion) => void
}

const Completions = ({ id, found, active, pick }: CompletionsProps) => (
  <ul class="completions" id={id} role="listbox" aria-label={searchWords.suggestions}>
    {found.map((each, at) => (
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
