import type { Events } from '../../core/events.ts'
import type { Message } from '../../features/messages/model.ts'

/** Messages per timeline, so that the page stays small during long scrolling. */
const TIMELINE_MAX = 200
export const PAGE = 50
/** Readings that a timeline keeps for messages that come later than they. */
const READINGS_MAX = 20

export type Entry = Message
type Reading = Events['dm.read']

/** A range of messages without gaps, of a channel. */
export interface Timeline {
  /** Oldest first. */
  entries: Entry[]
  /** True if no older message exists. */
  atOldest: boolean
  /** True if no newer message exists, so that a new message is appended at the end. */
  atNewest: boolean
  /** True once the first page has arrived. */
  loaded: boolean
  /** True if the account lacks read_history: the timeline then holds only messages that arrived live. */
  barred: boolean
  /** Changes since a page was requested, which may lack them; undefined while none is requested. */
  meanwhile: ((timeline: Timeline) => void)[] | undefined
  /** The newest readings of direct messages: their news may overtake the messages. */
  readings: Reading[]
}

export const emptyTimeline = (): Timeline => ({
  entries: [],
  atOldest: false,
  atNewest: false,
  loaded: false,
  barred: false,
  meanwhile: undefined,
  readings: [],
})

const first = ({ entries }: Timeline) => entries[0]?.id ?? Number.POSITIVE_INFINITY
const last = ({ entries }: Timeline) => entries.at(-1)?.id ?? 0

/** The index of the id, or its insertion point. */
export function indexOf(entries: Entry[], id: number): number {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((entries[middle]?.id ?? 0) < id) low = middle + 1
    else high = middle
  }
  return low
}

/** The message as it is after the reading. */
function withReading(entry: Entry, { sender_id, message_id, all, read_at }: Reading): Entry {
  const isMeant = entry.sender_id === sender_id && (all ? entry.id <= message_id : entry.id === message_id)
  return isMeant ? { ...entry, read_at: entry.read_at ?? read_at } : entry
}

/** Marks direct messages as read. */
export function markRead(timeline: Timeline, reading: Reading): void {
  timeline.readings = [...timeline.readings, reading].slice(-READINGS_MAX)
  timeline.entries = timeline.entries.map((entry) => withReading(entry, reading))
}

function putEntry(timeline: Timeline, received: Entry): void {
  const { entries } = timeline
  const entry = timeline.readings.reduce(withReading, received)
  const at = indexOf(entries, entry.id)
  const existing = entries[at]
  if (existing?.id !== entry.id) return void entries.splice(at, 0, entry)
  // A direct message never becomes unread: a late event may not know that it was read.
  const readState = 'read_at' in existing && 'read_at' in entry ? { read_at: entry.read_at ?? existing.read_at } : {}
  entries[at] = { ...entry, ...readState }
}

/** Applies a change at once, and again after a page that was requested before. */
export function change(timeline: Timeline, apply: (timeline: Timeline) => void): void {
  timeline.meanwhile?.push(apply)
  apply(timeline)
}

/** Adds or replaces a message, if it belongs to the range. */
export function upsert(timeline: Timeline, entry: Entry): void {
  if (!timeline.loaded) return
  const afterFirst = entry.id >= first(timeline) || timeline.atOldest
  const beforeLast = entry.id <= last(timeline) || timeline.atNewest
  if (!afterFirst || !beforeLast) return
  putEntry(timeline, entry)
  if (timeline.entries.length > TIMELINE_MAX) dropSurplus(timeline, 'oldest')
}

/** A message that the timeline holds. */
export function entryOf({ entries }: Timeline, id: number): Entry | undefined {
  const entry = entries[indexOf(entries, id)]
  return entry?.id === id ? entry : undefined
}

/** Changes a message that the timeline holds. */
export function replace({ entries }: Timeline, id: number, next: (entry: Entry) => Entry): void {
  const at = indexOf(entries, id)
  const entry = entries[at]
  if (entry?.id === id) entries[at] = next(entry)
}

