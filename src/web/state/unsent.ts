import { signal } from '@preact/signals'
import { type Place, placeKey } from '../client/outbox.ts'
import type { ChannelPlace } from './place.ts'
import { type Composition, emptyComposition, isComposition } from './mentions.ts'
import { state } from './session.ts'
import { inTab, onDevice } from './stored.ts'

const PREFIX = 'parley.unsent.'
/** Drafts stored per account in this browser. */
const ENTRIES_MAX = 100
/** Characters of a stored draft; a longer one lasts as long as the page. Browser storage takes 5 million. */
const ENTRY_MAX = 100_000

/** The message that is replied to. */
export interface ReplyTarget {
  id: number
  author_id: number
  /** True if the reply does not mention the author. */
  isQuiet?: boolean
  /** True if the original was deleted; the draft is then sent without the reply. */
  isGone?: boolean
}

/** An unsent draft in a channel. */
export interface Unsent {
  value: Composition
  reply: ReplyTarget | undefined
}

const nothing: Unsent = { value: emptyComposition, reply: undefined }

/** The beginning of the keys of this account's drafts. */
export const ownPrefix = (): string => `${PREFIX}${state.me()}.`
const keyOf = (place: Place): string => ownPrefix() + placeKey(place)
/** The files that are chosen for the message of a place. */
export const filesKeyOf = ({ channel_id }: ChannelPlace): string => `${ownPrefix()}f${channel_id}`
/** A message that is half edited. */
const editKeyOf = (messageId: number): string => `${ownPrefix()}e${messageId}`

/** The key of earlier versions, which stored a dm's draft by the other participant. */
function earlierKeyOf({ channel_id }: ChannelPlace): string {
  const channel = state.channels.get(channel_id)
  return keyOf({ user_id: (channel && state.partnerOf(channel)) ?? 0 })
}

/** Parses a stored value. Any version of the client may have written it. */
const storedValue = (key: string): unknown => parse(onDevice.getItem(key))

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}

/** The draft of a place: its text and the message that it replies to. Both outlive the page. */
export function unsentOf(place: ChannelPlace): Unsent {
  const entry = ownOf(keyOf(place)) ?? storedValue(earlierKeyOf(place))
  return isComposition(entry)
    ? { value: { text: entry.text, mentions: entry.mentions }, reply: replyIn(entry) }
    : nothing
}

/** The text of an unfinished edit of a message; undefined without one. */
export function halfEditedOf(messageId: number): Composition | undefined {
  const entry = storedValue(editKeyOf(messageId))
  return isComposition(entry) ? { text: entry.text, mentions: entry.mentions } : undefined
}

/** Stores the text of an unfinished edit of a message; undefined removes it. */
export const keepHalfEdited = (messageId: number, value: Composition | undefined): void =>
  keep(editKeyOf(messageId), value)

function replyIn(draft: object): ReplyTarget | undefined {
  const reply: unknown = 'reply' in draft ? draft.reply : undefined
  if (typeof reply !== 'object' || reply === null || !('id' in reply) || !('author_id' in reply)) return undefined
  const [id, author_id] = [Number(reply.id), Number(reply.author_id)]
  if (!Number.isSafeInteger(id) || !Number.isSafeInteger(author_id)) return undefined
  return 'isQuiet' in reply && reply.isQuiet === true ? { id, author_id, isQuiet: true } : { id, author_id }
}

/** Stores the draft of a place. */
export function keepUnsent(place: ChannelPlace, { value, reply }: Unsent): void {
  const isEmpty = value.text === '' && reply === undefined
  onDevice.removeItem(earlierKeyOf(place))
  keepOwn(keyOf(place), isEmpty ? undefined : { ...value, reply })
}

const entryText = (entry: object): string => JSON.stringify({ ...entry, at: Date.now() })

/** Shared drafts that this tab has read, by key. */
const sharedDrafts = new Map<string, string>()

/** Returns this tab's draft, or else the latest draft of any tab of this browser. */
export function ownOf(key: string): unknown {
  const ofTab = inTab.getItem(key)
  const ofBrowser = ofTab === null ? onDevice.getItem(key) : null
  if (ofBrowser !== null) sharedDrafts.set(key, ofBrowser)
  return parse(ofTab ?? ofBrowser)
}

/**
 * Stores a draft under a key, or removes it. If two tabs write in one place, each gets its own draft after a reload,
 * and a send in one does not touch the draft of the other.
 */
export function keepOwn(key: string, entry: object | undefined): void {
  if (entry) {
    const text = entryText(entry)
    inTab.setItem(key, text)
    return keepText(key, text)
  }
  const draft = inTab.getItem(key) ?? sharedDrafts.get(key)
  inTab.removeItem(key)
  sharedDrafts.delete(key)
  if (draft !== undefined && draft === onDevice.getItem(key)) onDevice.removeItem(key)
  noteKeys()
}

/** Keeps something half written that all tabs share, or nothing any more. */
function keep(key: string, entry: object | undefined): void {
  if (entry) return keepText(key, entryText(entry))
  onDevice.removeItem(key)
  noteKeys()
}

function keepText(key: string, text: string): void {
  if (onDevice.getItem(key) === null) dropOldest()
  if (text.length <= ENTRY_MAX) onDevice.setItem(key, text)
  else onDevice.keepHere(key, text)
  if (!places.peek().keys.has(key)) noteKeys()
}

/** Keys of all drafts of the account in this browser. */
const storedKeys = (): Set<string> =>
  new Set([...onDevice.keys(), ...inTab.keys()].filter((key) => key.startsWith(ownPrefix())))

/** Deletes entries so that another one fits. */
function dropOldest(): void {
  const surplus = onDevice
    .keys()
    .filter((key) => key.startsWith(ownPrefix()))
    .map((key) => ({ key, at: Number(/"at":(\d+)\}$/.exec(onDevice.getItem(key) ?? '')?.[1] ?? 0) }))
    .toSorted((a, b) => b.at - a.at)
    .slice(ENTRIES_MAX - 1)
  for (const { key } of surplus) onDevice.removeItem(key)
}

const places = signal<{ me: number; keys: ReadonlySet<string> }>({ me: 0, keys: new Set() })

function noteKeys(): void {
  const keys = storedKeys()
  if (places.peek().me !== state.me() || keys.symmetricDifference(places.peek().keys).size > 0)
    places.value = { me: state.me(), keys }
}

const isKept = (key: string): boolean => {
  if (places.peek().me !== state.me()) noteKeys()
  return places.value.keys.has(key)
}

/** True if files are attached to the draft of a channel. */
export const hasFiles = (channel_id: number): boolean => isKept(filesKeyOf({ channel_id }))

/** True if the channel has a draft with text or files. */
export const hasUnsent = (channel_id: number): boolean => isKept(keyOf({ channel_id })) || hasFiles(channel_id)

// Another tab has written.
window.addEventListener('storage', ({ key }) => {
  if (key === null || key.startsWith(PREFIX)) noteKeys()
})
