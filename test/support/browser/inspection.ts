import { join } from 'node:path'
import type { BrowserContextOptions } from 'playwright-core'
import { namesIn } from '../../../src/web/ui/emoji/names/names.ts'
import { shoot } from './shots.ts'
import type { Visitor } from './visitor.ts'

/** The language whose part the pseudo-locale takes: its dates and numbers have no Latin letters. */
const SLOT = 'ja'
const WIDE = 1280
const WIDTHS = [WIDE, 390]

/** The pseudo-locale as a part of the client. */
async function pseudoPart(): Promise<string> {
  const entry = join(import.meta.dir, 'pseudo-locale.ts')
  const { outputs } = await Bun.build({ entrypoints: [entry], target: 'browser', minify: true })
  return (await outputs[0]?.text()) ?? ''
}

interface Fault {
  text: string
  why: 'English' | 'cut off'
}

/** Runs in the page: texts that are English, and words that end at the edge of what holds them. */
function faultsIn(ignoredFaults: string[]): Fault[] {
  const faults: Fault[] = []
  const isEnglish = (text: string) => {
    const rest = ignoredFaults.reduce((all, each) => all.replaceAll(each, ' '), text)
    return /[A-Za-z]{2,}/.test(rest.replace(/https?:\S+|\S+@\S+|@\w+|#\d+/g, ' '))
  }
  const isHidden = (element: Element) => {
    for (let each: Element | null = element; each; each = each.parentElement)
      if (each.matches('.hidden') || each.clientWidth === 1 || getComputedStyle(each).opacity === '0') return true
    return !element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })
  }
  /** How far to the right a text may reach, and to the left. */
  const boundsOf = (element: Element): [number, number] => {
    let [left, right] = [-Infinity, Infinity]
    for (let each: Element | null = element; each; each = each.parentElement) {
      const { overflowX, position } = getComputedStyle(each)
      const box = each.getBoundingClientRect()
      if (/auto|scroll/.test(overflowX) && each.scrollWidth > each.clientWidth + 1) return [-Infinity, Infinity]
      if (/hidden|clip/.test(overflowX)) [left, right] = [Math.max(left, box.left), Math.min(right, box.right)]
      if (position === 'fixed') break
    }
    return [Math.max(left, 0), Math.min(right, innerWidth)]
  }
  for (const element of document.querySelectorAll('[aria-label], [title], [placeholder], [alt]'))
    for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
      const text = element.getAttribute(name)
      if (text && isEnglish(text)) faults.push({ text: `${name} ${text}`, why: 'English' })
    }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const [text, element] = [node.textContent ?? '', node.parentElement]
    if (!element || text.trim() === '' || isHidden(element)) continue
    if (
      element.closest(
        '.rich, .excerpt, .beside, textarea, .backdrop, code, kbd, .mark, .picture, .quoted, option, svg, label[lang]',
      )
    )
      continue
    if (isEnglish(text)) faults.push({ text, why: 'English' })
    if (!text.includes('·')) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const [left, right] = boundsOf(element)
    const rects = [...range.getClientRects()]
    if (rects.some((rect) => rect.right > right + 1 || rect.left < left - 1)) faults.push({ text, why: 'cut off' })
  }
  return faults
}

/** Names that stand on the page as they are in every language. */
const NAMES = [
  'Parley',
  'Bun',
  'Chrome',
  'Chromium',
  'Linux',
  'Headless',
  'UTC',
  // From Intl.
  ' ms',
  'Ctrl',
  'Alt',
  'Shift',
  'Enter',
  'Esc',
]

/** Emoji with Latin letters in their Japanese names of CLDR. How many the picker has drawn when inspected varies. */
const EMOJI = namesIn(SLOT)
  .split('\n')
  .flatMap((line) => line.split('\t')[1] ?? [])
  .filter((name) => /[A-Za-z]{2,}/.test(name))

const FILTERS = ['from:', 'in:', 'has:', 'mentions:', 'before:', 'after:', 'pinned:']

/** Looks at screens in the pseudo-locale, wide and narrow, for what is not translated or is cut off. */
export class Inspection {
  readonly faults: string[] = []
  #part: Promise<string> | undefined

  /** @param names that people have given: they are not translated */
  constructor(readonly names: string[]) {
    this.names = [...names, ...NAMES, ...EMOJI, ...FILTERS].toSorted((one, other) => other.length - one.length)
  }

  /** For the visitor's context. Without motion: the lists slide in after the window has become wide. */
  readonly options: BrowserContextOptions = { locale: SLOT, serviceWorkers: 'block', reducedMotion: 'reduce' }

  /** Shows the page in the pseudo-locale from now on. */
  async begin({ page }: Visitor): Promise<void> {
    const body = await (this.#part ??= pseudoPart())
    await page
      .context()
      .route(`**/part-${SLOT}-*.js`, (route) => route.fulfill({ contentType: 'text/javascript', body }))
    await page.reload()
  }

  async look(visitor: Visitor, screen: string): Promise<void> {
    const { page } = visitor
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 })
      const found = await page.evaluate(faultsIn, this.names)
      this.faults.push(...found.map(({ text, why }) => `${screen}, ${width} px, ${why}: ${text}`))
      await shoot(visitor, `pseudo-${screen}-${width}`)
    }
    await page.setViewportSize({ width: WIDE, height: 800 })
  }
}
