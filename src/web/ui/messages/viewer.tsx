import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { placeKey } from '../../client/outbox.ts'
import { download, urlOf } from '../../state/download-urls.ts'
import { momentOf, sizeOf } from '../../state/format.ts'
import { nameOf } from '../../state/names.ts'
import type { ChannelPlace } from '../../state/place.ts'
import { call, follow } from '../../state/session.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { fileWords } from '../../words/files.ts'
import { stickerWords } from '../../words/stickers.ts'
import { words } from '../../words/words.ts'
import { IconButton } from '../kit/controls.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { closeDialog, showNote } from '../kit/dialogs.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { Icon } from '../kit/icons.tsx'
import { Cover } from './cover.tsx'
import { isFinger } from './current-message.ts'
import { hostOf, keyOfPicture, nameOfEmbed, nameOfFile, picturesOf, type ShownPicture } from './media.ts'
import { panView, type View, WHOLE, zoomView } from './zoom.ts'
import { isComposingKey } from '../../state/keyboard.ts'

const STEP = 1.5
const DOUBLE_CLICK = 2.5
/** A finger that moves this far sideways wants the next picture; one that moves as far down closes the viewer, px. */
const SWIPE_PX = 60
/** A finger that moves less than this taps, px. */
const TAP_PX = 10
/** Two taps within this time zoom, ms. */
const DOUBLE_TAP_MS = 320

interface ViewerProps {
  place: ChannelPlace
  /** The picture that was opened. */
  first: ShownPicture
}

