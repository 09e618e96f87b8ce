import { signal } from '@preact/signals'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { customEmojiId } from '../../../core/emoji.ts'
import type { PublicUser } from '../../../core/schema.ts'
import { ApiError } from '../../client/rest.ts'
import { noteUse, quickEmoji } from '../../state/emoji.ts'
import { nameOf } from '../../state/names.ts'
import { call, follow, state } from '../../state/session.ts'
import type { Entry } from '../../state/timeline.ts'
import { words } from '../../words/words.ts'
import { IconButton } from '../kit/controls.tsx'
import { showLater, showNote } from '../kit/dialogs.tsx'
import { Emoji, nameOfEmoji } from '../emoji/emoji.tsx'
import { openPicker } from '../emoji/open-picker.tsx'

const NAMES_MAX = 12
const HOVER_MS = 350
const PRESS_MS = 500
const QUICK_MAX = 3
const QUICK_IN_SHEET = 6
const EVENT_MS_MAX = 300

type Reaction = Entry['reactions'][number]

/** Unconfirmed changes of the account's reactions, by message and emoji: true for added, false for removed. */
const pending = signal<ReadonlyMap<string, boolean>>(new Map())
const keyOf = (message_id: number, emoji: string) => `${message_id} ${customEmojiId(emoji) ?? emoji}`
const choose = (key: string, on: boolean | undefined) => {
  const next = new Map(pending.value)
  if (on === undefined) next.delete(key)
  else next.set(key, on)
  pending.value = next
}

/** A message's reactions with the account's unconfirmed changes applied. */
function shownOf({ id, reactions }: Entry): Reaction[] {
  const withChanges = reactions.map((one) => {
    const on = pending.value.get(keyOf(id, one.emoji))
    if (on === undefined || on === (one.me ?? false)) return one
    return { ...one, me: on, count: one.count + (on ? 1 : -1) }
  })
  const keys = new Set(reactions.map(({ emoji }) => keyOf(id, emoji)))
  const fresh = [...pending.value].flatMap(([key, on]) => {
    const emoji = freshEmoji.get(key)
    return on && key.startsWith(`${id} `) && !keys.has(key) && emoji ? [{ id: 0, emoji, count: 1, me: true }] : []
  })
  return [...withChanges, ...fresh].filter(({ count }) => count > 0)
}
/** The emoji of choices that no reaction has yet, by key. */
const freshEmoji = new Map<string, string>()

/** Keys of the changes that are being sent to the server. */
const telling = new Set<string>()

/** Adds or removes a reaction. It is shown at once; a change during the request is sent after it. */
async function toggle(entry: Entry, emoji: string, isOn = !isOwn(entry, emoji)): Promise<void> {
  const key = keyOf(entry.id, emoji)
  freshEmoji.set(key, emoji)
  choose(key, isOn)
  if (telling.has(key)) return
  telling.add(key)
  try {
    for (let isOn: boolean | undefined; isOn !== pending.value.get(key);) {
      isOn = pending.value.get(key) === true
      await tell(entry.id, emoji, isOn)
    }
  } catch (error) {
    const code = error instanceof ApiError ? error.code : ''
    showNote(code === 'too_many_reactions' ? words.reactions.tooMany : words.reactions.refused)
  }
  telling.delete(key)
  freshEmoji.delete(key)
  choose(key, undefined)
}

async function tell(message_id: number, emoji: string, isOn: boolean): Promise<void> {
  const path = { message_id, emoji }
  if (isOn) await call('PUT /api/messages/:message_id/reactions/:emoji/@me', path)
  else await call('DELETE /api/messages/:message_id/reactions/:emoji/@me', path)
  // The event follows at once, unless many react.
  await new Promise((resolve) => setTimeout(resolve, EVENT_MS_MAX))
}

const isOwn = (entry: Entry, emoji: string): boolean =>
  shownOf(entry).some((one) => one.me === true && keyOf(entry.id, one.emoji) === keyOf(entry.id, emoji))

const channelOf = ({ channel_id }: Entry) => state.channels.get(channel_id)

/** True if the account may add a reaction with a new emoji. */
export function mayReact(entry: Entry): boolean {
  const channel = channelOf(entry)
  return channel !== undefined && state.mayIn(channel, 'add_reactions') && state.mayIn(channel, 'read_history')
}

/** Opens the picker for a reaction. */
export const chooseReaction = (entry: Entry) =>
  void openPicker(channelOf(entry), (emoji) => void toggle(entry, emoji, true))

