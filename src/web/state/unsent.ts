import { signal } from '@preact/signals'
import { type Place, placeKey } from '../client/outbox.ts'
import type { ChannelPlace } from './place.ts'
import { type Composition, emptyComposition, isComposition } from './mentions.ts'
import { state } from './session.ts'

const PREFIX = 'parley.unsent.'
/** So many entries an account's browser keeps of what was being written. */
const ENTRIES_MAX = 100
/** What is longer lasts as long as the page: no message can be so long. */
const ENTRY_MAX = 25_000

/** The message that is replied to. */
export interface ReplyTarget {
  id: number
  author_id: number
  /** Whether the reply does not mention the author. */
  isQuiet?: boolean
}

/** What was being written in a place. */
export interface Unsent {
  value: Composition
  reply: ReplyTarget | undefined
}

const nothing: Unsent = { value: emptyComposition, reply: undefined }

const ownPrefix = (): string => `${PREFIX}${state.me()}.`
const keyOf = (place: Place): string => ownPrefix() + placeKey(place)
/** The files that are chosen for the message of a place. */
export const filesKeyOf = ({ channel_id }: ChannelPlace): string => `${ownPrefix()}f${channel_id}`
/** A message that is half edited. */
const editKeyOf = (message_id: number): string => `${ownPrefix()}e${message_id}`

/** The key of earlier versions, which knew a dm by its other one. */
function earlierKeyOf({ channel_id }: ChannelPlace): string {
  const channel = state.channels.get(channel_id)
  return keyOf({ user_id: (channel && state.partnerOf(channel)) ?? 0 })
}

/** What was kept under a key, by whatever version. */
export function kept(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

/** The text that was being written in a place, and the message that it replies to; both outlive the page. */
export function unsentOf(place: ChannelPlace): Unsent {
  const entry = kept(keyOf(place)) ?? kept(earlierKeyOf(place))
  return isComposition(entry)
    ? { value: { text: entry.text, mentions: entry.mentions }, reply: replyIn(entry) }
    : nothing
}

/** The text of a message that is half edited; undefined if it is not. */
export function halfEditedOf(message_id: number): Composition | undefined {
  const entry = kept(editKeyOf(message_id))
  return isComposition(entry) ? { text: entry.text, mentions: entry.mentions } : undefined
}

/** Keeps the text of a message that is half edited; undefined when it is no longer. */
export const keepHalfEdited = (message_id: number, value: Composition | undefined): void =>
  keep(editKeyOf(message_id), value)

function replyIn(kept: object): ReplyTarget | undefined {
  const reply: unknown = 'reply' in kept ? kept.reply : undefined
  if (typeof reply !== 'object' || reply === null || !('id' in reply) || !('author_id' in reply)) return undefined
  const [id, author_id] = [Number(reply.id), Number(reply.author_id)]
  if (!Number.isSafeInteger(id) || !Number.isSafeInteger(author_id)) return undefined
  return 'isQuiet' in reply && reply.isQuiet === true ? { id, author_id, isQuiet: true } : { id, author_id }
}

export function keepUnsent(place: ChannelPlace, { value, reply }: Unsent): void {
  const isEmpty = value.text === '' && reply === undefined
  keep(earlierKeyOf(place), undefined)
  keep(keyOf(place), isEmpty ? undefined : { ...value, reply })
}

/** Keeps something half written under a key, or nothing any more. */
export function keep(key: string, entry: object | undefined): void {
  try {
    const text = JSON.stringify({ ...entry, at: Date.now() })
    if (!entry) localStorage.removeItem(key)
    else if (text.length <= ENTRY_MAX) {
      if (localStorage.getItem(key) === null) dropOldest()
      localStorage.setItem(key, text)
    }
  } catch {
    // The storage is full: it lasts as long as the page.
  }
  if (places.peek().keys.has(key) !== (entry !== undefined)) places.value = { me: state.me(), keys: storedKeys() }
}

const storedKeys = (): Set<string> => new Set(Object.keys(localStorage).filter((key) => key.startsWith(ownPrefix())))

/** Makes room for one more. */
function dropOldest(): void {
  const surplus = [...storedKeys()]
    .map((key) => ({ key, at: Number(/"at":(\d+)\}$/.exec(localStorage.getItem(key) ?? '')?.[1] ?? 0) }))
    .toSorted((a, b) => b.at - a.at)
    .slice(ENTRIES_MAX - 1)
  for (const { key } of surplus) localStorage.removeItem(key)
}

const places = signal<{ me: number; keys: ReadonlySet<string> }>({ me: 0, keys: new Set() })

const isKept = (key: string): boolean => {
  if (places.peek().me !== state.me()) places.value = { me: state.me(), keys: storedKeys() }
  return places.value.keys.has(key)
}

/** Whether files are chosen for the message of a channel. */
export const hasFiles = (channel_id: number): boolean => isKept(filesKeyOf({ channel_id }))

/** Whether something is half written in a channel. */
export const hasUnsent = (channel_id: number): boolean => isKept(keyOf({ channel_id })) || hasFiles(channel_id)

// Another tab has written.
window.addEventListener('storage', ({ key }) => {
  if (key === null || key.startsWith(PREFIX)) places.value = { me: state.me(), keys: storedKeys() }
})
