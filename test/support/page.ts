import { expect, onTestFinished } from 'bun:test'
import { Storage } from 'happy-dom'
import type { Parley } from '../../src/parley.ts'
import { type Person, until } from './harness.ts'
import { fileChoosers } from './page/dom.ts'
import { press } from './page/input.ts'
import { Locator } from './page/locator.ts'
import { Network } from './page/network.ts'
import { type OpenWindow, openWindow, type PageWindow, type WindowOptions } from './page/window.ts'

const WIDE: WindowOptions = { width: 1280, height: 800, languages: ['en-GB', 'en'] }

/** A file that a test chooses, as playwright takes it. */
export interface ChosenFile {
  name: string
  mimeType: string
  buffer: Uint8Array
}

function giveFiles(input: HTMLInputElement, files: ChosenFile[]): void {
  const { Event } = input.ownerDocument.defaultView as PageWindow
  const value = files.map(({ name, mimeType, buffer }) => new File([buffer as BlobPart], name, { type: mimeType }))
  Object.defineProperty(input, 'files', { value, configurable: true })
  for (const kind of ['input', 'change']) input.dispatchEvent(new Event(kind, { bubbles: true }))
}

/**
 * A person's page without a browser: the real client in a window of happy-dom, with real requests and sockets to the
 * server of the test. Layout, focus rings, media, workers and other tabs need a browser (support/browser/visitor.ts,
 * whose words these are). It closes with the test.
 */
export class Page {
  readonly faults: string[] = []
  readonly #network: Network
  readonly #storages = {
    localStorage: new Storage() as globalThis.Storage,
    sessionStorage: new Storage() as globalThis.Storage,
  }
  #opened: OpenWindow | undefined
  /** Addresses that the page has opened in another tab. */
  readonly openedTabs: string[] = []

  private constructor(
    readonly parley: Pick<Parley, 'url'>,
    private readonly options: WindowOptions,
  ) {
    this.#network = new Network(parley)
    onTestFinished(() => this.close())
  }

  /** Opens a page without an account. */
  static async stranger(parley: Pick<Parley, 'url'>, path = '/', options: Partial<WindowOptions> = {}): Promise<Page> {
    const page = new Page(parley, { ...WIDE, ...options })
    await page.goto(path)
    return page
  }

  /** Opens a page logged in by the cookie. */
  static async as(who: Person, path = '/app', options: Partial<WindowOptions> = {}): Promise<Page> {
    const page = new Page(who.parley, { ...WIDE, ...options })
    page.#network.cookies.set('session', who.token)
    await page.goto(path)
    return page
  }

  /** Loads a page of the server, as the address bar does. */
  async goto(path: string): Promise<void> {
    const url = new URL(path, this.parley.url).href
    this.#opened?.close()
    const html = await this.#network.fetchFor(() => url)(url, { headers: { accept: 'text/html' } })
    this.#opened = await openWindow({
      ...this.options,
      url,
      html: await html.text(),
      network: this.#network,
      storages: this.#storages,
      leave: (to, how) => {
        const target = new URL(to, this.url()).href
        if (how === 'blank') this.openedTabs.push(target)
        else void this.goto(target)
      },
      onFault: (error) => this.faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    })
  }

  reload = (): Promise<void> => this.goto(this.url())

  get window(): PageWindow {
    return this.#current().window
  }
  #current = (): OpenWindow => {
    if (!this.#opened) throw new Error('The page is not open')
    return this.#opened
  }

  url = (): string => this.window.location.href
  title = (): string => this.window.document.title
  goBack = (): void => this.window.history.back()

  /** The whole page, in which the locators look. */
  readonly #root = new Locator(this.#current, () => [this.window.document.documentElement], 'the page')
  locator = this.#root.locator
  getByRole = this.#root.getByRole
  getByText = this.#root.getByText
  getByLabel = this.#root.getByLabel
  getByTitle = this.#root.getByTitle
  getByPlaceholder = this.#root.getByPlaceholder

  button = (name: string | RegExp): Locator => this.getByRole('button', { name })
  link = (name: string | RegExp): Locator => this.getByRole('link', { name })
  field = (name: string | RegExp): Locator => this.getByLabel(name)
  dialog = (name: string | RegExp): Locator => this.getByRole('dialog', { name })
  /** A message's row. */
  message = (text: string | RegExp): Locator => this.locator('.message', { hasText: text })
  composer = (): Locator => this.locator('.composer textarea')

  /** Does something by the menu of the message whose actions are shown. */
  async act(name: string): Promise<void> {
    await this.button('More actions').click()
    await this.getByRole('menuitem', { name }).click()
  }

  /** Does something by the menu that the name of the server opens. */
  async inServerMenu(name: string): Promise<void> {
    await this.locator('.server-name').click()
    await this.getByRole('menuitem', { name }).click()
  }

  async say(text: string): Promise<void> {
    await this.composer().fill(text)
    await this.composer().press('Enter')
  }

  /** Waits until the text or element is visible. */
  async sees(what: string | RegExp | Locator): Promise<void> {
    const locator = what instanceof Locator ? what : this.getByText(what).first()
    await locator.waitFor()
  }

  /** Waits until the element is gone. */
  misses = (what: Locator): Promise<void> => what.waitFor({ state: 'detached' })

  until = (condition: () => boolean | Promise<boolean>): Promise<void> => until(condition)

  keyboard = {
    press: async (combination: string): Promise<void> => {
      press(this.window.document, combination)
      await Bun.sleep(0)
    },
    type: async (text: string): Promise<void> => {
      for (const key of text) await this.keyboard.press(key === '\n' ? 'Enter' : key)
    },
  }

  /** Calls a function in the page; it must use nothing else but the window's globals and its argument. */
  async evaluate<A = undefined, T = unknown>(work: (input: A) => T, input?: A): Promise<Awaited<T>> {
    return await this.#current().evaluate(work as never, input)
  }

  /** Asks the page whether it may be left, as the browser does before a tab is closed. */
  mayLeave = (): boolean => {
    const { Event } = this.window
    return this.window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  }

  route: Network['route'] = (pattern, handler) => this.#network.route(pattern, handler)
  unroute = (): void => this.#network.unroute()

  /** Takes the page off the network, or brings it back. */
  setOffline(isOffline: boolean): void {
    this.#network.isOffline = isOffline
    const { Event, navigator } = this.window
    Object.defineProperty(navigator, 'onLine', { value: !isOffline, configurable: true })
    this.window.dispatchEvent(new Event(isOffline ? 'offline' : 'online'))
  }

  /** Resolves once the page asks for files. */
  fileChooser(): Promise<{ setFiles: (files: ChosenFile | ChosenFile[]) => Promise<void> }> {
    const { document } = this.window
    return new Promise((resolve) =>
      fileChoosers.set(document, (input) => {
        fileChoosers.delete(document)
        resolve({ setFiles: async (files) => giveFiles(input, [files].flat()) })
      }),
    )
  }

  /** Chooses files in a field. */
  async setFiles(field: Locator, files: ChosenFile | ChosenFile[]): Promise<void> {
    await field.apply((input) => giveFiles(input as HTMLInputElement, [files].flat()))
  }

  /** The text that the page has copied. */
  copied = (): Promise<string> => this.window.navigator.clipboard.readText()

  close(): void {
    this.#opened?.close()
    this.#opened = undefined
  }

  /** Closes the page, which had no faults. */
  async leave(): Promise<void> {
    expect(this.faults).toEqual([])
    this.close()
  }
}
