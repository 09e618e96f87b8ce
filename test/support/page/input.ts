import { edit, FOCUSABLE, topOf } from './dom.ts'
import type { PageWindow } from './window.ts'

// The pointer and the keyboard, as a browser handles them: events first; then the default, unless the page prevents it.

type Field = HTMLInputElement | HTMLTextAreaElement
const UNTYPED = ['button', 'checkbox', 'color', 'file', 'image', 'radio', 'range', 'reset', 'submit']
const isField = (element: Element | null): element is Field =>
  element?.localName === 'textarea' || (element?.localName === 'input' && !UNTYPED.includes((element as Field).type))

const windowOf = (element: Element) => element.ownerDocument.defaultView as unknown as PageWindow
const changed = new WeakSet<Element>()

/** Fires `change` for a field whose value the person has changed. */
function commit(element: Element | null): void {
  if (!element || !changed.delete(element)) return
  element.dispatchEvent(new (windowOf(element).Event)('change', { bubbles: true }))
}

/** Notes that the person has changed a field, which commits it when it loses the focus. */
function noteChange(field: Field): void {
  if (!changed.has(field)) field.addEventListener('blur', () => commit(field), { once: true })
  changed.add(field)
}

/** As long as a frame of a page. */
const TURN_MS = 2
/** A frame, the effects that it leads to, and what they change. */
const TURNS = 3

/**
 * Lets the page render after an input, as it does long before a person's next one. Each turn begins after the one before
 * it: after a pause of this process, timers of the page that are due come first.
 */
export async function reaction(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await Bun.sleep(TURN_MS)
}

export type PointerKind = 'mouse' | 'touch'
interface Modifiers {
  ctrlKey?: boolean
  shiftKey?: boolean
  altKey?: boolean
  metaKey?: boolean
}
interface ClickOptions extends Modifiers {
  button?: number
  pointerType?: PointerKind
  detail?: number
}

const fire = (element: Element, type: string, init: PointerEventInit): boolean => {
  const { PointerEvent } = windowOf(element)
  return element.dispatchEvent(new PointerEvent(type, init))
}

const pointed = (options: ClickOptions): PointerEventInit => ({
  bubbles: true,
  cancelable: true,
  composed: true,
  isPrimary: true,
  pointerId: 1,
  pointerType: 'mouse',
  clientX: 1,
  clientY: 1,
  ...options,
})

/** The elements under the pointer of each window. */
const under = new WeakMap<Document, Element>()

/** Moves the pointer onto an element. */
export function hover(element: Element, options: ClickOptions = {}): void {
  const { ownerDocument: document } = element
  const before = under.get(document)
  if (before === element) return void fire(element, 'pointermove', pointed(options))
  under.set(document, element)
  const around = (at: Element | null): Element[] => (at ? [at, ...around(at.parentElement)] : [])
  const [left, entered] = [before?.isConnected ? around(before) : [], around(element)]
  for (const kind of ['pointer', 'mouse']) {
    if (left[0]) fire(left[0], `${kind}out`, { ...pointed(options), relatedTarget: element })
    for (const each of left.filter((at) => !entered.includes(at)))
      fire(each, `${kind}leave`, { ...pointed(options), bubbles: false, relatedTarget: element })
    fire(element, `${kind}over`, pointed(options))
    for (const each of entered.filter((at) => !left.includes(at)).toReversed())
      fire(each, `${kind}enter`, { ...pointed(options), bubbles: false })
    fire(element, `${kind}move`, pointed(options))
  }
}

/** Presses and releases a button of the pointer on an element. */
export function click(element: Element, options: ClickOptions = {}): void {
  hover(element, options)
  const { ownerDocument: document } = element
  const { button = 0 } = options
  fire(element, 'pointerdown', pointed({ ...options, button }))
  if (fire(element, 'mousedown', pointed({ ...options, button }))) {
    const target = element.closest<HTMLElement>(`${FOCUSABLE}, [tabindex], label, dialog`)
    if (!target) (document.activeElement as HTMLElement | null)?.blur()
    else if (target.localName !== 'label') target.focus()
  }
  if (!element.isConnected) return
  fire(element, 'pointerup', pointed({ ...options, button }))
  fire(element, 'mouseup', pointed({ ...options, button }))
  if (button === 2) return void fire(element, 'contextmenu', pointed({ ...options, button }))
  if (element.isConnected) fire(element, 'click', pointed({ detail: 1, ...options, button }))
  togglePopover(element)
}

function togglePopover(element: Element): void {
  const id = element.closest('[popovertarget]')?.getAttribute('popovertarget')
  if (id) element.ownerDocument.getElementById(id)?.togglePopover()
}

/** Replaces the content of a field. */
export function fill(field: Field, text: string): void {
  field.focus()
  field.select()
  noteChange(field)
  if (field.selectionStart === null) field.value = ''
  edit(field, text)
}

const CODES: Record<string, string> = { ' ': 'Space', Escape: 'Escape', Enter: 'Enter' }
const codeOf = (key: string) => CODES[key] ?? (/^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : key)