/** A full-window dialog with one of a place's pictures. Keys, wheel and fingers zoom it and move to the others. */
export const Viewer = ({ place, first }: ViewerProps) => {
  follow('members', `timeline ${placeKey(place)}`)
  const [key, setKey] = useState(keyOfPicture(first))
  const all = picturesOf(place)
  const at = all.findIndex((each) => keyOfPicture(each) === key)
  const current = all[at] ?? first
  const { entry } = current
  const zoom = useZoom(key)
  const go = (step: number) => {
    const next = all[at + step]
    if (at >= 0 && next) setKey(keyOfPicture(next))
  }
  const keys: Record<string, () => void> = {
    ArrowLeft: () => go(-1),
    ArrowRight: () => go(1),
    Home: () => go(-at),
    End: () => go(all.length - 1 - at),
    '+': () => zoom.by(STEP),
    '=': () => zoom.by(STEP),
    '-': () => zoom.by(1 / STEP),
    '0': zoom.reset,
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isForMore = event.ctrlKey || event.metaKey || event.altKey || isComposingKey(event)
    const act = isForMore ? undefined : keys[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }
  const file = 'file' in current ? current.file : undefined
  const name = 'file' in current ? nameOfFile(current.file) : nameOfEmbed(current.embed)
  const original = 'file' in current ? urlOf(current.file.id, 'original') : current.embed.url
  const url = 'file' in current ? (original ?? urlOf(current.file.id)) : current.picture.url
  const picture = url ? <img src={url} alt={file?.alt ?? name} draggable={false} /> : <p>{words.loading}</p>
  return (
    <Dialog title={name} onClose={closeDialog} class="viewer dark" onKeyDown={onKeyDown}>
      <div class="stage" ref={zoom.frame} {...zoom.handlers((step) => go(step))}>
        <div class="sheet" style={{ transform: zoom.transform }}>
          {file ? (
            <Cover file={file} entry={current.entry}>
              {picture}
            </Cover>
          ) : (
            picture
          )}
        </div>
        <IconButton
          icon="previous"
          size={28}
          class="step"
          label={dialogWords.viewer.previous}
          onClick={() => go(-1)}
          disabled={at < 1}
        />
        <IconButton
          icon="next"
          size={28}
          class="step next"
          label={dialogWords.viewer.next}
          onClick={() => go(1)}
          disabled={at < 0 || at === all.length - 1}
        />
      </div>
      <footer>
        <p aria-live="polite">
          <strong>
            <bdi>{nameOf(entry.author.id, entry.member?.nickname ?? entry.author.display_name)}</bdi>
          </strong>{' '}
          <time dateTime={entry.created_at}>{momentOf(entry.created_at)}</time>
          <small>
            {[
              at >= 0 && dialogWords.viewer.of({ n: at + 1, all: all.length }),
              file ? sizeOf(file.size) : hostOf(original),
            ]
              .filter(Boolean)
              .join(' · ')}
          </small>
        </p>
        <IconButton icon="zoomOut" label={dialogWords.viewer.smaller} onClick={() => zoom.by(1 / STEP)} />
        <IconButton icon="zoomIn" label={dialogWords.viewer.larger} onClick={() => zoom.by(STEP)} />
        {original ? (
          <a
            class="button bare"
            href={original}
            target="_blank"
            rel="noopener noreferrer nofollow"
            aria-label={dialogWords.viewer.original}
            title={dialogWords.viewer.original}
          >
            <Icon name="open" />
          </a>
        ) : null}
        {file ? <KeepButton key={file.id} file_id={file.id} /> : null}
        {file ? (
          <IconButton icon="download" label={fileWords.download} onClick={() => void download(file.id, name)} />
        ) : null}
      </footer>
    </Dialog>
  )
}

/** Keeps a picture: the picker sends it again. */
const KeepButton = ({ file_id }: { file_id: number }) => {
  const { attempt, busy, error } = useAttempt()
  const says = stickerWords.pictures
  const keep = async () => {
    if (await attempt(() => call('POST /api/favourites', {}, { file_id }))) showNote(says.kept)
  }
  return (
    <>
      <IconButton icon="bookmark" label={says.keep} disabled={busy} onClick={() => void keep()} />
      <Refusal error={error} says={says.problems} />
    </>
  )
}

/** The middle of a set of points. */
const middleOf = (points: { x: number; y: number }[]) => ({
  x: points.reduce((sum, { x }) => sum + x, 0) / points.length,
  y: points.reduce((sum, { y }) => sum + y, 0) / points.length,
})

const spreadOf = ([one, other]: { x: number; y: number }[]): number =>
  one && other ? Math.hypot(one.x - other.x, one.y - other.y) : 0

/** A tap of a finger. */
interface Tap {
  x: number
  y: number
  /** `timeStamp` of its event, ms. */
  at: number
}

/** True if a tap follows another one at the same spot. */
const isSecond = (first: Tap | undefined, tap: Tap): boolean =>
  first !== undefined && tap.at - first.at < DOUBLE_TAP_MS && Math.hypot(tap.x - first.x, tap.y - first.y) < TAP_PX * 3

/** Zooms and moves a picture in its frame; another picture is shown whole. */
function useZoom(key: string) {
  const frame = useRef<HTMLDivElement>(null)
  const [view, setView] = useState<View>(WHOLE)
  /** How far a finger has pulled the whole picture down, px. */
  const [pull, setPull] = useState(0)
  const fingers = useRef(new Map<number, { x: number; y: number }>())
  const swiped = useRef({ x: 0, y: 0 })
  const lastTap = useRef<Tap>(undefined)
  // A layout effect runs before the next key can zoom the new picture.
  useLayoutEffect(() => setView(WHOLE), [key])
  const box = () => frame.current?.getBoundingClientRect() ?? new DOMRect()
  const zoom = (factor: number, at: { x: number; y: number }) => setView((now) => zoomView(now, factor, at, box()))
  const toggle = (at: { x: number; y: number }) => (view.scale > 1 ? setView(WHOLE) : zoom(DOUBLE_CLICK, at))
  const by = (factor: number) => {
    const { left, top, width, height } = box()
    zoom(factor, { x: left + width / 2, y: top + height / 2 })
  }
  useLayoutEffect(() => {
    const stage = frame.current
    const onWheel = (event: WheelEvent) => {
      event.preventDefault()
      zoom(Math.exp(-event.deltaY / (event.ctrlKey ? 100 : 400)), event)
    }
    // Only a listener that is not passive keeps the page from zooming.
    stage?.addEventListener('wheel', onWheel, { passive: false })
    return () => stage?.removeEventListener('wheel', onWheel)
  }, [])
  const onPointerDown = (event: PointerEvent) => {
    if (event.target instanceof Element && event.target.closest('button')) return
    frame.current?.setPointerCapture(event.pointerId)
    fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
    swiped.current = { x: 0, y: 0 }
    if (fingers.current.size > 1) lastTap.current = undefined
  }
  const onPointerMove = (event: PointerEvent) => {
    const before = [...fingers.current.values()]
    if (!fingers.current.has(event.pointerId)) return
    fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
    const now = [...fingers.current.values()]
    const [from, to] = [middleOf(before), middleOf(now)]
    if (now.length === 2 && spreadOf(before) > 0) zoom(spreadOf(now) / spreadOf(before), to)
    const { x, y } = swiped.current
    swiped.current = now.length === 1 ? { x: x + to.x - from.x, y: y + to.y - from.y } : { x: 0, y: 0 }
    const isPulled = event.pointerType === 'touch' && view.scale === 1 && swiped.current.y > Math.abs(swiped.current.x)
    setPull(isPulled ? swiped.current.y : 0)
    setView((view) => panView(view, to.x - from.x, to.y - from.y, box()))
  }
  /** Ends the movement of a finger. @returns how far it moved, px */
  const lift = (event: PointerEvent) => {
    const way = swiped.current
    fingers.current.delete(event.pointerId)
    swiped.current = { x: 0, y: 0 }
    setPull(0)
    return way
  }
  /** Two taps do what a double click does, which not every browser reports of fingers. */
  const onTap = ({ clientX: x, clientY: y, timeStamp: at }: PointerEvent) => {
    const tap = { x, y, at }
    const isDouble = isSecond(lastTap.current, tap)
    lastTap.current = isDouble ? undefined : tap
    if (isDouble) toggle(tap)
  }
  return {
    frame,
    by,
    reset: () => setView(WHOLE),
    transform: `translate(${view.x}px, ${view.y + pull}px) scale(${view.scale})`,
    handlers: (go: (step: number) => void) => {
      const onPointerUp = (event: PointerEvent) => {
        if (!fingers.current.has(event.pointerId)) return
        const isOnly = fingers.current.size === 1
        const { x, y } = lift(event)
        const isTouch = event.pointerType === 'touch'
        if (isTouch && isOnly && Math.hypot(x, y) < TAP_PX) return onTap(event)
        if (view.scale > 1) return
        if (Math.abs(x) > Math.max(SWIPE_PX, Math.abs(y))) go(x < 0 ? 1 : -1)
        else if (isTouch && y > SWIPE_PX) closeDialog()
      }
      return {
        onPointerDown,
        onPointerMove,
        onPointerUp,
        onPointerCancel: (event: PointerEvent) => void lift(event),
        onDblClick: (event: MouseEvent) => isFinger.value || toggle(event),
      }
    },
  }
}