/** The reactions of a message, and a button for another one. */
export const ReactionBar = ({ entry }: { entry: Entry }) => {
  const reactions = shownOf(entry)
  const wasDrawn = useRef(false)
  useEffect(() => void (wasDrawn.current = true), [])
  if (reactions.length === 0) return null
  follow('shell')
  return (
    <div class="reactions" role="group" aria-label={words.reactions.bar}>
      {reactions.map((reaction) => (
        <ReactionButton key={reaction.emoji} entry={entry} reaction={reaction} arrives={wasDrawn.current} />
      ))}
      {mayReact(entry) && reactions.length < 20 ? (
        <IconButton icon="react" size={16} label={words.reactions.add} onClick={() => chooseReaction(entry)} />
      ) : null}
    </div>
  )
}

interface ReactionProps {
  entry: Entry
  reaction: Reaction
  /** True if the message was visible before the reaction was added. */
  arrives: boolean
}

/** The people who are named, and the number of the others. */
function namesOf(people: PublicUser[], count: number): string[] {
  const others = count - people.length
  const names = people.map(({ id, display_name }) => nameOf(id, display_name))
  return others > 0 ? [...names, words.reactions.others(others)] : names
}

const ReactionButton = ({ entry, reaction, arrives }: ReactionProps) => {
  const [isFresh] = useState(arrives)
  const { emoji, count, me = false } = reaction
  const [people, setPeople] = useState<PublicUser[]>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const wasHeld = useRef(false)
  const name = nameOfEmoji(emoji)
  const later = (ms: number, work: () => void) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(work, ms)
  }
  const hide = () => {
    clearTimeout(timer.current)
    setPeople(undefined)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const ask = () =>
    call('GET /api/messages/:message_id/reactions/:emoji', { message_id: entry.id, emoji, limit: NAMES_MAX }).then(
      setPeople,
      () => {},
    )
  const showAll = () =>
    showLater(async () => {
      const { WhoReacted } = await import('./who-reacted.tsx')
      return () => <WhoReacted entry={entry} first={emoji} />
    })
  return (
    <span class={`reaction ${isFresh ? 'fresh' : ''}`} onPointerLeave={hide}>
      <button
        type="button"
        aria-pressed={me}
        aria-label={words.reactions.one({ emoji: name, n: count, isMine: me })}
        onPointerEnter={({ pointerType }) => pointerType === 'mouse' && later(HOVER_MS, ask)}
        onFocus={() => later(HOVER_MS, ask)}
        onBlur={hide}
        onPointerDown={({ pointerType }) => {
          wasHeld.current = false
          if (pointerType !== 'mouse') later(PRESS_MS, () => ((wasHeld.current = true), void showAll()))
        }}
        onPointerUp={() => clearTimeout(timer.current)}
        onContextMenu={(event) => {
          event.preventDefault()
          if (!wasHeld.current) void showAll()
          wasHeld.current = true
        }}
        onClick={() => (wasHeld.current ? undefined : void toggle(entry, emoji))}
      >
        <Emoji emoji={emoji} /> <span>{count}</span>
      </button>
      {people && people.length > 0 ? (
        <span class="who" role="tooltip">
          <Emoji emoji={emoji} />{' '}
          {words.reactions.by({
            names: namesOf(people, count),
            emoji: customEmojiId(emoji) === undefined ? emoji : `:${name}:`,
          })}
        </span>
      ) : null}
    </span>
  )
}

/** The emoji that are used most, as the first entries of a message's menu. */
export const quickFor = (entry: Entry) =>
  mayReact(entry)
    ? quickEmoji(channelOf(entry), QUICK_IN_SHEET).map((emoji) => ({
        name: emoji,
        label: words.reactions.react(nameOfEmoji(emoji)),
        content: <Emoji emoji={emoji} />,
        run: () => (noteUse(emoji), toggle(entry, emoji)),
      }))
    : []

/** Buttons for the most used emoji, next to a message's other actions. */
export const QuickReactions = ({ entry }: { entry: Entry }) => {
  const react = (emoji: string) => {
    noteUse(emoji)
    void toggle(entry, emoji)
  }
  // Keep the order of recent emoji while the pointer is over them.
  const quick = useMemo(() => quickEmoji(channelOf(entry), QUICK_MAX), [entry.id])
  if (!mayReact(entry)) return null
  return (
    <>
      {quick.map((emoji) => (
        <button
          key={emoji}
          type="button"
          class="bare quick"
          aria-label={words.reactions.react(nameOfEmoji(emoji))}
          title={words.reactions.react(nameOfEmoji(emoji))}
          onClick={() => react(emoji)}
        >
          <Emoji emoji={emoji} />
        </button>
      ))}
    </>
  )
}
