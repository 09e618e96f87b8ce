import type { RefObject, TargetedKeyboardEvent } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Channel } from '../../../features/channels/model.ts'
import { type Composition, edited, isInBlock, mentioned } from '../../state/mentions.ts'
import { follow, state } from '../../state/session.ts'
import { words } from '../../words/words.ts'
import { EmojiSuggestions, useEmojiSuggestions } from '../emoji/emoji-suggestions.tsx'
import { Avatar } from '../kit/controls.tsx'
import { Icon } from '../kit/icons.tsx'
import { type Suggestion, suggestionsAt, writtenOf } from './suggestions.ts'
import { isComposingKey, isEnter, stepOf } from '../../state/keyboard.ts'

interface MentionFieldProps {
  value: Composition
  onChange: (next: Composition) => void
  /** Whose people can be mentioned. */
  channel: Channel | undefined
  label: string
  box: RefObject<HTMLTextAreaElement | null>
  /** Receives the keys that the suggestions do not take. */
  onKeyDown: (event: TargetedKeyboardEvent<HTMLTextAreaElement>) => void
  onPaste?: (event: ClipboardEvent) => void
  placeholder?: string
}

/** A field for a message's text, which suggests people, roles and channels to mention, and emoji by their names. */
export const MentionField = (props: MentionFieldProps) => {
  const { value, onChange, channel, label, box, onKeyDown, ...rest } = props
  const backdrop = useRef<HTMLDivElement>(null)
  const again = useFieldText(box, value)
  const people = useSuggestions(props)
  const emoji = useEmojiSuggestions(props)
  const list = people.found.length > 0 ? people : emoji
  const { found, active } = list
  const setCaret = (caret: number | undefined) => {
    people.setCaret(caret)
    emoji.setCaret(caret)
  }
  return (
    <div class="mention-field">
      {people.found.length > 0 ? (
        <Suggestions {...people} channel={channel} />
      ) : found.length > 0 ? (
        <EmojiSuggestions {...emoji} />
      ) : null}
      <div ref={backdrop} class="backdrop" aria-hidden="true" dir="auto">
        <Pieces value={value} />
      </div>
      {/* HTML allows it no role but textbox, which has no aria-expanded: that the list is open, aria-controls says. */}
      <textarea
        {...rest}
        ref={box}
        rows={1}
        dir="auto"
        aria-label={label}
        aria-autocomplete="list"
        aria-haspopup={channel ? 'listbox' : undefined}
        aria-controls={found.length > 0 ? list.id : undefined}
        aria-activedescendant={active === undefined ? undefined : `${list.id}-${active}`}
        onInput={(event) => {
          const { value: text, selectionEnd } = event.currentTarget
          // The field shows it already.
          if (text === value.text) return
          const typed = edited(value, text, selectionEnd)
          const isUndone = event.inputType?.startsWith('history')
          onChange(isUndone ? again(typed) : event.isComposing ? typed : emoji.completed(typed, selectionEnd))
          setCaret(selectionEnd)
        }}
        onSelect={({ currentTarget: { selectionStart, selectionEnd } }) =>
          setCaret(selectionStart === selectionEnd ? selectionEnd : undefined)
        }
        onBlur={() => setCaret(undefined)}
        onScroll={({ currentTarget }) => backdrop.current?.scrollTo(0, currentTarget.scrollTop)}
        onKeyDown={(event) => list.takeKey(event) || onKeyDown(event)}
      />
    </div>
  )
}

/** Whether Enter writes a new line, since the caret is in a block of code. */
export const continuesCode = ({
  ctrlKey,
  metaKey,
  currentTarget,
}: TargetedKeyboardEvent<HTMLTextAreaElement>): boolean =>
  !ctrlKey && !metaKey && isInBlock(currentTarget.value, currentTarget.selectionStart)

/** Texts whose mentions are known when an edit is undone, or done again. */
const STEPS_MAX = 100

/**
 * Shows the text in the field.
 * @returns what gives a text that undoing has brought back the mentions that it had
 */
function useFieldText(box: RefObject<HTMLTextAreaElement | null>, value: Composition) {
  const past = useRef(new Map<string, Composition>())
  useLayoutEffect(() => {
    const field = box.current
    if (field && field.value !== value.text) write(field, value.text)
    past.current.delete(value.text)
    past.current.set(value.text, value)
    const [oldest] = past.current.keys()
    if (past.current.size > STEPS_MAX && oldest !== undefined) past.current.delete(oldest)
  })
  return (typed: Composition) => past.current.get(typed.text) ?? typed
}

/** Changes a field as an edit that can be undone: when a script sets its value, the browser forgets all edits. */
function write(field: HTMLTextAreaElement, text: string): void {
  const { value: before } = field
  const most = Math.min(before.length, text.length)
  let [start, end] = [0, 0]
  while (start < most && before[start] === text[start]) start++
  if (/[\ud800-\udbff]/.test(text.charAt(start - 1))) start--
  while (end < most - start && before.at(-1 - end) === text.at(-1 - end)) end++
  if (/[\udc00-\udfff]/.test(text.charAt(text.length - end))) end--
  if (text !== '' && document.activeElement === field) {
    field.setSelectionRange(start, before.length - end)
    const part = text.slice(start, text.length - end)
    document.execCommand(part === '' ? 'delete' : 'insertText', false, part)
  }
  if (field.value !== text) field.value = text
}

