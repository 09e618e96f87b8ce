import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Channel } from '../../../features/access/model.ts'
import { folded } from '../../../core/words.ts'
import { chooseTone, customEmojiIn, noteUse, recentEmoji, skinTone, tokenOf } from '../../state/emoji.ts'
import { withoutBidi } from '../../state/names.ts'
import { follow, loader, state } from '../../state/session.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { stickerWords } from '../../words/stickers.ts'
import { Dialog } from '../kit/dialog.tsx'
import { closeDialog } from '../kit/dialogs.tsx'
import { useGradually } from '../kit/gradually.ts'
import { Later } from '../kit/later.tsx'
import type { SendsPicture } from './sends-picture.ts'
import { Emoji, nameOfEmoji } from './emoji.tsx'
import { findEmoji, inTone, knownEmoji, namings } from './known-emoji.ts'
import { isComposingKey } from '../../state/keyboard.ts'

const FOUND_MAX = 90
/** Emoji rendered when the picker opens, more than are visible, and emoji added in each further frame. */
const FIRST_DRAWN = 90
const DRAWN_A_FRAME = 45

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
  const byServer = Map.groupBy(customEmojiIn(channel), ({ server_id }) => server_id)
  return [...byServer].map(([server_id, emoji]) => ({
    title: withoutBidi(state.servers.get(server_id)?.name ?? ''),
    choices: emoji.map((one) => ({ emoji: tokenOf(one), label: one.name })),
  }))
}

