import { Document, Element, HTMLDialogElement, HTMLElement, HTMLInputElement } from 'happy-dom'

// Adds to happy-dom the parts of the DOM that the client and its tests need. All windows share these classes.

type Patch = Record<string, unknown>
const patch = (of: { prototype: unknown }, methods: Patch): void => {
  for (const [name, value] of Object.entries(methods))
    Object.defineProperty(of.prototype, name, { value, writable: true, configurable: true })
}

/** Marks an open popover: happy-dom knows no `:popover-open`. */
const OPEN_POPOVER = 'data-popover-open'
const withPopovers = (selector: string) => selector.replaceAll(':popover-open', `[${OPEN_POPOVER}]`)

/** Modal dialogs and popovers in the order in which they were opened. */
const topLayer: globalThis.Element[] = []
/** Input elements whose dialog of files the page has opened, with what waits for one. */
export const fileChoosers = new WeakMap<globalThis.Document, (input: globalThis.HTMLInputElement) => void>()

const isOpenModal = (element: globalThis.Element) =>
  element.isConnected && (element.hasAttribute(OPEN_POPOVER) || element.hasAttribute('open'))

/** The dialog that makes the rest of the page inert, and what was opened above it. */
export function topOf(document: globalThis.Document): globalThis.Element[] {
  const open = topLayer.filter((element) => element.ownerDocument === document && isOpenModal(element))
  const modal = open.findLastIndex((element) => element.localName === 'dialog')
  return modal < 0 ? [] : open.slice(modal)
}

/** The elements that Tab reaches. */
export const FOCUSABLE = [
  ...['button', 'input', 'textarea', 'select'].map((name) => `${name}:not(:disabled)`),
  'a[href]',
  'summary',
  '[tabindex]:not([tabindex="-1"])',
].join()

function enterTopLayer(element: globalThis.Element): void {
  const at = topLayer.findIndex((each) => each === element || !each.isConnected)
  if (at >= 0) topLayer.splice(at, 1)
  topLayer.push(element)
}

patch(HTMLDialogElement, {
  showModal(this: globalThis.HTMLDialogElement) {
    this.setAttribute('open', '')
    enterTopLayer(this)
    const target = this.querySelector<globalThis.HTMLElement>('[autofocus]') ?? this.querySelector(FOCUSABLE)
    ;(target as globalThis.HTMLElement | null)?.focus()
  },
})

const toggled = (element: globalThis.Element, newState: string) => {
  const { Event } = element.ownerDocument.defaultView as unknown as { Event: typeof globalThis.Event }
  element.dispatchEvent(Object.assign(new Event('toggle'), { newState }))
}

patch(HTMLElement, {
  showPopover(this: globalThis.HTMLElement) {
    this.setAttribute(OPEN_POPOVER, '')
    enterTopLayer(this)
    toggled(this, 'open')
  },
  hidePopover(this: globalThis.HTMLElement) {
    this.removeAttribute(OPEN_POPOVER)
    toggled(this, 'closed')
  },
  togglePopover(this: globalThis.HTMLElement) {
    if (this.hasAttribute(OPEN_POPOVER)) this.hidePopover()
    else this.showPopover()
  },
})

const { querySelector, querySelectorAll, matches, closest, getBoundingClientRect } = Element.prototype
type Rect = ReturnType<typeof getBoundingClientRect>
patch(Element, {
  querySelector(this: Element, selector: string) {
    return querySelector.call(this, withPopovers(selector))
  },
  querySelectorAll(this: Element, selector: string) {
    return querySelectorAll.call(this, withPopovers(selector))
  },
  matches(this: Element, selector: string) {
    return matches.call(this, withPopovers(selector))
  },
  closest(this: Element, selector: string) {
    return closest.call(this, withPopovers(selector))
  },
  // Without a layout everything fits into the window: a list is as high as it, its messages are at its top.
  getBoundingClientRect(this: Element): Rect {
    const rect = getBoundingClientRect.call(this)
    const { innerHeight = 0, innerWidth = 0 } = this.ownerDocument?.defaultView ?? {}
    const [width, height] = querySelector.call(this, '[data-id]') ? [innerWidth, innerHeight] : [1, 1]
    return Object.assign(rect, { width, height })
  },
  scrollIntoView() {},
  setPointerCapture() {},
  releasePointerCapture() {},
  hasPointerCapture: () => false,
})

const { querySelector: findFirst, querySelectorAll: findAll } = Document.prototype
patch(Document, {
  querySelector(this: Document, selector: string) {
    return findFirst.call(this, withPopovers(selector))
  },
  querySelectorAll(this: Document, selector: string) {
    return findAll.call(this, withPopovers(selector))
  },
  /** Edits the focused field, as the commands of editors do. */
  execCommand(this: Document, command: string, ...[, text = '']: [boolean, string?]) {
    const field = this.activeElement as unknown as globalThis.HTMLTextAreaElement | null
    if (!field || !['insertText', 'delete'].includes(command)) return false
    edit(field, command === 'delete' ? '' : text, command === 'delete' ? 'deleteContentBackward' : 'insertText')
    return true
  },
})

const { click } = HTMLElement.prototype
patch(HTMLInputElement, {
  click(this: HTMLInputElement) {
    const input = this as unknown as globalThis.HTMLInputElement
    const choose = input.type === 'file' ? fileChoosers.get(input.ownerDocument) : undefined
    if (choose) choose(input)
    else click.call(this)
  },
})

/** Replaces the selected text of a field, and says so. */
export function edit(
  field: globalThis.HTMLInputElement | globalThis.HTMLTextAreaElement,
  text: string,
  inputType = 'insertText',
): void {
  const { InputEvent } = field.ownerDocument.defaultView as unknown as { InputEvent: typeof globalThis.InputEvent }
  const [start, end] = [field.selectionStart ?? field.value.length, field.selectionEnd ?? field.value.length]
  field.value = field.value.slice(0, start) + text + field.value.slice(end)
  if (field.selectionStart !== null) field.setSelectionRange(start + text.length, start + text.length)
  field.dispatchEvent(new InputEvent('input', { bubbles: true, data: text, inputType }))
}
