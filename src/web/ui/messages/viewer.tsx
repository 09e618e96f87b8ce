import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { placeKey } from '../../client/outbox.ts'
import { download, urlOf } from '../../state/download-urls.ts'
import { momentOf, sizeOf } from '../../state/format.ts'
import { nameOf } from '../../state/names.ts'
import type { ChannelPlace } from '../../state/place.ts'
import { follow } from '../../state/session.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { words } from '../../words/words.ts'
import { IconButton } from '../kit/controls.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { closeDialog } from '../kit/dialogs.tsx'
import { Icon } from '../kit/icons.tsx'
import { Cover } from './cover.tsx'
import { hostOf, keyOfPicture, nameOfEmbed, nameOfFile, picturesOf, type ShownPicture } from './media.ts'
import { panView, type View, WHOLE, zoomView } from './zoom.ts'
import { isComposingKey } from '../../state/keyboard.ts'

const STEP = 1.5
const DOUBLE_CLICK = 2.5
/** A finger that moves this far sideways wants the next picture; one that moves as far down closes the viewer, px. */
const SWIPE_PX = 60

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
  const picture = url ? <img src={url} alt={name} draggable={false} /> : <p>{words.loading}</p>
  return (
    <Dialog title={name} onClose={closeDialog} class="viewer dark" onKeyDown={onKeyDown}>
      <div class="stage" ref={zoom.frame} {...zoom.handlers((step) => go(step))}>
        <div class="sheet" style={{ transform: zoom.transform }}>
          {file ? <Cover file={file}>{picture}</Cover> : picture}
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
            {[at >= 0 && dialogWords.viewer.of(at + 1, all.length), file ? sizeOf(file.size) : hostOf(original)]
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
        {file ? (
          <IconButton icon="download" label={words.files.download} onClick={() => void download(file.id, name)} />
        ) : null}
      </footer>
    </Dialog>
  )
}

/** The middle of a set of points. */
const middleOf = (points: { x: number; y: number }[]) => ({
  x: points.reduce((sum, { x }) => sum + x, 0) / points.length,
  y: points.reduce((sum, { y }) => sum + y, 0) / points.length,
})

const spreadOf = ([one, other]: { x: number; y: number }[]): number =>
  one && other ? Math.hypot(one.x - other.x, one.y - other.y) : 0

/** Zooms and moves a picture in its frame; another picture is shown whole. */
function useZoom(key: string) {
  const frame = useRef<HTMLDivElement>(null)
  const [view, setView] = useState<View>(WHOLE)
  const fingers = useRef(new Map<number, { x: number; y: number }>())
  const swiped = useRef({ x: 0, y: 0 })
  // A layout effect runs before the next key can zoom the new picture.
  useLayoutEffect(() => setView(WHOLE), [key])
  const box = () => frame.current?.getBoundingClientRect() ?? new DOMRect()
  const zoom = (factor: number, at: { x: number; y: number }) => setView((now) => zoomView(now, factor, at, box()))
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
    setView((view) => panView(view, to.x - from.x, to.y - from.y, box()))
  }
  return {
    frame,
    by,
    reset: () => setView(WHOLE),
    transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})`,
    handlers: (go: (step: number) => void) => {
      const onPointerUp = (event: PointerEvent) => {
        fingers.current.delete(event.pointerId)
        const { x, y } = swiped.current
        swiped.current = { x: 0, y: 0 }
        if (view.scale > 1) return
        if (Math.abs(x) > SWIPE_PX) go(x < 0 ? 1 : -1)
        else if (y > SWIPE_PX && event.pointerType === 'touch') closeDialog()
      }
      return {
        onPointerDown,
        onPointerMove,
        onPointerUp,
        onPointerCancel: (event: PointerEvent) => void fingers.current.delete(event.pointerId),
        onDblClick: (event: MouseEvent) => (view.scale > 1 ? setView(WHOLE) : zoom(DOUBLE_CLICK, event)),
      }
    },
  }
}
