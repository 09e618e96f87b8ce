import { effect } from '@preact/signals'
import { placeKey } from '../../client/outbox.ts'
import { state } from '../../state/session.ts'
import { actionsFor } from '../messages/message-actions.ts'
import { onBack } from '../kit/back.ts'
import { drawer } from '../kit/pane.tsx'
import { followKeyboard } from './keyboard-space.ts'
import { closeSheetsByPull } from './sheet-drag.ts'

/** On screens of at most this width, the lists cover the main part. */
const NARROW = '(max-width: 760px)'
/** A swipe that begins this near to the edge at which lines start opens the lists, px. */
const EDGE_PX = 32
/** Distance after which the direction of a swipe is decided, px. */
const DECIDED_PX = 12
/** A swipe as long as this does something, px. */
const SWIPE_PX = 56
/** Elements that use a swipe themselves: they scroll sideways, are dragged, or move the caret. */
const OWN_SWIPES = 'pre, table, input, textarea, video, dialog, [popover], .hold, .voice.full'

/** A finger on the page. */
interface Finger {
  x: number
  y: number
  /** The message below it, unless it began at the edge. */
  row: HTMLElement | undefined
  /** Undefined until it has moved far enough. */
  isSideways: boolean | undefined
}

/** The message that a swipe replies to. */
const rowOf = (target: Element, x: number): HTMLElement | undefined => {
  const fromEdge = way() === 1 ? x : innerWidth - x
  const isAtEdge = fromEdge < EDGE_PX && matchMedia(NARROW).matches
  return isAtEdge ? undefined : (target.closest<HTMLElement>('.message[data-menu]') ?? undefined)
}

/** Replies to the message of a row. */
function reply(row: HTMLElement): void {
  const [id, channel_id] = [Number(row.dataset['id']), Number(row.dataset['channel'])]
  const entry = state.timelines.get(placeKey({ channel_id }))?.entries.find((each) => each.id === id)
  if (entry)
    void actionsFor(entry)
      .find(({ name }) => name === 'reply')
      ?.run(entry, row)
}

/** 1 for a page that reads to the right, -1 for one that reads to the left. */
const way = () => (document.dir === 'rtl' ? -1 : 1)

/** Runs the action of a swipe. @param dx length in the reading direction, px; negative against it */
function act(dx: number, row: HTMLElement | undefined): void {
  if (Math.abs(dx) < SWIPE_PX) return
  if (drawer.value) drawer.value = dx > 0
  else if (dx > 0 && row) reply(row)
  else if (dx > 0 && matchMedia(NARROW).matches) drawer.value = true
}

/**
 * On touch screens, a swipe to the right over a message replies to it. On narrow screens, one from the edge or outside
 * the messages opens the lists, and a swipe to the left closes them. A page in a right-to-left language swaps the
 * directions. A phone's Back also closes the lists.
 */
export function listenForSwipes(): void {
  effect(() => (drawer.value ? onBack(() => (drawer.value = false)) : undefined))
  followKeyboard()
  closeSheetsByPull()
  const on = (
    type: 'pointerdown' | 'pointermove' | 'pointerup' | 'pointercancel',
    run: (event: PointerEvent) => void,
  ) => document.addEventListener(type, run)
  let finger: Finger | undefined
  const lift = () => {
    finger?.row?.style.removeProperty('translate')
    finger = undefined
  }
  on('pointerdown', ({ pointerType, isPrimary, target, clientX: x, clientY: y }) => {
    lift()
    if (pointerType !== 'touch' || !isPrimary || !(target instanceof Element) || target.closest(OWN_SWIPES)) return
    finger = { x, y, row: rowOf(target, x), isSideways: undefined }
  })
  on('pointermove', ({ clientX, clientY }) => {
    if (!finger) return
    const [dx, dy] = [clientX - finger.x, clientY - finger.y]
    if (Math.hypot(dx, dy) > DECIDED_PX) finger.isSideways ??= Math.abs(dx) > 2 * Math.abs(dy)
    // The message follows the finger, as far as a reply needs.
    if (finger.isSideways && !drawer.value)
      finger.row?.style.setProperty('translate', `${Math.max(0, Math.min(dx * way(), SWIPE_PX)) * way()}px`)
  })
  on('pointerup', ({ clientX }) => {
    const swipe = finger
    lift()
    if (swipe?.isSideways) act((clientX - swipe.x) * way(), swipe.row)
  })
  on('pointercancel', lift)
}
