import { signal } from '@preact/signals'
import { type Place, placeKey } from '../client/outbox.ts'
import type { ChannelPlace } from './place.ts'
import { type Composition, emptyComposition, isComposition } from './mentions.ts'
import { state } from './session.ts'

const PREFIX = 'parley.unsent.'
/** Of so many places an account's browser keeps what was being written. */
const PLACES_MAX = 100
/** Longer texts last as long as the page: no message can be so long. */
const TEXT_MAX = 20_000

/** The message that is replied to. */
export interface ReplyTarget {
  id: number
  author_id: number
}

/** What was being written in a place. */
export interface Unsent {
  value: Composition
  reply: ReplyTarget | undefined
}

const nothing: Unsent = { value: emptyComposition, reply: undefined }

const ownPrefix = (): string => `${PREFIX}${state.me()}.`
const keyOf = (place: Place): string => ownPrefix() + placeKey(place)

/** The key of earlier versions, which knew a dm by its other one. */
function earlierKeyOf({ channel_id }: ChannelPlace): string {
  const channel = state.channels.get(channel_id)
  return keyOf({ user_id: (channel && state.partnerOf(channel)) ?? 0 })
}

/** The text that was being written in a place, and the message that it replies to; both outlive the page. */
export function unsentOf(place: ChannelPlace): Unsent {
  try {
    const text = localStorage.getItem(keyOf(place)) ?? localStorage.getItem(earlierKeyOf(place))
    const kept: unknown = JSON.parse(text ?? 'null')
    return isComposition(kept) ? { value: { text: kept.text, mentions: kept.mentions }, reply: replyIn(kept) } : nothing
  } catch {
    return nothing
  }
}

function replyIn(kept: object): ReplyTarget | undefined {
  const reply: unknown = 'reply' in kept ? kept.reply : undefined
  if (typeof reply !== 'object' || reply === null || !('id' in reply) || !('author_id' in reply)) return undefined
  const [id, author_id] = [Number(reply.id), Number(reply.author_id)]
  return Number.isSafeInteger(id) && Number.isSafeInteger(author_id) ? { id, author_id } : undefined
}

export function keepUnsent(place: ChannelPlace, { value, reply }: Unsent): void {
  const isEmpty = value.text === '' && reply === undefined
  try {
    localStorage.removeItem(earlierKeyOf(place))
    if (isEmpty) localStorage.removeItem(keyOf(place))
    else if (value.text.length <= TEXT_MAX) store(keyOf(place), { ...value, reply, at: Date.now() })
  } catch {
    // The storage is full: the text lasts as long as the page.
  }
  if (hasUnsent(place.channel_id) === isEmpty) places.value = { me: state.me(), keys: storedKeys() }
}

function store(key: string, kept: object): void {
  if (localStorage.getItem(key) === null) dropOldest()
  localStorage.setItem(key, JSON.stringify(kept))
}

const storedKeys = (): Set<string> => new Set(Object.keys(localStorage).filter((key) => key.startsWith(ownPrefix())))

/** Makes room for one more. */
function dropOldest(): void {
  const surplus = [...storedKeys()]
    .map((key) => ({ key, at: Number(/"at":(\d+)\}$/.exec(localStorage.getItem(key) ?? '')?.[1] ?? 0) }))
    .toSorted((a, b) => b.at - a.at)
    .slice(PLACES_MAX - 1)
  for (const { key } of surplus) localStorage.removeItem(key)
}

const places = signal<{ me: number; keys: ReadonlySet<string> }>({ me: 0, keys: new Set() })

/** Whether something is half written in a channel. */
export function hasUnsent(channel_id: number): boolean {
  if (places.peek().me !== state.me()) places.value = { me: state.me(), keys: storedKeys() }
  return places.value.keys.has(keyOf({ channel_id }))
}

// Another tab has written.
window.addEventListener('storage', ({ key }) => {
  if (key === null || key.startsWith(PREFIX)) places.value = { me: state.me(), keys: storedKeys() }
})
