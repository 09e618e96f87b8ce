import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isSameDay } from '../../state/format.ts'
import type { ChannelPlace } from '../../state/place.ts'
import type { Entry } from '../../state/timeline.ts'
import { authorIdOf } from './current-message.ts'
import { type Reason, soughtIn } from './scroll.ts'

const GROUP_MS = 7 * 60_000

/** True if a message is grouped with the one above and omits its author's name. */
export const continues = (entry: Entry, before: Entry | undefined): boolean =>
  before !== undefined &&
  before.kind === 'default' &&
  entry.kind === 'default' &&
  authorIdOf(before) === authorIdOf(entry) &&
  // Each message of a webhook carries its own name and picture.
  (entry.author.kind !== 'webhook' ||
    (before.author.display_name === entry.author.display_name && before.data?.avatar_url === entry.data?.avatar_url)) &&
  entry.reply_to_id === null &&
  Date.parse(entry.created_at) - Date.parse(before.created_at) < GROUP_MS &&
  isSameDay(entry.created_at, before.created_at)

interface Rows {
  place: ChannelPlace
  entries: Entry[]
  /** True if all rows are rendered. */
  isWhole: { current: boolean }
  /** Restores the scroll position after more rows are rendered. */
  restore: () => void
}

/** Rows added on either side per idle callback. */
const ROWS_WHEN_IDLE = 8
/** Minimum height of a row, px, and what the author's name, each further line and a frame of code add to it. */
const ROW_PX_MIN = 25
const BYLINE_PX_MIN = 36
const LINE_PX_MIN = 19
const CODE_PX_MIN = 20
/** Minimum height of the window's parts above and below the list, px. */
const AROUND_PX_MIN = 110
/** Share of the screen above the message at which the list opens. Source: showSought in scroll.ts. */
const ABOVE: Record<Reason | 'end', number> = { opened: 1 / 4, asked: 1 / 2, reading: 1, end: 1 }
/** Height rendered below the visible part, px: else the list would take its rendered end for the end of the place. */
const BELOW_PX = 60
/** Lines that count towards a row's height: a longer block of code scrolls. */
const LINES_MAX = 8
/** Timeout of the idle callback that renders more rows. */
const IDLE_MS_MAX = 200

/** Runs `work` when the page is idle; in Safari, which has no idle callbacks, in the next frame. @returns cancels it */
function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const frame = requestAnimationFrame(work)
    return () => cancelAnimationFrame(frame)
  }
  const idle = requestIdleCallback(work, { timeout: IDLE_MS_MAX })
  return () => cancelIdleCallback(idle)
}

/** Minimum height of a message's row, px. */
function leastHeight(entry: Entry, before: Entry | undefined): number {
  const all = entry.content.split('\n').filter((line) => line.trim() !== '')
  const lines = all.filter((line) => !line.startsWith('```')).length
  const byline = entry.kind !== 'default' || continues(entry, before) ? 0 : BYLINE_PX_MIN
  const code = lines + 1 < all.length ? CODE_PX_MIN : 0
  return ROW_PX_MIN + byline + code + LINE_PX_MIN * Math.max(0, Math.min(lines, LINES_MAX) - 1)
}

/** Number of messages above (`step` -1) or below another one that fill a height, px, and the height that is left. */
function rowsToFill(height: number, entries: Entry[], at: number, step: 1 | -1): [rows: number, left: number] {
  let rows = 0
  let remaining = height
  for (let nth = at + step; remaining > 0; nth += step, rows++) {
    const entry = entries[nth]
    if (!entry) break
    remaining -= leastHeight(entry, entries[nth - 1])
  }
  return [rows, Math.max(0, remaining)]
}

/**
 * Range of the messages to render: first the ones that fill the screen around the reading position, so that a place
 * opens within a frame; then more with each idle callback.
 */
export function useDrawnRows({ place, entries, isWhole, restore }: Rows): [from: number, to: number] {
  const [more, setMore] = useState(0)
  const middle = useRef<{ id: number; reason: Reason | 'end' } | undefined>(undefined)
  const last = entries.at(-1)
  if (last) middle.current ??= soughtIn(place) ?? { id: last.id, reason: 'end' }
  const range = isWhole.current ? whole() : around()
  useLayoutEffect(() => {
    if (isWhole.current || entries.length === 0) return
    isWhole.current = range[0] === 0 && range[1] === entries.length
    if (isWhole.current) return
    return whenIdle(() => setMore(more + ROWS_WHEN_IDLE))
  }, [more, entries.length > 0])
  // In the layout effect: an earlier scroll event would take the moved rows for a new reading position.
  useLayoutEffect(() => {
    if (more > 0) restore()
  }, [more])
  return range

  function whole(): [number, number] {
    return [0, entries.length]
  }
  function around(): [number, number] {
    const { id = 0, reason } = middle.current ?? {}
    const at = Math.max(
      0,
      entries.findLastIndex((entry) => entry.id <= id),
    )
    const height = innerHeight - AROUND_PX_MIN
    const above = height * ABOVE[reason ?? 'end']
    const below = reason === 'end' ? 0 : height - above + BELOW_PX
    const [, lackingAbove] = rowsToFill(above, entries, at, -1)
    const [down, lackingBelow] = rowsToFill(below + lackingAbove, entries, at, 1)
    const [up] = rowsToFill(above + lackingBelow, entries, at, -1)
    const to = reason === 'end' ? entries.length : Math.min(entries.length, at + 1 + down + more)
    return [Math.max(0, at - up - more), to]
  }
}
