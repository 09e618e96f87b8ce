const FOCUSABLE =
  'button:not(:disabled), a[href], input:not(:disabled), textarea:not(:disabled), select, [tabindex="0"]'

/** True if a field that gets the focus brings up a keyboard, which covers half of the page. */
const isTouched = matchMedia('(hover: none) and (pointer: coarse)').matches

/** The element that had the focus last, and its ancestors from the inside out. */
let path: Element[] = []

/** The element that gets the focus after the focused one was removed. */
function successorOf(removed: Element[]): HTMLElement | null {
  const around = removed.find((element) => element.isConnected && element !== document.body)
  const row = around?.closest<HTMLElement>('.message')
  if (row) return row
  const dialogs = document.querySelectorAll('dialog[open]')
  const top = dialogs.item(dialogs.length - 1)
  if (top) return (around && top.contains(around) ? around : top).querySelector<HTMLElement>(FOCUSABLE)
  const composer = document.querySelector<HTMLElement>(isTouched ? '#main' : '.composer textarea')
  if (around?.closest('.conversation') || !around || around.contains(composer))
    return composer ?? document.getElementById('main')
  return around.querySelector<HTMLElement>(FOCUSABLE) ?? document.getElementById('main')
}

/** Moves the focus to a suitable element when the focused one is removed, so that the page does not lose it. */
export function keepFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    path = []
    for (let at = target instanceof Element ? target : null; at; at = at.parentElement) path.push(at)
  })
  let wasDisabled = false
  const observer = new MutationObserver(() => {
    const [last] = path
    if (!(last instanceof HTMLElement)) return
    // A button is disabled while its request runs, and loses the focus with the next frame.
    const returns = wasDisabled && !last.matches(':disabled')
    wasDisabled = last.matches(':disabled')
    if ((document.activeElement ?? document.body) !== document.body) return
    if (returns && last.isConnected) last.focus({ preventScroll: true })
    if (last.isConnected) return
    const removed = path
    path = []
    successorOf(removed)?.focus({ preventScroll: true })
  })
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
}
