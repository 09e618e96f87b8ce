import { useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Channel } from '../../../features/channels/model.ts'
import { chooseTone, customEmojiIn, noteUse, recentEmoji, skinTone, tokenOf } from '../../state/emoji.ts'
import { withoutBidi } from '../../state/names.ts'
import { follow, state } from '../../state/session.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { closeDialog, Dialog } from '../kit/dialogs.tsx'
import { Emoji, nameOfEmoji } from './emoji.tsx'
import { findEmoji, inTone, knownEmoji } from './known-emoji.ts'

const FOUND_MAX = 90

interface Choice {
  emoji: string
  label: string
}
interface Section {
  title: string
  choices: Choice[]
}

const byId = new Map(knownEmoji.map((one) => [one.emoji, one]))

/** The custom emoji, by server. */
function customSections(channel: Channel | undefined): Section[] {
  const by_server = Map.groupBy(customEmojiIn(channel), ({ server_id }) => server_id)
  return [...by_server].map(([server_id, emoji]) => ({
    title: withoutBidi(state.servers.get(server_id)?.name ?? ''),
    choices: emoji.map((one) => ({ emoji: tokenOf(one), label: one.name })),
  }))
}

function sectionsFor(query: string, channel: Channel | undefined, tone: number): Section[] {
  const custom = customSections(channel)
  const sought = query.trim().replace(/^:|:$/g, '').toLowerCase()
  if (sought !== '') {
    const own = custom.flatMap(({ choices }) => choices.filter(({ label }) => label.includes(sought)))
    const others = findEmoji(sought, FOUND_MAX).map((one) => ({ emoji: inTone(one, tone), label: one.label }))
    return [{ title: dialogWords.emoji.found, choices: [...own, ...others] }]
  }
  const usable = new Set(custom.flatMap(({ choices }) => choices.map(({ emoji }) => emoji)))
  const recent = recentEmoji.value
    .filter((emoji) => !/:\d+$/.test(emoji) || usable.has(emoji))
    .map((emoji) => ({ emoji, label: byId.get(emoji)?.label ?? nameOfEmoji(emoji) }))
  const groups = dialogWords.emoji.groups.map((title, group) => ({
    title,
    choices: knownEmoji
      .filter((one) => one.group === group)
      .map((one) => ({ emoji: inTone(one, tone), label: one.label })),
  }))
  return [{ title: dialogWords.emoji.recent, choices: recent }, ...custom, ...groups].filter(
    ({ choices }) => choices.length > 0,
  )
}

/** How many emoji stand side by side: fewer where fingers point. */
function columnsOf(list: HTMLElement | null): number {
  const group = list?.querySelector('.group')
  return group ? getComputedStyle(group).gridTemplateColumns.split(' ').length : 1
}

/** A dialog that chooses an emoji: by search, group, or what was used lately. The field keeps the focus. */
export const Picker = ({ channel, onPick }: { channel: Channel | undefined; onPick: (emoji: string) => void }) => {
  follow('shell')
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const tone = skinTone.value
  const sections = useMemo(() => sectionsFor(query, channel, tone), [query, channel, tone])
  const all = sections.flatMap(({ choices }) => choices)
  useLayoutEffect(() => field.current?.focus(), [])
  useLayoutEffect(() => document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' }), [at, query])
  const pick = (choice: Choice | undefined) => {
    if (!choice) return
    noteUse(choice.emoji)
    closeDialog()
    onPick(choice.emoji)
  }
  const key = (event: KeyboardEvent) => {
    if (event.isComposing) return
    const columns = columnsOf(document.getElementById(id))
    const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }
    const step = steps[event.key]
    // In a text the arrows move the caret, until one leaves it.
    const inText = query !== '' && (event.key === 'ArrowLeft' || event.key === 'ArrowRight') && at === 0
    if (event.key === 'Enter') pick(all[at])
    else if (step === undefined || inText) return
    else setAt(Math.max(0, Math.min(all.length - 1, at + step)))
    event.preventDefault()
  }
  let number = 0
  return (
    <Dialog title={dialogWords.emoji.picker} onClose={closeDialog} class="picker">
      <div class="seeking">
        <input
          ref={field}
          type="search"
          role="combobox"
          list={undefined}
          aria-label={dialogWords.emoji.search}
          placeholder={dialogWords.emoji.search}
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={all.length > 0 ? `${id}-${at}` : undefined}
          value={query}
          onInput={(event) => (setQuery(event.currentTarget.value), setAt(0))}
          onKeyDown={key}
        />
        <SkinTones />
      </div>
      <div class="scroll" id={id} role="listbox" aria-label={dialogWords.emoji.picker} tabIndex={-1}>
        {sections.map(({ title, choices }) => (
          <div key={title} role="group" aria-label={title} class="group">
            <p aria-hidden="true">{title}</p>
            {choices.map((choice) => {
              const own = number++
              return (
                <div
                  key={choice.emoji}
                  id={`${id}-${own}`}
                  role="option"
                  class="choice"
                  aria-label={choice.label}
                  aria-selected={own === at}
                  title={choice.label}
                  // The field keeps the focus.
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => pick(choice)}
                >
                  <Emoji emoji={choice.emoji} />
                </div>
              )
            })}
          </div>
        ))}
      </div>
      {all.length === 0 ? <p class="quiet none">{dialogWords.emoji.none}</p> : null}
      <p class="quiet chosen" role="status">
        {all[at] ? `${all[at].label}` : ''}
      </p>
    </Dialog>
  )
}

/** The skin tone of all emoji that have one. */
const SkinTones = () => (
  <select
    aria-label={dialogWords.emoji.tone}
    title={dialogWords.emoji.tone}
    value={skinTone.value}
    onChange={(event) => chooseTone(Number(event.currentTarget.value))}
  >
    {dialogWords.emoji.tones.map((name, tone) => (
      <option key={tone} value={tone} aria-label={name}>
        {['✋', '✋🏻', '✋🏼', '✋🏽', '✋🏾', '✋🏿'][tone]} {name}
      </option>
    ))}
  </select>
)
