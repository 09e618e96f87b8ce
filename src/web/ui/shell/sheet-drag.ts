import { effect } from '@preact/signals'
import { closeMenu, openMenu } from '../kit/menu.tsx'

/** On screens of at most this width, a menu is a sheet at the bottom of the page: src/web/css/menu.css. */
const SHEET = '(max-width: 760px)'
/** A sheet that a finger has moved down this far closes, px. */
const CLOSE_PX = 72

/** Moves a sheet with the finger that pulls it down, and closes it. Entries that are scrolled scroll back first. */
function drag(sheet: HTMLElement): void {
  let from: number | undefined
  let way = 0
  sheet.addEventListener(
    'touchstart',
    ({ touches }) => {
      from = touches.length === 1 && sheet.scrollTop <= 0 ? touches[0]?.clientY : undefined
      way = 0
    },
    { passive: true },
  )
  // Touches, not pointers: only they can be kept from scrolling after the first move.
  sheet.addEventListener('touchmove', (event) => {
    if (from === undefined) return
    way = (event.touches[0]?.clientY ?? from) - from
    // A finger that begins upwards scrolls.
    if (way <= 0) from = undefined
    else if (event.cancelable) event.preventDefault()
    sheet.style.translate = way > 0 ? `0 ${way}px` : ''
  })
  const lift = ({ type }: Event) => {
    from = undefined
    if (type === 'touchend' && way > CLOSE_PX) closeMenu()
    else sheet.style.translate = ''
  }
  sheet.addEventListener('touchend', lift)
  sheet.addEventListener('touchcancel', lift)
}

/** A finger closes menus that are sheets: it pulls them down. */
export function closeSheetsByPull(): void {
  effect(() => {
    if (!openMenu.value || !matchMedia(SHEET).matches) return
    // The menu is drawn by then.
    requestAnimationFrame(() => {
      const sheet = document.querySelector<HTMLElement>('.menu')
      if (sheet && !sheet.dataset['pulled']) drag(sheet)
      if (sheet) sheet.dataset['pulled'] = 'true'
    })
  })
}
