/** Parts of the page that are covered by less than this are no keyboard, px. */
const KEYBOARD_PX = 100

let isFollowing = false

/**
 * Keeps the page above a keyboard that the browser draws over it. Chrome and Firefox make the page smaller themselves,
 * as the viewport of the page asks them to; Safari only tells the size of the visible part. Further calls do nothing.
 */
export function followKeyboard(): void {
  const view = window.visualViewport
  if (!view || isFollowing) return
  isFollowing = true
  const page = document.documentElement
  const { style } = page
  const fit = () => {
    // A page that is enlarged by two fingers has a small visible part, too.
    const covered = view.scale > 1.01 ? 0 : Math.round(page.clientHeight - view.height)
    const isOpen = covered > KEYBOARD_PX
    if (isOpen) {
      style.setProperty('--keyboard', `${covered}px`)
      // The keyboard covers the bar at the bottom.
      style.setProperty('--safe-bottom', '0px')
      // Safari moves the page up to show the field, which now is visible anyway.
      if (scrollY > 0) scrollTo(0, 0)
    } else for (const name of ['--keyboard', '--safe-bottom']) style.removeProperty(name)
  }
  view.addEventListener('resize', fit)
  view.addEventListener('scroll', fit)
  fit()
}
