import { signal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { loader, state, store } from '../../state/session.ts'
import type { ChannelPlace } from '../../state/place.ts'
import { placeKey } from '../../client/outbox.ts'
import { tellRefusal } from '../kit/dialogs.tsx'
import type { Timeline } from '../../state/timeline.ts'

/** More messages are fetched this near to an end of the list; this near counts as the bottom. */
const NEAR_PX = 700
const BOTTOM_PX = 40
/** Time for the rows of a page to appear, ms. */
const RENDER_MS = 1_000

/**
 * The reason to scroll to a message: it was `asked` for and is shown in the middle with the focus; its place was
 * `opened` at it, near the top; or the person returns to the `reading` position, at the bottom.
 */
export type Reason = 'asked' | 'opened' | 'reading'
/** The message to scroll to once it is rendered. */
let sought: { id: number; channel_id: number; reason: Reason } | undefined
/** The place of the last own message that was sent, and their number: its list scrolls to its end. */
export const lastSent = signal({ channel_id: 0, count: 0 })

/**
 * Scrolls to a message, or to the next one if it is deleted, and fetches the page around it if needed. Without a
 * network the list stays as it is, and a note gives the reason.
 */
export function seek(place: ChannelPlace, id: number, reason: Reason = 'asked'): void {
  const now = { id, channel_id: place.channel_id, reason }
  sought = now
  const key = placeKey(place)
  const forget = () => {
    if (sought === now) sought = undefined
  }
  const isThere = state.timelines.get(key)?.entries.some((entry) => entry.id === id)
  if (!isThere) {
    const fetching = pageAround(place, id)
      .then(() => {
        const { entries = [] } = state.timelines.get(key) ?? {}
        const next = covers(place, id) ? (entries.find((entry) => entry.id >= id) ?? entries.at(-1)) : undefined
        if (next && next.id !== id) Object.assign(now, { id: next.id, reason: 'opened' })
        store.touch(`timeline ${key}`)
        store.notify()
      })
      .finally(() => setTimeout(forget, RENDER_MS))
    tellRefusal(fetching)
  }
  store.touch(`timeline ${key}`)
  store.notify()
}

/**
 * Fetches the page around a message, after a pending request for another page of the place.
 * @throws ApiError if the page did not arrive
 */
async function pageAround(place: ChannelPlace, id: number): Promise<void> {
  let refusal: unknown
  for (let tries = 0; tries < 3; tries++) {
    refusal = await loader.page(place, 'around', id).catch((error: unknown) => error)
    if (covers(place, id)) return
  }
  if (refusal) throw refusal
}

/** True if the loaded messages include both sides of an id, or reach the ends of the place. */
function covers(place: ChannelPlace, id: number): boolean {
  const { entries = [], atOldest = false, atNewest = false } = state.timelines.get(placeKey(place)) ?? {}
  return (atOldest || (entries[0]?.id ?? Infinity) <= id) && (atNewest || (entries.at(-1)?.id ?? 0) >= id)
}

/** Scrolls to the first new message of a place that is being opened. */
export function startAt({ channel_id }: ChannelPlace, id: number): void {
  if (!isSought({ channel_id })) sought = { id, channel_id, reason: 'opened' }
}

/** The message of a place to scroll to, and the reason. */
export const soughtIn = (place: ChannelPlace): { id: number; reason: Reason } | undefined =>
  isSought(place) ? sought : undefined

/** True if a jump to a message of the place is pending, so that nothing else may replace its page. */
export const isSought = ({ channel_id }: ChannelPlace): boolean => sought?.channel_id === channel_id

/** Scrolls to the sought message, if it is rendered. */
function showSought(box: HTMLElement): boolean {
  const row = sought && box.querySelector<HTMLElement>(`[data-id="${sought.id}"]`)
  if (!row) return false
  const { reason } = sought ?? {}
  sought = undefined
  if (reason === 'reading') row.scrollIntoView({ block: 'end' })
  if (reason === 'reading') return true
  if (reason === 'opened') {
    // A little of what was read stays visible above it.
    box.scrollTop += row.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 4
    return true
  }
  row.scrollIntoView({ block: 'center' })
  row.classList.add('flash')
  row.focus()
  setTimeout(() => row.classList.remove('flash'), 1600)
  return true
}

/** The last message that is at least partly visible. */
export function lastVisible(box: HTMLElement | null): number | undefined {
  const edge = (box?.getBoundingClientRect().bottom ?? 0) - BOTTOM_PX / 2
  const rows = box?.querySelectorAll<HTMLElement>('[data-id]:not(.pending)') ?? []
  const next = firstOf(rows, (row) => row.getBoundingClientRect().top >= edge)
  return Number(rows[next - 1]?.dataset.id) || undefined
}

/** Binary search: index of the first row for which isBelow holds, or rows.length. Assumes isBelow is monotonic. */
function firstOf(rows: ArrayLike<HTMLElement>, isBelow: (row: HTMLElement) => boolean): number {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const row = rows[middle]
    if (row && isBelow(row)) high = middle
    else low = middle + 1
  }
  return low
}