/** The text again, behind the field, with the mentions marked. */
const Pieces = ({ value: { text, mentions } }: { value: Composition }) => (
  <>
    {mentions.map(({ start, end }, at) => (
      <>
        {text.slice(mentions[at - 1]?.end ?? 0, start)}
        <mark>{text.slice(start, end)}</mark>
      </>
    ))}
    {text.slice(mentions.at(-1)?.end ?? 0)}{' '}
  </>
)

/** What fits the text after an @ or # before the caret; the keys that choose among it. */
function useSuggestions({ value, onChange, channel, box }: MentionFieldProps) {
  follow('members', 'shell')
  const id = useId()
  const [caret, setCaret] = useState<number>()
  /** Where the list was closed: it stays closed for this @. */
  const [closedAt, setClosedAt] = useState<number>()
  const [chosen, setChosen] = useState<{ query: string; at: number }>()
  const caretAfter = useRef<number | undefined>(undefined)
  useLayoutEffect(() => {
    if (caretAfter.current === undefined) return
    box.current?.setSelectionRange(caretAfter.current, caretAfter.current)
    setCaret(caretAfter.current)
    caretAfter.current = undefined
  })
  const asked = channel && caret !== undefined ? suggestionsAt(value, caret, channel) : undefined
  const open = asked && asked.start !== closedAt ? asked : undefined
  const found = open?.found ?? []
  useLayoutEffect(() => {
    // What is written there next is another one.
    if (value.text.length <= (closedAt ?? -1)) setClosedAt(undefined)
    if (found.length === 0) setChosen(undefined)
  })
  const key = `${open?.start} ${open?.query}`
  // A lone @ chooses nobody: Enter sends it.
  const first = open?.query === '' || found.length === 0 ? undefined : 0
  const active = chosen?.query === key && found.length > 0 ? chosen.at : first
  const pick = (chosen: Suggestion) => {
    if (!open || caret === undefined) return
    const done = mentioned(value, open.start, caret, chosen.target, writtenOf(chosen))
    caretAfter.current = done.caret
    onChange(done.composition)
    box.current?.focus()
  }
  /** Whether the key was for the list. */
  const takeKey = (event: KeyboardEvent): boolean => {
    if (found.length === 0 || isComposingKey(event)) return false
    const person = active === undefined ? undefined : found[active]
    const step = stepOf(event)
    if (step !== undefined) {
      const from = active ?? (step > 0 ? -1 : 0)
      setChosen({ query: key, at: (from + step + found.length) % found.length })
    } else if (event.key === 'Escape') setClosedAt(open?.start)
    else if (person && (event.key === 'Tab' || isEnter(event))) pick(person)
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  return { id, found, active, pick, takeKey, setCaret }
}

interface SuggestionsProps {
  id: string
  found: Suggestion[]
  active: number | undefined
  pick: (chosen: Suggestion) => void
  channel: Channel | undefined
}

const Suggestions = ({ id, found, active, pick, channel }: SuggestionsProps) => (
  <ul class="suggestions" id={id} role="listbox" aria-label={words.composer.mention}>
    {found.map((each, at) => (
      <li
        key={`${each.kind} ${each.id} ${each.name}`}
        id={`${id}-${at}`}
        role="option"
        aria-selected={at === active}
        class={`row ${at === active ? 'here' : ''} ${each.target === undefined ? 'quiet' : ''}`}
        // The field keeps the focus.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => pick(each)}
      >
        <Sign of={each} />
        <bdi {...(each.color ? { class: 'tinted', style: { '--tint': each.color } } : {})}>{each.name}</bdi>
        <small>{each.hint ?? (channel ? distinction(channel.server_id, each, found) : null)}</small>
      </li>
    ))}
  </ul>
)

const Sign = ({ of: { kind, id } }: { of: Suggestion }) =>
  kind === 'person' ? <Avatar id={id} size={24} /> : <Icon name={kind === 'channel' ? 'hash' : 'at'} size={20} />

/** What tells an account from others: its highest role, and its id if another has the same name. */
function distinction(server_id: number | null, { kind, id, name }: Suggestion, found: Suggestion[]): string {
  if (kind !== 'person') return ''
  const hasNamesake = found.some((other) => other.kind === 'person' && other.id !== id && other.name === name)
  if (server_id === null) return hasNamesake ? `#${id}` : ''
  const roles = state.rolesOf(server_id, id).filter((role) => !role.is_everyone)
  const [highest] = roles.toSorted((a, b) => b.position - a.position)
  const isOwner = state.servers.get(server_id)?.owner_id === id
  return [isOwner ? words.owner : highest?.name, hasNamesake ? `#${id}` : ''].filter(Boolean).join(' · ')
}
