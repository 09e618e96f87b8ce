import type { RefObject } from 'preact'
import { useEffect, useId, useLayoutEffect, useState } from 'preact/hooks'
import type { Channel } from '../../../features/access/model.ts'
import { customEmojiIn, noteUse, tokenOf } from '../../state/emoji.ts'
import { type Composition, afterEdit } from '../../state/mentions.ts'
import { withoutBidi } from '../../state/names.ts'
import { follow, loader, state } from '../../state/session.ts'
import { isInCode } from '../../state/unfinished-mention.ts'
import { completionWords } from '../../words/completions.ts'
import { Emoji } from './emoji.tsx'
import { completedAt, nameInLanguage, namesFor, composeEmoji } from './written-names.ts'
import { isComposingKey, isEnter, stepOf } from '../../state/keyboard.ts'

const SUGGESTED_MAX = 8
/** A colon at a word's beginning, and at least two characters of a name. */
const QUERY = /(?<![\w/:]):([a-z0-9_+-]{2,32})$/i

interface Choice {
  /** `name:id` for a custom one. */
  emoji: string
  name: string
  /** The server of a custom emoji, if it is another one. */
  from?: string | undefined
}

interface Options {
  value: Composition
  onChange: (next: Composition) => void
  channel: Channel | undefined
  box: RefObject<HTMLTextAreaElement | null>
  caret: number | undefined
  caretAfter: RefObject<number | undefined>
}

type Find = typeof import('./known-emoji.ts').findEmoji

/** Emoji whose name fits the text after a colon before the caret; the keys that choose among them. */
export function useEmojiSuggestions({ value, onChange, channel, box, caret, caretAfter }: Options) {
  follow('shell')
  const id = useId()
  const [closedAt, setClosedAt] = useState<number>()
  const [chosen, setChosen] = useState<{ query: string; at: number }>()
  const [find, setFind] = useState<{ emoji: Find }>()
  const query = caret === undefined ? undefined : QUERY.exec(value.text.slice(0, caret))?.[1]?.toLowerCase()
  const start = (caret ?? 0) - (query?.length ?? 0) - 1
  const isOpen = query !== undefined && start !== closedAt && !isInCode(value.text, start)
  useEffect(() => {
    // The names of Unicode's emoji are many: they are loaded when the first is looked for.
    if (!isOpen || find) return
    void namesFor(`:${query}:`)
    void loader.openAll()
    import('./known-emoji.ts').then(
      ({ findEmoji }) => {
        setFind({ emoji: findEmoji })
        // A new object: what is found has other names.
        void nameInLanguage().then(() => setFind({ emoji: findEmoji }))
      },
      () => {},
    )
  }, [isOpen])
  const found = isOpen ? matching(query, channel, find?.emoji) : []
  useLayoutEffect(() => {
    // The text at that position is deleted: what is typed there next is a new name.
    if (value.text.length <= (closedAt ?? -1)) setClosedAt(undefined)
    if (found.length === 0) setChosen(undefined)
  })
  const active = found.length === 0 ? undefined : chosen?.query === `${start} ${query}` ? chosen.at : 0
  const pick = ({ emoji }: Choice) => {
    if (caret === undefined) return
    noteUse(emoji)
    const next = composeEmoji(value, start, caret, emoji)
    caretAfter.current = next.caret
    onChange(next.composition)
    box.current?.focus()
  }
  /** The text with the emoji in place of the name that it completes. @param at the caret */
  const complete = (input: Composition, at: number): Composition => {
    const completion = input.text.length > value.text.length ? completedAt(input.text, at) : undefined
    const isCustom =
      completion && customEmojiIn(channel).some(({ name }) => input.text.slice(completion.start, at) === `:${name}:`)
    if (!completion || isCustom || isInCode(input.text, completion.start)) return input
    caretAfter.current = completion.start + completion.emoji.length
    return afterEdit(
      input,
      input.text.slice(0, completion.start) + completion.emoji + input.text.slice(at),
      caretAfter.current,
    )
  }
  /** True if the list handled the key. */
  const takeKey = (event: KeyboardEvent): boolean => {
    const choice = active === undefined ? undefined : found[active]
    if (!choice || active === undefined || isComposingKey(event)) return false
    const step = stepOf(event)
    if (step !== undefined) setChosen({ query: `${start} ${query}`, at: (active + step + found.length) % found.length })
    else if (event.key === 'Escape') setClosedAt(start)
    else if (event.key === 'Tab' || isEnter(event)) pick(choice)
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  return { id, found, active, pick, takeKey, complete }
}

function matching(query: string, channel: Channel | undefined, find: Find | undefined): Choice[] {
  const custom = customEmojiIn(channel)
    .filter(({ name }) => name.includes(query))
    .toSorted((a, b) => a.name.indexOf(query) - b.name.indexOf(query))
    .map((one) => {
      const from = one.server_id === channel?.server_id ? undefined : state.servers.get(one.server_id)?.name
      return { emoji: tokenOf(one), name: one.name, from: from && withoutBidi(from) }
    })
  const standard = (find?.(query, SUGGESTED_MAX) ?? []).map(({ emoji, names, label }) => ({
    emoji,
    name: names[0] ?? label,
  }))
  return [...custom, ...standard].slice(0, SUGGESTED_MAX)
}

type SuggestionsProps = Pick<ReturnType<typeof useEmojiSuggestions>, 'id' | 'found' | 'active' | 'pick'>

export const EmojiSuggestions = ({ id, found, active, pick }: SuggestionsProps) => (
  <ul class="suggestions" id={id} role="listbox" aria-label={completionWords.emoji}>
    {found.map((choice, at) => (
      <li
        key={choice.emoji}
        id={`${id}-${at}`}
        role="option"
        aria-selected={at === active}
        class={`row ${at === active ? 'here' : ''}`}
        // The field keeps the focus.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => pick(choice)}
      >
        <Emoji emoji={choice.emoji} />
        <span>:{choice.name}:</span>
        {choice.from ? <bdi class="quiet">{choice.from}</bdi> : null}
      </li>
    ))}
  </ul>
)