function sectionsFor(query: string, channel: Channel | undefined, tone: number): Section[] {
  const custom = customSections(channel)
  const sought = folded(query.trim().replace(/^:|:$/g, ''))
  if (sought !== '') {
    const ofServers = custom.flatMap(({ choices }) => choices.filter(({ label }) => label.includes(sought)))
    const standard = findEmoji(sought, FOUND_MAX).map((one) => ({ emoji: inTone(one, tone), label: one.label }))
    return [{ title: dialogWords.emoji.found, choices: [...ofServers, ...standard] }]
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

/** Emoji per row; fewer on touch screens. */
function columnsOf(list: HTMLElement | null): number {
  const group = list?.querySelector('.group')
  return group ? getComputedStyle(group).gridTemplateColumns.split(' ').length : 1
}

interface PickerProps {
  channel: Channel | undefined
  onPick: (emoji: string) => void
  opener: HTMLElement | undefined
  sends: SendsPicture | undefined
}

const stickers = async (channel: Channel, sends: SendsPicture) => {
  const { StickerTab } = await import('./sticker-tab.tsx')
  return () => <StickerTab channel={channel} sends={sends} />
}

const favourites = async (channel: Channel, sends: SendsPicture) => {
  const { FavouriteTab } = await import('./favourite-tab.tsx')
  return () => <FavouriteTab channel={channel} sends={sends} />
}

const KINDS = ['emojiTab', 'stickersTab', 'picturesTab'] as const

/** A dialog to choose an emoji; in a composer also a sticker or kept picture. */
export const Picker = ({ channel, onPick, opener, sends }: PickerProps) => {
  const [kind, setKind] = useState<(typeof KINDS)[number]>('emojiTab')
  const title = kind === 'emojiTab' ? dialogWords.emoji.picker : stickerWords[kind]
  return (
    <Dialog title={title} onClose={closeDialog} class="picker" beside={opener}>
      {sends ? <Kinds kind={kind} choose={setKind} /> : null}
      {!sends || !channel || kind === 'emojiTab' ? (
        <EmojiChoice channel={channel} onPick={onPick} />
      ) : kind === 'stickersTab' ? (
        <Later key={kind} load={() => stickers(channel, sends)} />
      ) : (
        <Later key={kind} load={() => favourites(channel, sends)} />
      )}
    </Dialog>
  )
}

interface KindsProps {
  kind: (typeof KINDS)[number]
  choose: (kind: (typeof KINDS)[number]) => void
}

/** The tabs of emoji, stickers and pictures. */
const Kinds = ({ kind, choose }: KindsProps) => {
  const key = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    const next = step && KINDS[KINDS.indexOf(kind) + (document.dir === 'rtl' ? -step : step)]
    if (!next) return
    event.preventDefault()
    choose(next)
    document.getElementById(`kind-${next}`)?.focus()
  }
  return (
    <div class="kinds" role="tablist" aria-label={stickerWords.kinds} onKeyDown={key}>
      {KINDS.map((one) => (
        <button
          key={one}
          id={`kind-${one}`}
          type="button"
          role="tab"
          class="bare"
          aria-selected={one === kind}
          tabIndex={one === kind ? 0 : -1}
          onClick={() => choose(one)}
        >
          {stickerWords[one]}
        </button>
      ))}
    </div>
  )
}

/** Chooses an emoji by search, group or recent use. The search field keeps the focus. */
const EmojiChoice = ({ channel, onPick }: Pick<PickerProps, 'channel' | 'onPick'>) => {
  follow('shell')
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const tone = skinTone.value
  // Every server has emoji.
  useEffect(() => void loader.openAll(), [])
  const inputs = [query, channel, tone, namings.value, state.listed.size]
  const sections = useMemo(() => sectionsFor(query, channel, tone), inputs)
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
    if (isComposingKey(event)) return
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
  const starts = sections.map((_, nth) => sections.slice(0, nth).reduce((sum, { choices }) => sum + choices.length, 0))
  const drawnCount = useGradually(sections, all.length, FIRST_DRAWN, DRAWN_A_FRAME)
  return (
    <>
      <div class="seeking">
        <input
          ref={field}
          type="search"
          // For the dialog, which opens after this.
          autofocus
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
      <Tabs
        sections={sections}
        chosen={starts.findLastIndex((start) => at >= start)}
        go={(nth) => {
          setAt(starts[nth] ?? 0)
          document.getElementById(`${id}-group-${nth}`)?.scrollIntoView({ block: 'start' })
        }}
      />
      <div class="scroll" id={id} role="listbox" aria-label={dialogWords.emoji.picker} tabIndex={-1}>
        {sections.map(({ title, choices }, nth) => {
          const start = starts[nth] ?? 0
          return (
            <Group
              key={nth}
              id={`${id}-group-${nth}`}
              title={title}
              choices={choices}
              drawnCount={Math.max(0, Math.min(choices.length, drawnCount - start))}
              chosen={at >= start && at < start + choices.length ? at - start : -1}
              idOf={(index) => `${id}-${start + index}`}
              pick={pick}
            />
          )
        })}
      </div>
      {all.length === 0 ? <p class="quiet none">{dialogWords.emoji.none}</p> : null}
      <p class="quiet chosen" role="status">
        {all[at] ? `${all[at].label}` : ''}
      </p>
    </>
  )
}

interface TabsProps {
  sections: Section[]
  /** The index of the section with the chosen emoji. */
  chosen: number
  go: (nth: number) => void
}

/** The sections, each by its first emoji: a press scrolls to it. */
const Tabs = ({ sections, chosen, go }: TabsProps) =>
  sections.length < 2 ? null : (
    <div class="tabs" role="group" aria-label={dialogWords.emoji.picker}>
      {sections.map(({ title, choices: [first] }, nth) => (
        <button
          key={nth}
          type="button"
          class={`bare ${nth === chosen ? 'here' : ''}`}
          aria-label={title}
          title={title}
          // The field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => go(nth)}
        >
          {first ? <Emoji emoji={first.emoji} /> : null}
        </button>
      ))}
    </div>
  )

interface GroupProps extends Section {
  id: string
  /** Choices rendered so far. */
  drawnCount: number
  /** The index of the chosen one; -1 for none. */
  chosen: number
  idOf: (index: number) => string
  pick: (choice: Choice) => void
}

/** A group of emoji, which renders again only when the choice moves in it. */
const Group = ({ id, title, choices, drawnCount, chosen, idOf, pick }: GroupProps) =>
  useMemo(
    () =>
      drawnCount === 0 ? null : (
        <div id={id} role="group" aria-label={title} class="group">
          <p aria-hidden="true">{title}</p>
          {choices.slice(0, drawnCount).map((choice, index) => (
            <div
              key={choice.emoji}
              id={idOf(index)}
              role="option"
              class="choice"
              aria-label={choice.label}
              aria-selected={index === chosen}
              title={choice.label}
              // The field keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => pick(choice)}
            >
              <Emoji emoji={choice.emoji} />
            </div>
          ))}
        </div>
      ),
    [choices, drawnCount, chosen],
  )

/** The skin tone of all emoji with tones. */
const SkinTones = () => (
  <select
    aria-label={dialogWords.emoji.tone}
    title={dialogWords.emoji.tone}
    value={skinTone.value}
    onChange={(event) => chooseTone(Number(event.currentTarget.value))}
  >
    {dialogWords.emoji.tones.map((name, tone) => (
      <option key={tone} value={tone} aria-label={name}>
        {['✋', '✋🏻', '✋🏼', '✋🏽', '✋🏾', '✋🏿'][tone]}
      </option>
    ))}
  </select>
)