export function remove(timeline: Timeline, id: number): void {
  const at = indexOf(timeline.entries, id)
  if (timeline.entries[at]?.id === id) timeline.entries.splice(at, 1)
}

type Forwarded = Entry['forwarded']

/** Takes the reference away from forwards of messages in a channel that is not seen any more. */
export function dropReferences({ entries }: Timeline, channelId: number): void {
  for (const [at, entry] of entries.entries())
    if (entry.forwarded?.channel_id === channelId)
      entries[at] = { ...entry, forwarded: { ...entry.forwarded, message_id: null, channel_id: null, author: null } }
}

/** A forward with the reference that REST gave: events, which reach everybody, may lack it. */
export const withReference = (forwarded: Forwarded, before: Forwarded | undefined): Forwarded =>
  forwarded && before && forwarded.message_id === null && forwarded.content !== null
    ? { ...before, content: forwarded.content }
    : forwarded

/** Drops the messages with smaller ids: the server has deleted them. */
export function prune(timeline: Timeline, beforeId: number): void {
  const at = indexOf(timeline.entries, beforeId)
  if (at === 0) return
  timeline.entries.splice(0, at)
  timeline.atOldest = true
}

/** Drops the messages above TIMELINE_MAX, at that end. */
function dropSurplus(timeline: Timeline, end: 'oldest' | 'newest'): void {
  const surplus = timeline.entries.length - TIMELINE_MAX
  if (surplus <= 0) return
  if (end === 'oldest') {
    timeline.entries.splice(0, surplus)
    timeline.atOldest = false
  } else {
    timeline.entries.splice(TIMELINE_MAX, surplus)
    timeline.atNewest = false
  }
}

/** The requested page; `newest` and `around` replace the timeline. */
export type Wanted = 'newest' | 'older' | 'newer' | 'around'

/** Marks that the account lacks read_history. Loaded messages stay if no gap separates them from new ones. */
function bar(timeline: Timeline): void {
  if (!timeline.atNewest) timeline.entries = []
  timeline.atOldest = timeline.atNewest = true
}

/**
 * Adds a page, in any order.
 * @param rows undefined if the account lacks read_history
 * @param around the id of an `around` request
 */
export function merge(timeline: Timeline, part: Wanted, rows: Entry[] | undefined, around = 0): void {
  const meanwhile = timeline.meanwhile ?? []
  timeline.meanwhile = undefined
  timeline.barred = rows === undefined
  if (rows) mergeRows(timeline, part, rows, around)
  else bar(timeline)
  timeline.loaded = true
  dropSurplus(timeline, part === 'older' ? 'newest' : 'oldest')
  for (const apply of meanwhile) apply(timeline)
}

function mergeRows(timeline: Timeline, part: Wanted, rows: Entry[], around: number): void {
  const before = new Map(timeline.entries.map((entry) => [entry.id, entry]))
  if (part === 'newest' || part === 'around') timeline.entries = []
  for (const row of rows) putEntry(timeline, row)
  // Reuse unchanged entries so that their rows are not rendered again.
  timeline.entries = timeline.entries.map((entry) => {
    const existing = before.get(entry.id)
    return existing && existing !== entry && JSON.stringify(existing) === JSON.stringify(entry) ? existing : entry
  })
  const isFull = rows.length >= PAGE
  if (part === 'newest') [timeline.atNewest, timeline.atOldest] = [true, !isFull]
  if (part === 'around') {
    // The server returns half a page on either side; fewer means that there are no more.
    const newer = rows.filter(({ id }) => id > around).length
    timeline.atNewest = newer < Math.floor(PAGE / 2)
    timeline.atOldest = rows.length - newer < Math.floor(PAGE / 2)
  }
  if (part === 'older' && !isFull) timeline.atOldest = true
  if (part === 'newer' && !isFull) timeline.atNewest = true
}
