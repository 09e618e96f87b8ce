import { computeAccessibleName, getRole } from 'dom-accessibility-api'

/** A text to look for: part of it in any case, or all of it with `exact`. */
export type Sought = string | RegExp

const flat = (text: string) =>
  text
    .replace(/[\u200b\u00ad]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
const fits = (text: string, sought: Sought, isExact = false): boolean => {
  if (sought instanceof RegExp) return sought.test(text)
  return isExact ? flat(text) === flat(sought) : flat(text).toLowerCase().includes(flat(sought).toLowerCase())
}

/** Hidden in a wide window by the style sheets, which no page of the tests loads. Source: layout.css, search.css. */
const HIDDEN = '[hidden], .narrow, .searching .members, dialog:not([open]), script, style, template, noscript'
/** In a wide window, layout shows this popover in its place. Source: menu.css. */
const CLOSED_POPOVER = '[popover]:not([data-popover-open], .tools)'

const hidesItself = (element: Element): boolean =>
  element.matches(HIDDEN) ||
  element.matches(CLOSED_POPOVER) ||
  (element as HTMLElement).style?.display === 'none' ||
  (element as HTMLElement).style?.visibility === 'hidden'

/** True if an element is part of the page and nothing around it hides it. Whether it lies in the window is unknown. */
export function isVisible(element: Element): boolean {
  if (!element.isConnected) return false
  for (let at: Element | null = element; at; at = at.parentElement) {
    if (hidesItself(at)) return false
    const { parentElement } = at
    if (parentElement?.localName === 'details' && !parentElement.hasAttribute('open') && at.localName !== 'summary')
      return false
  }
  return true
}

const isForReaders = (element: Element): boolean => isVisible(element) && !element.closest('[aria-hidden="true"]')

/** The styles that a name depends on, without a layout. */
const getComputedStyle = ((element: Element) => {
  const display = hidesItself(element) ? 'none' : INLINE.has(element.localName) ? 'inline' : 'block'
  const values: Record<string, string> = { display, visibility: 'visible', content: 'none' }
  return { ...values, getPropertyValue: (name: string) => values[name] ?? '' }
}) as unknown as typeof globalThis.getComputedStyle
const INLINE = new Set('a abbr b bdi code em i img kbd label mark small span strong svg time u'.split(' '))

export const nameOf = (element: Element): string =>
  flat(computeAccessibleName(element, { getComputedStyle, computedStyleSupportsPseudoElements: false }))

/** Elements that may have a role, so that not every name has to be computed. */
const CANDIDATES: Record<string, string> = {
  button: 'button, summary, input',
  checkbox: 'input',
  combobox: 'input, select',
  complementary: 'aside',
  dialog: 'dialog',
  figure: 'figure',
  form: 'form',
  group: 'fieldset, details, optgroup',
  heading: 'h1, h2, h3, h4, h5, h6',
  img: 'img, svg',
  link: 'a',
  list: 'ul, ol, menu',
  listbox: 'select',
  listitem: 'li',
  main: 'main',
  navigation: 'nav',
  option: 'option',
  progressbar: 'progress',
  radio: 'input',
  region: 'section',
  searchbox: 'input',
  slider: 'input',
  spinbutton: 'input',
  status: 'output',
  table: 'table',
  textbox: 'input, textarea',
}

export interface RoleOptions {
  name?: Sought
  exact?: boolean
  level?: number
  checked?: boolean
  expanded?: boolean
  pressed?: boolean
  selected?: boolean
  disabled?: boolean
}

const roleOf = (element: Element): string | null =>
  element.localName === 'svg' ? element.getAttribute('role') : getRole(element)

function hasState(element: Element, { checked, expanded, pressed, selected, disabled, level }: RoleOptions): boolean {
  const aria = (name: string) => element.getAttribute(`aria-${name}`) === 'true'
  const { checked: isTicked, selected: isChosen } = element as { checked?: boolean; selected?: boolean }
  const states: [boolean | undefined, boolean][] = [
    [checked, isTicked ?? aria('checked')],
    [expanded, aria('expanded') || element.parentElement?.matches('details[open]') === true],
    [pressed, aria('pressed')],
    [selected, isChosen ?? aria('selected')],
    [disabled, element.matches(':disabled') || aria('disabled')],
  ]
  if (level !== undefined && Number(element.getAttribute('aria-level') ?? element.localName.slice(1)) !== level)
    return false
  return states.every(([expected, is]) => expected === undefined || expected === is)
}

/** The elements below a root that have a role and, if given, an accessible name and states. */
export function byRole(root: ParentNode, role: string, options: RoleOptions = {}): Element[] {
  const selector = `[role~="${role}"]${CANDIDATES[role] ? `, ${CANDIDATES[role]}` : ''}`
  return [...root.querySelectorAll(selector)].filter(
    (element) =>
      roleOf(element) === role &&
      isForReaders(element) &&
      hasState(element, options) &&
      (options.name === undefined || fits(nameOf(element), options.name, options.exact)),
  )
}

/** The text of an element and all in it. */
export function textOf(element: Element): string {
  if (element.matches('script, style, noscript')) return ''
  if (element.matches('input[type=submit], input[type=button]')) return (element as HTMLInputElement).value
  let text = ''
  for (const node of element.childNodes)
    text += node.nodeType === 3 ? (node.textContent ?? '') : node.nodeType === 1 ? textOf(node as Element) : ''
  return text
}

/** The text of an element with a space around each block in it: two buttons in two lines are not one word. */
function spacedTextOf(element: Element): string {
  if (element.childElementCount === 0 || element.matches('script, style, noscript')) return textOf(element)
  let text = ''
  for (const node of element.childNodes) {
    if (node.nodeType === 3) text += node.textContent ?? ''
    if (node.nodeType !== 1) continue
    const inner = spacedTextOf(node as Element)
    text += INLINE.has((node as Element).localName) ? inner : ` ${inner} `
  }
  return text
}

/** Runs of text that stand directly in an element. */
function ownTexts(element: Element): string[] {
  const runs = ['']
  for (const node of element.childNodes)
    if (node.nodeType === 3) runs.push(`${runs.pop() ?? ''}${node.textContent ?? ''}`)
    else if (node.nodeType === 1) runs.push('')
  return runs
}

/** The innermost elements below a root whose text fits; with `isExact`, those in which just this text stands. */
export function byText(root: ParentNode, sought: Sought, isExact = false): Element[] {
  const found: Element[] = []
  const isIn = (element: Element) =>
    isExact && typeof sought === 'string'
      ? ownTexts(element).some((run) => run !== '' && fits(run, sought, true))
      : fits(spacedTextOf(element), sought)
  /** Searches an element. @returns whether it or something in it fits */
  const visit = (element: Element): boolean => {
    if (element.matches('script, style, noscript, head')) return false
    const at = found.length
    const isInside = [...element.children].map(visit).includes(true)
    if (!isIn(element)) return isInside
    if (isExact || !isInside) found.splice(at, 0, element)
    return true
  }
  for (const child of root.children) visit(child)
  return found
}

function labelsOf(element: Element): string[] {
  const ids = element.getAttribute('aria-labelledby')?.split(/\s+/) ?? []
  const named = ids.flatMap((id) => element.ownerDocument.getElementById(id) ?? [])
  if (named.length > 0) return named.map(textOf)
  const label = element.getAttribute('aria-label')
  if (label?.trim()) return [label]
  const { labels } = element as { labels?: ArrayLike<Element> | null }
  return Array.from(labels ?? [], textOf)
}

/** The fields, and other elements, with a label that fits. */
export const byLabel = (root: ParentNode, sought: Sought, isExact = false): Element[] =>
  [
    ...root.querySelectorAll(
      'input, textarea, select, button, output, meter, progress, [aria-label], [aria-labelledby]',
    ),
  ]
    .filter((element) => element.getAttribute('type') !== 'hidden')
    .filter((element) => labelsOf(element).some((text) => fits(text, sought, isExact)))

/** Elements with an attribute that fits. */
export const byAttribute = (root: ParentNode, attribute: string, sought: Sought, isExact = false): Element[] =>
  [...root.querySelectorAll(`[${attribute}]`)].filter((element) =>
    fits(element.getAttribute(attribute) ?? '', sought, isExact),
  )

export const hasText = (element: Element, sought: Sought): boolean => fits(spacedTextOf(element), sought)