/**
 * Keeps the visible messages in place while rows come and go at both ends; at the bottom, stays at the bottom. Not
 * every browser anchors scrolling, and none when rows are removed at the other end.
 */
export function useScroll(
  place: ChannelPlace,
  timeline: Timeline | undefined,
  fetch: (part: 'older' | 'newer') => void,
) {
  const ref = useRef<HTMLDivElement>(null)
  // A list that opens at a message is seldom at its bottom, and would otherwise be rendered twice.
  const [atBottom, setAtBottom] = useState(() => !isSought(place))
  /** The first visible row, and its distance from the top edge, px. */
  const anchor = useRef<{ id: string; top: number } | undefined>(undefined)
  const stuck = useRef(true)
  const current = useRef(timeline)
  current.current = timeline
  /** The scroll position when the anchor was set. */
  const anchoredAt = useRef(0)
  /** The scroll position that the list gave itself when it last followed its end. */
  const followedTo = useRef(-1)
  const setAnchor = (box: HTMLElement) => {
    anchor.current = firstVisible(box)
    anchoredAt.current = box.scrollTop
  }
  // During rendering the rows are still the old ones, and the last scroll event may be pending.
  if (ref.current && ref.current.scrollTop !== anchoredAt.current) setAnchor(ref.current)

  /** True if the list is at its end and follows new content. */
  const follows = () => stuck.current && current.current?.atNewest !== false
  const onMove = () => {
    const box = ref.current
    if (!box) return
    const distance = box.scrollHeight - box.scrollTop - box.clientHeight
    stuck.current = distance < BOTTOM_PX
    setAtBottom(stuck.current)
    setAnchor(box)
  }
  const fetchNear = () => {
    const [box, timeline] = [ref.current, current.current]
    if (!box || !timeline?.loaded) return
    if (box.scrollTop < NEAR_PX && !timeline.atOldest) fetch('older')
    else if (box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX && !timeline.atNewest) fetch('newer')
  }
  const restore = () => {
    const box = ref.current
    if (!box) return
    if (showSought(box)) onMove()
    else if (follows()) {
      box.scrollTop = box.scrollHeight
      followedTo.current = box.scrollTop
      setAtBottom(true)
    } else if (anchor.current) {
      const row = box.querySelector(`[data-id="${anchor.current.id}"]`)
      if (row) box.scrollTop += row.getBoundingClientRect().top - box.getBoundingClientRect().top - anchor.current.top
    }
    if (current.current?.loaded) setAnchor(box)
    fetchNear()
  }
  useEffect(() => {
    const content = ref.current?.querySelector('ol')
    if (!content || !ref.current) return
    const observer = new ResizeObserver(restore)
    observer.observe(content)
    observer.observe(ref.current)
    return () => observer.disconnect()
  }, [])
  return {
    ref,
    atBottom,
    /** Restores the scroll position after rows have changed. */
    restore,
    onScroll: () => {
      // The event of the list's own move may arrive after the list has grown: nobody scrolled away from the end.
      if (!follows() || ref.current?.scrollTop !== followedTo.current) onMove()
      fetchNear()
    },
    toEnd: () => {
      stuck.current = true
      setAtBottom(true)
      if (ref.current) ref.current.scrollTop = ref.current.scrollHeight
    },
  }
}

function firstVisible(box: HTMLElement): { id: string; top: number } | undefined {
  const edge = box.getBoundingClientRect().top
  const rows = box.querySelectorAll<HTMLElement>('[data-id]')
  const row = rows[firstOf(rows, (each) => each.getBoundingClientRect().bottom > edge)]
  return row && { id: row.dataset.id ?? '', top: row.getBoundingClientRect().top - edge }
}
