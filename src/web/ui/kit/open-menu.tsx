import { useLayoutEffect, useRef } from 'preact/hooks'
import { isComposingKey } from '../../state/keyboard.ts'
import { onBack } from './back.ts'
import { Icon } from './icons.tsx'
import { closeMenu, type MenuOptions, openMenu, type Point } from './menu.tsx'

/** The space between the menu, its opener and the window's edges, px. */
const GAP_PX = 6

export const showMenu = (menu: MenuOptions): void =>
  void (openMenu.value = { ...menu, draw: () => <OpenMenu {...menu} /> })

/**
 * Places the menu below its opener or at the point, or above if there is more space. On a phone the style sheet places
 * it.
 */
export function placeBeside(menu: HTMLElement, opener: HTMLElement, point?: Point): void {
  const at = point ? { top: point.y, bottom: point.y - GAP_PX, left: point.x } : opener.getBoundingClientRect()
  // Not where it is drawn now: it moves as it opens.
  const { offsetWidth: width, offsetHeight: height } = menu
  const hasSpaceBelow = at.bottom + GAP_PX + height <= innerHeight
  // An opener may be outside of the window.
  const above = Math.min(at.top, innerHeight) - GAP_PX - height
  const top = hasSpaceBelow ? Math.max(0, at.bottom) + GAP_PX : Math.max(GAP_PX, above)
  // It ends where its opener ends; at a point, it begins there.
  const endsLeft = getComputedStyle(opener).direction === 'rtl' ? 'right' in at : !('right' in at)
  const start = endsLeft ? at.left : ('right' in at ? at.right : at.left) - width
  const left = Math.max(GAP_PX, Math.min(start, innerWidth - width - GAP_PX))
  menu.style.setProperty('--top', `${top}px`)
  menu.style.setProperty('--left', `${left}px`)
}

/** The step of a key through the items; Home and End go to an end. */
function stepOf(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowDown') return (at + 1) % count
  if (key === 'ArrowUp') return (at - 1 + count) % count
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : undefined
}

/** A menu: arrow keys move in it; Escape, Tab or a click outside close it. */
const OpenMenu = ({ label, opener, at: point, items, quick = [] }: MenuOptions) => {
  const element = useRef<HTMLDivElement>(null)
  const buttons = () => [...(element.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
  useLayoutEffect(() => {
    // The top layer: no part of the page hides the menu or cuts it.
    element.current?.showPopover()
    buttons()[0]?.focus({ preventScroll: true })
    const place = () => element.current && placeBeside(element.current, opener, point)
    place()
    // A phone that is turned has another shape.
    addEventListener('resize', place)
    return () => removeEventListener('resize', place)
  }, [opener])
  useLayoutEffect(() => onBack(closeMenu), [])
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (isComposingKey(event)) return
    const all = buttons()
    const at = all.findIndex((button) => button === document.activeElement)
    const next = stepOf(event.key, at, all.length)
    if (next !== undefined) all[next]?.focus()
    else if (event.key === 'Escape' || event.key === 'Tab') closeMenu()
    else return
    event.preventDefault()
  }
  return (
    <>
      <div
        class="menu-veil"
        onPointerDown={({ pointerType }) => pointerType === 'touch' || closeMenu()}
        // A finger clicks when it is lifted: without the veil it would click what lies below.
        onClick={closeMenu}
      />
      <div ref={element} class="menu" popover="manual" role="menu" aria-label={label} onKeyDown={onKeyDown}>
        {quick.length > 0 ? (
          <div role="group" class="quick-row">
            {quick.map(({ name, label: text, content, run }) => (
              <button
                key={name}
                type="button"
                role="menuitem"
                class="quick"
                aria-label={text}
                title={text}
                onClick={() => {
                  closeMenu()
                  void run()
                }}
              >
                {content}
              </button>
            ))}
          </div>
        ) : null}
        {items.map(({ name, icon, label: text, key, isDangerous, run }) => (
          <button
            key={name}
            type="button"
            role="menuitem"
            aria-keyshortcuts={key}
            class={isDangerous ? 'dangerous' : ''}
            onClick={() => {
              closeMenu()
              void run()
            }}
          >
            <Icon name={icon} size={18} />
            <span>{text}</span>
            {key ? <kbd aria-hidden="true">{key.length === 1 ? key.toUpperCase() : key.slice(0, 3)}</kbd> : null}
          </button>
        ))}
      </div>
    </>
  )
}
