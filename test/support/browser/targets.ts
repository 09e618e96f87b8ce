import type { Visitor } from './visitor.ts'

/** The least width and height of a touch target, px. Source: WCAG 2.2, 2.5.5 Target Size (Enhanced). */
const TARGET_PX = 44

/**
 * The touch targets of the page that are smaller than 44 × 44 px, each with its size. A target is measured from its
 * centre by `document.elementFromPoint`: padding, labels and hit areas count, and parts below a neighbour do not. Left
 * out, as in WCAG: links and buttons within a line of text, and the names of answers, whose pictures do the same.
 */
export const smallTargets = ({ page }: Visitor): Promise<string[]> => page.evaluate(measure, TARGET_PX)

/** Runs in the page. */
async function measure(least: number): Promise<string[]> {
  /*
   * The layout of Chromium is exact to this part of a pixel. It hits the boxes below a whole pixel that begins at the
   * point: an element is hit up to one pixel before it, unless a neighbour is.
   */
  const STEP = 1 / 64
  const ALIKE_MAX = 24
  const TARGETS = `button, a[href], input, select, textarea, summary, [role=button], [role=option], [role=menuitem],
    [role=tab], [role=switch], [role=slider]`
  const dialogs = document.querySelectorAll('dialog[open]')
  const popovers = document.querySelectorAll('[popover]:popover-open:not(.leaving)')
  // The search covers a part of the page that is not wide enough.
  const search = [...document.querySelectorAll('.search')].find((each) => getComputedStyle(each).position === 'fixed')
  const root = popovers.item(popovers.length - 1) ?? dialogs.item(dialogs.length - 1) ?? search ?? document.body
  const labelsOf = (target: Element): Element[] =>
    ('labels' in target ? [...(target.labels as NodeList)] : []) as Element[]
  const isWithinText = (target: Element) =>
    (getComputedStyle(target).display === 'inline' || target.matches('.mention')) &&
    (target.closest('.rich') !== null ||
      [...(target.parentElement?.childNodes ?? [])].some(
        ({ nodeType, textContent }) => nodeType === 3 && textContent?.trim(),
      ))
  const isVisible = (target: Element) =>
    target.checkVisibility({ visibilityProperty: true, opacityProperty: true }) ||
    labelsOf(target).some((label) => label.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
  const moving = document.getAnimations().filter((each) => each.effect?.getComputedTiming().endTime !== Infinity)
  await Promise.all(moving.map(({ finished }) => finished.catch(() => {})))
  const faults: string[] = []
  for (const target of root.querySelectorAll<HTMLElement>(TARGETS)) {
    if (!isVisible(target) || target.matches(':disabled, [aria-disabled=true], .skip') || isWithinText(target)) continue
    if (target.matches('.quoted ~ .byline > .name')) continue
    // The first ones of a list stand for the others.
    if ([...(target.parentElement?.children ?? [])].indexOf(target) >= ALIKE_MAX) continue
    if (target.closest('[inert]') || target.closest('[aria-hidden=true]')) continue
    const seen = target.checkVisibility({ opacityProperty: true }) ? target : (labelsOf(target)[0] ?? target)
    const own = [target, ...labelsOf(target)]
    let [x, y] = [0, 0]
    const locate = () => {
      const box = seen.getBoundingClientRect()
      ;[x, y] = [box.left + box.width / 2, box.top + box.height / 2]
      return box.width > 0 && box.height > 0
    }
    const hits = (dx: number, dy: number) => {
      const hit = document.elementFromPoint(x + dx, y + dy)
      return hit !== null && own.some((element) => element.contains(hit))
    }
    // Far enough whatever lies around it.
    const around = [-1, -0.5, 0.5, 1].map((part) => part * (least / 2 + 1))
    const isLarge = () => around.every((far) => hits(far, 0) && hits(0, far))
    // Scrolling takes longer than all else.
    if (!locate() || (hits(0, 0) && isLarge())) continue
    seen.scrollIntoView({ block: 'center', inline: 'center' })
    locate()
    if (!hits(0, 0) || isLarge()) continue
    /** How far the target is hit from its centre, up to the least size. */
    const reach = (dx: number, dy: number): number => {
      let far = 0
      while (far < least && hits(dx * (far + 1), dy * (far + 1))) far++
      for (let step = 0.5; step >= STEP; step /= 2)
        if (far < least && hits(dx * (far + step), dy * (far + step))) far += step
      return far
    }
    /** True if a side is long enough: drawn so, and not covered, or with the hit areas around it. */
    const isLong = (side: number, hit: number) => (side >= least ? hit > least - 1 : hit >= least + 1)
    const [width, height] = [reach(-1, 0) + reach(1, 0) + STEP, reach(0, -1) + reach(0, 1) + STEP]
    const drawn = own.map((element) => element.getBoundingClientRect())
    const [wide, high] = [Math.max(...drawn.map((each) => each.width)), Math.max(...drawn.map((each) => each.height))]
    if (isLong(wide, width) && isLong(high, height)) continue
    const name = target.getAttribute('aria-label') ?? target.textContent?.trim().slice(0, 30)
    const path = [target, target.parentElement, target.parentElement?.parentElement]
      .map((each) => each && [each.localName, ...each.classList].join('.'))
      .toReversed()
      .join(' > ')
    faults.push(`${width.toFixed(2)} × ${height.toFixed(2)} ${path} “${name}”`)
  }
  return faults
}

/** Cut parts of the page: lists and pages that scroll sideways, and buttons that are smaller than their words. */
export const cutParts = ({ page }: Visitor): Promise<string[]> => page.evaluate(findCut)

function findCut(): string[] {
  const named = (element: Element) =>
    `${[element.localName, ...element.classList].join('.')} “${element.textContent?.trim().slice(0, 30)}”`
  const MAY_SCROLL = 'pre, table, input, textarea, .tabs, .sections nav, .screens, .participants'
  return [...document.querySelectorAll<HTMLElement>('body *')].flatMap((element) => {
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return []
    const isWide = element.scrollWidth > element.clientWidth + 1
    if (isWide && /auto|scroll/.test(getComputedStyle(element).overflowX) && !element.matches(MAY_SCROLL))
      return [`${element.scrollWidth - element.clientWidth} px too wide: ${named(element)}`]
    if (!element.matches('button, .button')) return []
    const own = element.getBoundingClientRect()
    const isInside = [...element.childNodes].every((child) => {
      if (child.nodeType !== Node.TEXT_NODE) return true
      const range = document.createRange()
      range.selectNode(child)
      const { left, right, width } = range.getBoundingClientRect()
      return width === 0 || (left >= own.left && right <= own.right)
    })
    return isInside ? [] : [`words outside of ${named(element)}`]
  })
}
