import { HANG_MS, until } from '../until.ts'
import { topOf } from './dom.ts'
import { choose, click, fill, hover, press, type ChosenFile, giveFiles, type PointerKind, reaction } from './input.ts'
import {
  byAttribute,
  byLabel,
  byRole,
  byText,
  hasText,
  isVisible,
  type RoleOptions,
  type Sought,
  textOf,
} from './queries.ts'
import type { OpenWindow } from './window.ts'

interface Filter {
  hasText?: Sought
  hasNotText?: Sought
  has?: Locator
  hasNot?: Locator
}
interface TextOptions {
  exact?: boolean
}

const labelOf = (option: HTMLOptionElement) => option.label || textOf(option).trim()

/** Elements of a page, looked up anew at each use. A use that needs one element fails if there are several. */
export class Locator {
  constructor(
    private readonly opened: () => OpenWindow,
    private readonly find: () => Element[],
    private readonly description: string,
  ) {}

  #within(find: (root: Element) => Element[], description: string): Locator {
    const found = () => [...new Set(this.find().flatMap(find))]
    return new Locator(this.opened, found, `${this.description} › ${description}`)
  }

  #filtered(isKept: (element: Element, at: number, all: Element[]) => boolean, description: string): Locator {
    return new Locator(this.opened, () => this.find().filter(isKept), `${this.description}, ${description}`)
  }

  locator = (selector: string, filter: Filter = {}): Locator =>
    this.#within((root) => [...root.querySelectorAll(selector)], selector).filter(filter)
  getByRole = (role: string, options: RoleOptions = {}): Locator =>
    this.#within((root) => byRole(root, role, options), `${role} ${String(options.name ?? '')}`)
  getByText = (text: Sought, { exact }: TextOptions = {}): Locator =>
    this.#within((root) => byText(root, text, exact), `text ${String(text)}`)
  getByLabel = (text: Sought, { exact }: TextOptions = {}): Locator =>
    this.#within((root) => byLabel(root, text, exact), `label ${String(text)}`)
  getByTitle = (text: Sought, { exact }: TextOptions = {}): Locator =>
    this.#within((root) => byAttribute(root, 'title', text, exact), `title ${String(text)}`)
  getByAltText = (text: Sought, { exact }: TextOptions = {}): Locator =>
    this.#within((root) => byAttribute(root, 'alt', text, exact), `alt ${String(text)}`)
  getByPlaceholder = (text: Sought, { exact }: TextOptions = {}): Locator =>
    this.#within((root) => byAttribute(root, 'placeholder', text, exact), `placeholder ${String(text)}`)

  filter(filter: Filter): Locator {
    if (Object.keys(filter).length === 0) return this
    const { hasText: text, hasNotText: noText, has, hasNot } = filter
    return this.#filtered(
      (element) =>
        (text === undefined || hasText(element, text)) &&
        (noText === undefined || !hasText(element, noText)) &&
        (!has || has.find().some((inner) => inner !== element && element.contains(inner))) &&
        (!hasNot || !hasNot.find().some((inner) => inner !== element && element.contains(inner))),
      `with ${String(text ?? noText ?? 'such content')}`,
    )
  }

  first = (): Locator => this.nth(0)
  last = (): Locator => this.nth(-1)
  nth = (at: number): Locator =>
    new Locator(this.opened, () => this.find().slice(at, at + 1 || undefined), `${this.description}, the ${at}th`)
  all = async (): Promise<Locator[]> => this.find().map((_, at) => this.nth(at))
  count = async (): Promise<number> => this.find().length

  /** Waits for the only element. */
  async #one(isReady: (element: Element) => boolean = () => true, ms = HANG_MS): Promise<Element> {
    let found: Element[] = []
    const isOne = () => {
      found = this.find()
      if (found.length > 1) throw new Error(`${this.description}: there are ${found.length}, not one`)
      return found[0] !== undefined && isReady(found[0])
    }
    await until(isOne, ms).catch((error: Error) => {
      const { document } = this.opened().window
      const visiblePart = document.querySelector('dialog[open]') ?? document.body
      const text = visiblePart.textContent?.replace(/\s+/g, ' ').slice(0, 2_000)
      const state = found[0] ? 'not ready' : 'not there'
      throw new Error(`${this.description}: ${state}. ${error.message} The page says: ${text}`)
    })
    return found[0] as Element
  }

  /** Waits until a person could use the element: it is visible, enabled, and no dialog is in front of it. */
  #usable = (): Promise<Element> =>
    this.#one((element) => {
      const top = topOf(element.ownerDocument)
      const isBehind = top.length > 0 && !top.some((each) => each.contains(element))
      return isVisible(element) && !isBehind && !element.matches(':disabled')
    })

  /** Does something, and lets the page react to it. */
  async #act(work: (element: Element) => void): Promise<void> {
    const element = await this.#usable()
    work(element)
    await reaction()
  }

  click = (options: { button?: 'left' | 'right'; modifiers?: string[] } = {}): Promise<void> =>
    this.#act((element) =>
      click(element, {
        button: options.button === 'right' ? 2 : 0,
        ctrlKey: options.modifiers?.includes('Control') ?? false,
        shiftKey: options.modifiers?.includes('Shift') ?? false,
      }),
    )
  dblclick = (): Promise<void> =>
    this.#act((element) => {
      for (const detail of [1, 2]) click(element, { detail })
      const { MouseEvent } = this.opened().window
      element.dispatchEvent(new MouseEvent('dblclick', { bubbles: true, cancelable: true, detail: 2 }))
    })
  tap = (): Promise<void> => this.#act((element) => click(element, { pointerType: 'touch' as PointerKind }))
  hover = (): Promise<void> => this.#act((element) => hover(element))
  focus = (): Promise<void> => this.#act((element) => (element as HTMLElement).focus())
  blur = (): Promise<void> => this.#act((element) => (element as HTMLElement).blur())
  fill = (text: string): Promise<void> => this.#act((element) => fill(element as HTMLInputElement, text))

  setInputFiles = (files: ChosenFile | ChosenFile[]): Promise<void> =>
    this.apply((element) => giveFiles(element as HTMLInputElement, [files].flat()))

  async press(combination: string): Promise<void> {
    await this.focus()
    press(this.opened().window.document, combination)
    await reaction()
  }

  /** Types the text key by key. */
  async pressSequentially(text: string): Promise<void> {
    await this.focus()
    for (const key of text) {
      press(this.opened().window.document, key === '\n' ? 'Enter' : key)
      await reaction()
    }
  }

  async setChecked(isChecked: boolean): Promise<void> {
    await this.#act((element) => (element as HTMLInputElement).checked === isChecked || click(element))
    await until(async () => (await this.isChecked()) === isChecked)
  }
  check = (): Promise<void> => this.setChecked(true)
  uncheck = (): Promise<void> => this.setChecked(false)

  /** Chooses an option by its label or value. */
  async selectOption(choice: string | { label: string } | { value: string } | { index: number }): Promise<void> {
    const isIt = (option: HTMLOptionElement, at: number) => {
      if (typeof choice === 'string') return option.value === choice || labelOf(option) === choice
      if ('index' in choice) return at === choice.index
      return 'label' in choice ? labelOf(option) === choice.label : option.value === choice.value
    }
    const select = await this.#usable()
    await until(() => choose(select as HTMLSelectElement, isIt))
    await reaction()
  }

  /** Does something with the only element, visible or not. */
  async apply(work: (element: Element) => void): Promise<void> {
    work(await this.#one())
    await reaction()
  }

  async dispatchEvent(type: string, init: object = {}): Promise<void> {
    const element = await this.#one()
    const { window } = this.opened()
    const kind = type.startsWith('pointer') || type === 'contextmenu' ? window.PointerEvent : window.Event
    const event = new kind(type, { bubbles: true, cancelable: true, composed: true })
    for (const [name, value] of Object.entries(init)) Object.defineProperty(event, name, { value })
    element.dispatchEvent(event)
    await reaction()
  }

  inputValue = async (): Promise<string> => ((await this.#one()) as HTMLInputElement).value
  textContent = async (): Promise<string> => (await this.#one()).textContent ?? ''
  innerText = async (): Promise<string> => textOf(await this.#one())
  getAttribute = async (name: string): Promise<string | null> => (await this.#one()).getAttribute(name)
  allTextContents = async (): Promise<string[]> => this.find().map((element) => element.textContent ?? '')
  allInnerTexts = async (): Promise<string[]> => this.find().map(textOf)
  isChecked = async (): Promise<boolean> => {
    const element = (await this.#one()) as HTMLInputElement
    return element.checked ?? element.getAttribute('aria-checked') === 'true'
  }
  isDisabled = async (): Promise<boolean> => (await this.#one()).matches(':disabled')
  isEnabled = async (): Promise<boolean> => !(await this.isDisabled())
  isVisible = async (): Promise<boolean> => this.find().some(isVisible)
  isFocused = async (): Promise<boolean> => {
    const element = await this.#one()
    return element.ownerDocument.activeElement === element
  }

  /** Calls a function with the element; it must use nothing else but the window's globals and its argument. */
  async evaluate<E extends Element = HTMLElement, A = undefined, T = unknown>(
    work: (element: E, input: A) => T,
    input?: A,
  ): Promise<Awaited<T>> {
    const element = await this.#one()
    return await this.opened().evaluate(work as never, element, input)
  }
  async evaluateAll<T>(work: (elements: HTMLElement[]) => T): Promise<Awaited<T>> {
    return await this.opened().evaluate(work as never, this.find())
  }

  /** Waits until the only element is visible, or there is none. */
  async waitFor({ state = 'visible', timeout = HANG_MS } = {}): Promise<void> {
    if (state === 'visible') return void (await this.#one(isVisible, timeout))
    const isGone = () => (state === 'detached' ? this.find().length === 0 : !this.find().some(isVisible))
    await until(isGone, timeout).catch((error: Error) => {
      throw new Error(`${this.description}: still there. ${error.message}`)
    })
  }
}
