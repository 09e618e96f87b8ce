import { words } from '../../words/words.ts'
import { showNote } from '../kit/dialogs.tsx'
import { openMenu, type Point } from '../kit/menu.tsx'

/** Duration of a long press that opens a menu, ms. Safari on iOS has no other gesture for menus. */
const LONG_PRESS_MS = 500
/** A finger that moves this far scrolls. */
const MOVED_PX = 10

/**
 * The element whose menu a click opens; undefined if the browser has a better menu, and in a modal dialog, which makes
 * a menu outside it unusable.
 */
function ownerOf(target: EventTarget | null): HTMLElement | undefined {
  if (!(target instanceof Element)) return undefined
  const nearest = target.closest('[data-menu], a[href], input, textarea, video:not(.camera), audio, .image, .reactions')
  if (!(nearest instanceof HTMLElement) || nearest.closest('dialog')) return undefined
  return nearest.dataset['menu'] ? nearest : undefined
}

/** True if text is selected. */
const isTextSelected = (): boolean => getSelection()?.isCollapsed === false

let isOpening = false
/** Opens the menu of an element. The code of the entries is loaded with the first menu. */
async function open(owner: HTMLElement, at?: Point): Promise<void> {
  if (isOpening || openMenu.value) return
  isOpening = true
  try {
    const { showMenuOf } = await import('./entries.ts')
    if (owner.isConnected) showMenuOf(owner, at)
  } catch {
    showNote(words.notLoaded)
  } finally {
    isOpening = false
  }
}

/** Opens menus by right click, the menu key (Shift+F10), and a long press. */
export function listenForContextMenus(): void {
  const on = <K extends keyof DocumentEventMap>(type: K, run: (event: DocumentEventMap[K]) => void) =>
    document.addEventListener(type, run, { capture: true })
  let timer: ReturnType<typeof setTimeout> | undefined
  let from = { x: 0, y: 0 }
  /** True if text was selected before the button went down: on a Mac, a right-click selects a word. */
  let wasSelected = false
  /** True while the finger that opened a menu is down: lifting it is not a click. */
  let isHeld = false
  /** Below the finger. The target of its events may be a small button next to it. */
  let touched: HTMLElement | undefined
  const cancel = () => clearTimeout(timer)
  on('contextmenu', (event) => {
    const isByFinger = event instanceof PointerEvent && event.pointerType === 'touch'
    const owner = isByFinger ? touched : ownerOf(event.target)
    const isByMouse = event.button === 2
    // With Shift, the browser's own menu.
    if (!owner || (isByMouse && (event.shiftKey || wasSelected))) return
    event.preventDefault()
    void open(owner, isByMouse ? { x: event.clientX, y: event.clientY } : undefined)
  })
  on('pointerdown', (event) => {
    cancel()
    isHeld = false
    wasSelected = isTextSelected()
    const { pointerType, isPrimary, clientX: x, clientY: y } = event
    const owner = pointerType === 'touch' && isPrimary ? ownerOf(document.elementFromPoint(x, y)) : undefined
    touched = owner
    if (!owner) return
    from = { x, y }
    timer = setTimeout(() => {
      isHeld = true
      void open(owner)
    }, LONG_PRESS_MS)
  })
  on('pointermove', (event) => {
    if (Math.hypot(event.clientX - from.x, event.clientY - from.y) > MOVED_PX) cancel()
  })
  on('pointerup', cancel)
  on('pointercancel', cancel)
  on('click', (event) => {
    if (!isHeld) return
    isHeld = false
    event.preventDefault()
    event.stopPropagation()
  })
}
