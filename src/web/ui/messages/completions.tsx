import type { RefObject } from 'preact'
import { useId, useLayoutEffect, useState } from 'preact/hooks'
import type { Channel } from '../../../features/access/model.ts'
import { type Composition, withMention } from '../../state/mentions.ts'
import { follow, state } from '../../state/session.ts'
import { queryAt } from '../../state/unfinished-mention.ts'
import { completionWords } from '../../words/completions.ts'
import { words } from '../../words/words.ts'
import { EmojiSuggestions, useEmojiSuggestions } from '../emoji/emoji-suggestions.tsx'
import { Avatar } from '../kit/controls.tsx'
import { Icon } from '../kit/icons.tsx'
import { useMemberSearch } from '../kit/member-search.ts'
import { type Suggestion, suggestionsAt, writtenOf } from './suggestions.ts'
import { isComposingKey, isEnter, stepOf } from '../../state/keyboard.ts'

/** A field for a message's text. */
export interface CompletedField {
  value: Composition
  onChange: (next: Composition) => void
  /** The channel whose members can be mentioned. */
  channel: Channel | undefined
  box: RefObject<HTMLTextAreaElement | null>
}

/** Completes the text of a field. */
export interface Completion {
  /** True if the list handled the key. */
  takeKey: (event: KeyboardEvent) => boolean
  /** The text with the emoji in place of the name that it completes. */
  complete: (typed: Composition, at: number) => Composition
}

interface CompletionsProps extends CompletedField {
  caret: number | undefined
  /** Receives the position of the caret in the changed text. */
  caretAfter: RefObject<number | undefined>
  /** Receives how the field completes. */
  completion: RefObject<Completion | undefined>
}

/** The open list of a field: people, roles and channels to mention, or emoji by their names. */
export const Completions = (props: CompletionsProps) => {
  const { channel, box, completion } = props
  const people = useSuggestions(props)
  const emoji = useEmojiSuggestions(props)
  const isEmoji = people.found.length === 0
  const { id, found, active, takeKey } = isEmoji ? emoji : people
  completion.current = { takeKey, complete: emoji.complete }
  useLayoutEffect(() => {
    const field = box.current
    if (!field || found.length === 0) return
    // The list of commands sets the same attributes while this one is closed.
    field.setAttribute('aria-controls', id)
    if (active !== undefined) field.setAttribute('aria-activedescendant', `${id}-${active}`)
    return () => ['aria-controls', 'aria-activedescendant'].forEach((name) => field.removeAttribute(name))
  }, [id, active, found.length])
  if (!isEmoji) return <Suggestions {...people} channel={channel} />
  return found.length > 0 ? <EmojiSuggestions {...emoji} /> : null
}

/** Completions of the text after an @ or # before the caret, and the keys that choose among them. */
function useSuggestions({ value, onChange, channel, box, caret, caretAfter }: CompletionsProps) {
  follow('members', 'shell')
  const id = useId()
  /** Position of the @ at which the list was closed: it does not open there again. */
  const [closedAt, setClosedAt] = useState<number>()
  const [chosen, setChosen] = useState<{ query: string; at: number }>()
  const query = channel && caret !== undefined ? suggestionsAt(value, caret, channel) : undefined
  useMemberSearch(channel?.server_id, caret === undefined ? undefined : queryAt(value, caret)?.query)
  const open = query && query.start !== closedAt ? query : undefined
  const found = open?.found ?? []
  useLayoutEffect(() => {
    // The text at that position is deleted: what is typed there next is a new mention.
    if (value.text.length <= (closedAt ?? -1)) setClosedAt(undefined)
    if (found.length === 0) setChosen(undefined)
  })
  const key = `${open?.start} ${open?.query}`
  // Only an @ chooses nobody: Enter sends it.
  const first = open?.query === '' || found.length === 0 ? undefined : 0
  const active = chosen?.query === key && found.length > 0 ? chosen.at : first
  const pick = (suggestion: Suggestion) => {
    if (!open || caret === undefined) return
    const next = withMention(value, open.start, caret, suggestion.target, writtenOf(suggestion))
    caretAfter.current = next.caret
    onChange(next.composition)
    box.current?.focus()
  }
  /** True if the list handled the key. */
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
  return { id, found, active, pick, takeKey }
}

interface SuggestionsProps {
  id: string
  found: Suggestion[]
  active: number | undefined
  pick: (suggestion: Suggestion) => void
  channel: Channel | undefined
}

const Suggestions = ({ id, found, active, pick, channel }: SuggestionsProps) => (
  <ul class="suggestions" id={id} role="listbox" aria-label={completionWords.people}>
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

/** Distinguishes accounts: the highest role, and the id if another account has the same name. */
function distinction(serverId: number | null, { kind, id, name }: Suggestion, found: Suggestion[]): string {
  if (kind !== 'person') return ''
  const hasNamesake = found.some((other) => other.kind === 'person' && other.id !== id && other.name === name)
  if (serverId === null) return hasNamesake ? `#${id}` : ''
  const roles = state.rolesOf(serverId, id).filter((role) => !role.is_everyone)
  const [highest] = roles.toSorted((a, b) => b.position - a.position)
  const isOwner = state.servers.get(serverId)?.owner_id === id
  return [isOwner ? words.owner : highest?.name, hasNamesake ? `#${id}` : ''].filter(Boolean).join(' · ')
}