/** Presses a key with modifiers, such as `Control+Shift+k`, where the focus is. */
export function press(document: Document, combination: string): void {
  const parts = combination === '+' ? ['+'] : combination.split('+')
  const name = parts.pop() ?? ''
  const key = name === 'Space' ? ' ' : name
  const has = (modifier: string) => parts.includes(modifier)
  const modifiers = { ctrlKey: has('Control'), shiftKey: has('Shift'), altKey: has('Alt'), metaKey: has('Meta') }
  const target = () => document.activeElement ?? document.body
  const init = { key, code: codeOf(key), bubbles: true, cancelable: true, composed: true, ...modifiers }
  const { KeyboardEvent } = document.defaultView as unknown as PageWindow
  const element = target()
  if (element.dispatchEvent(new KeyboardEvent('keydown', init))) perform(document, element, key, modifiers)
  target().dispatchEvent(new KeyboardEvent('keyup', init))
}

/** Does what a browser does for a key that the page has left to it. */
function perform(document: Document, element: Element, key: string, modifiers: Modifiers): void {
  const { ctrlKey, altKey, metaKey, shiftKey } = modifiers
  if (key === 'Tab') return moveFocus(document, shiftKey ? -1 : 1)
  if (key === 'Escape') return cancel(document)
  if (ctrlKey && key === 'a' && isField(element)) return element.select()
  if (ctrlKey || altKey || metaKey) return
  if (key === 'Enter') return enter(element)
  if (key === ' ' && element.matches('button, summary, [type=checkbox], [type=radio]'))
    return void (element as HTMLElement).click()
  if (element.matches('[type=radio]') && key.startsWith('Arrow')) return chooseNext(element as HTMLInputElement, key)
  if (element.localName === 'select' && key.startsWith('Arrow')) return moveChoice(element as HTMLSelectElement, key)
  if (isField(element)) type(element, key)
}

function type(field: Field, key: string): void {
  const [start, end] = [field.selectionStart ?? field.value.length, field.selectionEnd ?? field.value.length]
  const caret: Record<string, number> = { ArrowLeft: start - 1, ArrowRight: end + 1, Home: 0, End: field.value.length }
  if (caret[key] !== undefined) {
    const at = Math.max(0, Math.min(field.value.length, caret[key]))
    return field.setSelectionRange(at, at)
  }
  if (key === 'Backspace' || key === 'Delete') {
    if (start === end && key === 'Delete') field.setSelectionRange(start, start + 1)
    else if (start === end) field.setSelectionRange(Math.max(0, start - 1), start)
    noteChange(field)
    edit(field, '', key === 'Delete' ? 'deleteContentForward' : 'deleteContentBackward')
  } else if ([...key].length === 1) {
    noteChange(field)
    edit(field, key)
  }
}

function enter(element: Element): void {
  if (element.localName === 'textarea') {
    noteChange(element as HTMLTextAreaElement)
    return edit(element as HTMLTextAreaElement, '\n', 'insertLineBreak')
  }
  if (element.matches('button, a[href], summary')) return void (element as HTMLElement).click()
  if (element.localName !== 'input') return
  commit(element)
  const { form } = element as HTMLInputElement
  const submit = form?.querySelector<HTMLButtonElement>('button:not([type=button], [type=reset]), [type=submit]')
  if (submit) submit.click()
  else form?.requestSubmit()
}

function moveFocus(document: Document, step: 1 | -1): void {
  const [scope = document.body] = topOf(document)
  const all = [...scope.querySelectorAll<HTMLElement>(FOCUSABLE)]
  const at = all.indexOf(document.activeElement as HTMLElement)
  all.at((at + step) % all.length)?.focus()
}

/** Escape: asks the topmost dialog or popover to close. */
function cancel(document: Document): void {
  const top = topOf(document).findLast(({ localName }) => localName === 'dialog') as HTMLDialogElement | undefined
  if (!top) return
  const { Event } = windowOf(top)
  if (top.dispatchEvent(new Event('cancel', { cancelable: true }))) top.close()
}

function chooseNext(radio: HTMLInputElement, key: string): void {
  const group = [...(radio.form ?? radio.ownerDocument).querySelectorAll<HTMLInputElement>('[type=radio]')]
  const same = group.filter(({ name, disabled }) => name === radio.name && !disabled)
  const step = key === 'ArrowDown' || key === 'ArrowRight' ? 1 : -1
  const next = same.at((same.indexOf(radio) + step) % same.length)
  next?.focus()
  next?.click()
}

function moveChoice(select: HTMLSelectElement, key: string): void {
  const at = select.selectedIndex + (key === 'ArrowDown' || key === 'ArrowRight' ? 1 : -1)
  choose(select, (_, nth) => nth === at)
}

/** Chooses the first option that fits. @returns whether there is one */
export function choose(select: HTMLSelectElement, isIt: (option: HTMLOptionElement, at: number) => boolean): boolean {
  const at = [...select.options].findIndex(isIt)
  if (at < 0) return false
  select.focus()
  select.selectedIndex = at
  const { Event } = windowOf(select)
  for (const kind of ['input', 'change']) select.dispatchEvent(new Event(kind, { bubbles: true }))
  return true
}

/** A file that a test chooses, as playwright takes it. */
export interface ChosenFile {
  name: string
  mimeType: string
  buffer: Uint8Array
}

/** Chooses files in a field. */
export function giveFiles(input: HTMLInputElement, files: ChosenFile[]): void {
  const { Event } = windowOf(input)
  const value = files.map(({ name, mimeType, buffer }) => new File([buffer as BlobPart], name, { type: mimeType }))
  Object.defineProperty(input, 'files', { value, configurable: true })
  for (const kind of ['input', 'change']) input.dispatchEvent(new Event(kind, { bubbles: true }))
}
