import { useEffect, useRef, useState } from 'preact/hooks'
import { loader, state, store } from '../../state/session.ts'
import { type Place, placeKey } from '../../client/outbox.ts'
import type { Timeline } from '../../state/timeline.ts'

/** How near an end of the row more is fetched, and how near the bottom counts as there, in pixels. */
const NEAR_PX = 700
const BOTTOM_PX = 40

/** The message that is to be shown next. */
let sought: number | undefined

/** Goes to a message, wherever it stands; what is gone leaves one near it. */
export function seek(place: Place, id: number): void {
  sought = id
  const key = placeKey(place)
  const isThere = state.timelines.get(key)?.entries.some((entry) => entry.id === id)
  if (!isThere) return void loader.page(place, 'around', id).catch(() => {})
  store.touch(`timeline ${key}`)
  store.notify()
}

/** Shows what was sought, if it is there now. */
function showSought(box: HTMLElement): boolean {
  const row = sought === undefined ? null : box.querySelector<HTMLElement>(`[data-id="${sought}"]`)
  if (!row) return false
  sought = undefined
  row.scrollIntoView({ block: 'center' })
  row.classList.add('flash')
  row.focus()
  setTimeout(() => row.classList.remove('flash'), 1600)
  return true
}

/**
 * Keeps what one looks at in its place while rows come and go at both ends; at the bottom it stays at the bottom.
 * Browsers anchor scrolling themselves, though not all, and not where the row is cut: so it is done here.
 */
export function useScroll(timeline: Timeline | undefined, fetch: (wanted: 'older' | 'newer') => void) {
  const ref = useRef<HTMLDivElement>(null)
  const [atBottom, setAtBottom] = useState(true)
  /** The first row in sight, and how far below the edge it stands. */
  const anchor = useRef<{ id: string; top: number } | undefined>(undefined)
  const stuck = useRef(true)
  const current = useRef(timeline)
  current.current = timeline
  /** Where the box stood when the anchor was taken. */
  const taken = useRef(0)
  const drop = (box: HTMLElement) => {
    anchor.current = firstInSight(box)
    taken.current = box.scrollTop
  }
  // While this renders, the rows are still the old ones; one may have scrolled since the last event.
  if (ref.current && ref.current.scrollTop !== taken.current) drop(ref.current)

  const look = () => {
    const box = ref.current
    if (!box) return
    const left = box.scrollHeight - box.scrollTop - box.clientHeight
    stuck.current = left < BOTTOM_PX
    setAtBottom(stuck.current)
    drop(box)
  }
  const fetchNear = () => {
    const [box, row] = [ref.current, current.current]
    if (!box || !row?.loaded) return
    if (box.scrollTop < NEAR_PX && !row.atOldest) fetch('older')
    else if (box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX && !row.atNewest) fetch('newer')
  }
  const settle = () => {
    const box = ref.current
    if (!box) return
    if (showSought(box)) stuck.current = false
    else if (stuck.current && current.current?.atNewest !== false) box.scrollTop = box.scrollHeight
    else if (anchor.current) {
      const row = box.querySelector(`[data-id="${anchor.current.id}"]`)
      if (row) box.scrollTop += row.getBoundingClientRect().top - box.getBoundingClientRect().top - anchor.current.top
    }
    if (current.current?.loaded) drop(box)
    fetchNear()
  }
  useEffect(() => {
    const content = ref.current?.querySelector('ol')
    if (!content || !ref.current) return
    const observer = new ResizeObserver(settle)
    observer.observe(content)
    observer.observe(ref.current)
    return () => observer.disconnect()
  }, [])
  return {
    ref,
    atBottom,
    settle,
    onScroll: () => {
      look()
      fetchNear()
    },
    toEnd: () => {
      stuck.current = true
      if (ref.current) ref.current.scrollTop = ref.current.scrollHeight
    },
  }
}

function firstInSight(box: HTMLElement): { id: string; top: number } | undefined {
  const edge = box.getBoundingClientRect().top
  for (const row of box.querySelectorAll<HTMLElement>('[data-id]')) {
    const { top, bottom } = row.getBoundingClientRect()
    if (bottom > edge) return { id: row.dataset.id ?? '', top: top - edge }
  }
  return undefined
}
