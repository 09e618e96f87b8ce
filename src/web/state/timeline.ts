import type { DirectMessage } from '../../features/dms/model.ts'
import type { Message } from '../../features/messages/model.ts'

/** Messages that a timeline holds at most: what is shown of it stays bounded, however far one scrolls. */
const TIMELINE_MAX = 200
export const PAGE = 50

export type Entry = Message | DirectMessage

/** A row of messages without gaps, somewhere in a channel or a conversation. */
export interface Timeline {
  /** Oldest first. */
  entries: Entry[]
  /** Nothing older exists. */
  atOldest: boolean
  /** Nothing newer exists: what is said now belongs at its end. */
  atNewest: boolean
  /** The entries are there: the first page has come. */
  loaded: boolean
  /** What happened while a page was on its way, and might not be in it. */
  meanwhile: ((timeline: Timeline) => void)[] | undefined
}

export const emptyTimeline = (): Timeline => ({
  entries: [],
  atOldest: false,
  atNewest: false,
  loaded: false,
  meanwhile: undefined,
})

const first = ({ entries }: Timeline) => entries[0]?.id ?? Number.POSITIVE_INFINITY
const last = ({ entries }: Timeline) => entries.at(-1)?.id ?? 0

/** Where the id stands, or would stand. */
function placeOf(entries: Entry[], id: number): number {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((entries[middle] as Entry).id < id) low = middle + 1
    else high = middle
  }
  return low
}

function put(timeline: Timeline, entry: Entry): void {
  const { entries } = timeline
  const at = placeOf(entries, entry.id)
  const known = entries[at]
  if (known?.id !== entry.id) return void entries.splice(at, 0, entry)
  // Once a direct message is read it stays so, whatever comes late.
  const read = 'read_at' in known && 'read_at' in entry ? { read_at: entry.read_at ?? known.read_at } : {}
  entries[at] = { ...entry, ...read }
}

/** Applies an event: at once, and again to a page that was on its way. */
export function change(timeline: Timeline, apply: (timeline: Timeline) => void): void {
  timeline.meanwhile?.push(apply)
  apply(timeline)
}

/** Takes a message that was sent or changed, where it belongs to the row. */
export function upsert(timeline: Timeline, entry: Entry): void {
  if (!timeline.loaded) return
  const afterFirst = entry.id >= first(timeline) || timeline.atOldest
  const beforeLast = entry.id <= last(timeline) || timeline.atNewest
  if (!afterFirst || !beforeLast) return
  put(timeline, entry)
  if (timeline.entries.length > TIMELINE_MAX) cut(timeline, 'oldest')
}

export function remove(timeline: Timeline, id: number): void {
  const at = placeOf(timeline.entries, id)
  if (timeline.entries[at]?.id === id) timeline.entries.splice(at, 1)
}

/** Leaves out what is too much, at that end. */
function cut(timeline: Timeline, end: 'oldest' | 'newest'): void {
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

/** What a page was asked for; `around` also begins anew, as `newest` does. */
export type Wanted = 'newest' | 'older' | 'newer' | 'around'

/** Takes a page over; its rows may come in any order. */
export function merge(timeline: Timeline, wanted: Wanted, rows: Entry[]): void {
  const meanwhile = timeline.meanwhile ?? []
  timeline.meanwhile = undefined
  if (wanted === 'newest' || wanted === 'around') timeline.entries = []
  for (const row of rows) put(timeline, row)
  const full = rows.length >= PAGE
  if (wanted === 'newest') [timeline.atNewest, timeline.atOldest] = [true, !full]
  if (wanted === 'around') [timeline.atNewest, timeline.atOldest] = [false, false]
  if (wanted === 'older' && !full) timeline.atOldest = true
  if (wanted === 'newer' && !full) timeline.atNewest = true
  timeline.loaded = true
  cut(timeline, wanted === 'older' ? 'newest' : 'oldest')
  for (const apply of meanwhile) apply(timeline)
}
