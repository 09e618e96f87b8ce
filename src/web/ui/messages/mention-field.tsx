import type { RefObject, TargetedKeyboardEvent } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Channel } from '../../../features/channels/model.ts'
import { type Composition, edited, matches, mentioned, queryAt } from '../../state/mentions.ts'
import { nameOf } from '../../state/names.ts'
import { follow, state } from '../../state/session.ts'
import { words } from '../../words/words.ts'
import { EmojiSuggestions, useEmojiSuggestions } from '../emoji/emoji-suggestions.tsx'
import { Avatar } from '../kit/controls.tsx'

const SUGGESTED_MAX = 6

interface Person {
  user_id: number
  name: string
}

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

/** A field for a message's text, which suggests people to mention, and emoji by their names. */
export const MentionField = (props: MentionFieldProps) => {
  const { value, onChange, channel, label, box, onKeyDown, ...rest } = props
  const backdrop = useRef<HTMLDivElement>(null)
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
      <div ref={backdrop} class="backdrop" aria-hidden="true">
        <Pieces value={value} />
      </div>
      <textarea
        {...rest}
        ref={box}
        rows={1}
        value={value.text}
        aria-label={label}
        aria-autocomplete="list"
        aria-haspopup={channel ? 'listbox' : undefined}
        aria-controls={found.length > 0 ? list.id : undefined}
        aria-activedescendant={active === undefined ? undefined : `${list.id}-${active}`}
        onInput={(event) => {
          const { value: text, selectionEnd } = event.currentTarget
          onChange(edited(value, text, selectionEnd))
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

/** Members whose name fits the text after an @ before the caret; the keys that choose among them. */
function useSuggestions({ value, onChange, channel, box }: MentionFieldProps) {
  follow('members')
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
  const asked = channel && caret !== undefined ? queryAt(value, caret) : undefined
  const open = asked && asked.start !== closedAt ? asked : undefined
  const found = channel && open ? matches(open.query, peopleIn(channel), SUGGESTED_MAX) : []
  const key = `${open?.start} ${open?.query}`
  // A lone @ chooses nobody: Enter sends it.
  const first = open?.query === '' || found.length === 0 ? undefined : 0
  const active = chosen?.query === key && found.length > 0 ? chosen.at : first
  const pick = ({ user_id, name }: Person) => {
    if (!open || caret === undefined) return
    const done = mentioned(value, open.start, caret, user_id, name)
    caretAfter.current = done.caret
    onChange(done.composition)
    box.current?.focus()
  }
  /** Whether the key was for the list. */
  const takeKey = (event: KeyboardEvent): boolean => {
    if (found.length === 0 || event.isComposing) return false
    const person = active === undefined ? undefined : found[active]
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      const from = active ?? (step > 0 ? -1 : 0)
      setChosen({ query: key, at: (from + step + found.length) % found.length })
    } else if (event.key === 'Escape') setClosedAt(open?.start)
    else if (person && (event.key === 'Tab' || (event.key === 'Enter' && !event.shiftKey))) pick(person)
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  return { id, found, active, pick, takeKey, setCaret }
}

/** The members of the channel's server, or the participants of a dm or group. */
function peopleIn({ server_id, recipients }: Channel): Person[] {
  const members = server_id === null ? [] : [...(state.members.get(server_id)?.keys() ?? [])]
  return [...members, ...(recipients ?? []).map(({ id }) => id)].map((user_id) => ({ user_id, name: nameOf(user_id) }))
}

interface SuggestionsProps {
  id: string
  found: Person[]
  active: number | undefined
  pick: (person: Person) => void
  channel: Channel | undefined
}

const Suggestions = ({ id, found, active, pick, channel }: SuggestionsProps) => (
  <ul class="suggestions" id={id} role="listbox" aria-label={words.composer.mention}>
    {found.map((person, at) => (
      <li
        key={person.user_id}
        id={`${id}-${at}`}
        role="option"
        aria-selected={at === active}
        class={`row ${at === active ? 'here' : ''}`}
        // The field keeps the focus.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => pick(person)}
      >
        <Avatar id={person.user_id} size={24} />
        <bdi>{person.name}</bdi>
        <small>{channel ? distinction(channel.server_id, person, found) : null}</small>
      </li>
    ))}
  </ul>
)

/** What tells an account from others: its highest role, and its id if another has the same name. */
function distinction(server_id: number | null, { user_id, name }: Person, found: Person[]): string {
  const hasNamesake = found.some((other) => other.user_id !== user_id && other.name === name)
  if (server_id === null) return hasNamesake ? `#${user_id}` : ''
  const roles = state.rolesOf(server_id, user_id).filter((role) => !role.is_everyone)
  const [highest] = roles.toSorted((a, b) => b.position - a.position)
  const isOwner = state.servers.get(server_id)?.owner_id === user_id
  return [isOwner ? words.owner : highest?.name, hasNamesake ? `#${user_id}` : ''].filter(Boolean).join(' · ')
}
