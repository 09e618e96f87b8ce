const CALM = '(prefers-reduced-motion)'

/** Each: the still picture of an emoji that is shown moving. */
let moving = new Set<HTMLSourceElement>()
let hoverTarget: EventTarget | null = null
let focusTarget: EventTarget | null = null

/** The still pictures of the emoji in the control, option or message that is pointed at or has the focus. */
function stillsAt(target: EventTarget | null): HTMLSourceElement[] {
  if (!(target instanceof Element)) return []
  // A list keeps the focus in its field.
  const option = document.getElementById(target.getAttribute('aria-activedescendant') ?? '')
  const within = option ?? target.closest('picture, button, [role=option], .message:focus')
  return within ? [...within.querySelectorAll<HTMLSourceElement>('picture > source')] : []
}

function renew(): void {
  const next = new Set([...stillsAt(hoverTarget), ...stillsAt(focusTarget)])
  for (const still of moving.difference(next)) still.media = CALM
  for (const still of next) still.media = 'not all'
  moving = next
}

/** Lets animated emoji move only while they are pointed at or have the focus: for who wants less motion. */
export function watchStillEmoji(): void {
  document.addEventListener('pointerover', ({ target }) => ((hoverTarget = target), renew()))
  document.documentElement.addEventListener('pointerleave', () => ((hoverTarget = null), renew()))
  document.addEventListener('focusin', ({ target }) => ((focusTarget = target), renew()))
  document.addEventListener('focusout', () => ((focusTarget = null), renew()))
  document.addEventListener('keyup', renew)
}
