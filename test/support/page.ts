import { expect, onTestFinished } from 'bun:test'
import type { Parley } from '../../src/parley.ts'
import { type Person, until } from './harness.ts'
import { fileChoosers } from './page/dom.ts'
import { type ChosenFile, giveFiles, press, reaction } from './page/input.ts'
import { asWritten } from './as-written.ts'
import { Locator } from './page/locator.ts'
import { Network } from './page/network.ts'
import { storageClass } from './page/storage.ts'
import { type OpenWindow, openWindow, type PageWindow, type WindowOptions } from './page/window.ts'

const WIDE: WindowOptions = { width: 1280, height: 800, languages: ['en-GB', 'en'] }

/** A page that waits longer for something is shown as it is. */
const SETTLED_MS_MAX = 15_000

/** A file that a page has saved. */
interface Download {
  name: string
  text: string
}

/**
 * A person's page without a browser: the real client in a window of happy-dom, with real requests and sockets to the
 * server of the test. Layout, focus rings, media, workers and other tabs need a browser: `Visitor`, which has the
 * same words. It closes with the test.
 */
export class Page {
  readonly faults: string[] = []
  readonly #network: Network
  readonly #storages: { Storage: new () => Storage; localStorage: Storage; sessionStorage: Storage }
  readonly #downloads: Download[] = []
  readonly #before: (() => void)[] = []
  #opened: OpenWindow | undefined
  /** Addresses that the page has opened in another tab. */
  readonly openedTabs: string[] = []

  private constructor(
    readonly parley: Pick<Parley, 'url'>,
    private readonly options: WindowOptions,
    sibling?: Page,
  ) {
    this.#network = new Network(parley, sibling && sibling.#network.cookies)
    const { Storage: OwnStorage = storageClass(), localStorage = new OwnStorage() } = sibling ? sibling.#storages : {}
    this.#storages = { Storage: OwnStorage, localStorage, sessionStorage: new OwnStorage() }
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

  /** Opens another tab of the same browser, which shares cookies and storage but hears nothing from this one. */
  async tab(path: string): Promise<Page> {
    const page = new Page(this.parley, this.options, this)
    await page.goto(path)
    return page
  }

  /** Loads a page of the server, as the address bar does. */
  async goto(path: string): Promise<void> {
    const url = new URL(path, this.parley.url).href
    const response = await this.#network.fetchFor(() => url)(url, { headers: { accept: 'text/html' } })
    const text = await response.text()
    const { 1: name } = /^attachment.*filename="([^"]*)"/.exec(response.headers.get('content-disposition') ?? '') ?? []
    if (name !== undefined) return void this.#downloads.push({ name, text })
    this.#opened?.close()
    this.#opened = await openWindow({
      ...this.options,
      before: this.#before,
      url,
      html: text,
      network: this.#network,
      storages: this.#storages,
      leave: (to, how) => {
        const target = new URL(to, this.url()).href
        if (how === 'blank') this.openedTabs.push(target)
        else void this.goto(target)
      },
      save: async (link) => {
        const saved = await fetch(link.href)
        this.#downloads.push({ name: link.download, text: await saved.text() })
      },
      onFault: (error) => this.faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    })
    await this.settle()
  }

  /** Waits until the page has everything that it has asked for. */
  async settle(): Promise<void> {
    const isSettled = async () => {
      // Answers lead to further requests.
      for (let turn = 0; turn < 3 && this.#network.isQuiet; turn++) await Bun.sleep(3)
      return this.#network.isQuiet
    }
    await until(isSettled, SETTLED_MS_MAX).catch(() => {})
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
  message = (text: string | RegExp): Locator => this.locator('.message', { hasText: asWritten(text) })
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
    const locator = what instanceof Locator ? what : this.getByText(asWritten(what)).first()
    await locator.waitFor()
  }

  /** Waits until the element is gone. */
  misses = (what: Locator): Promise<void> => what.waitFor({ state: 'detached' })

  until = (condition: () => boolean | Promise<boolean>): Promise<void> => until(condition)

  keyboard = {
    press: async (combination: string): Promise<void> => {
      press(this.window.document, combination)
      await reaction()
    },
    type: async (text: string): Promise<void> => {
      for (const key of text) await this.keyboard.press(key === '\n' ? 'Enter' : key)
    },
  }

  /** Calls a function in the page; it must use nothing else but the window's globals and its argument. */
  async evaluate<A = undefined, T = unknown>(work: (input: A) => T, input?: A): Promise<Awaited<T>> {
    return await this.#current().evaluate(work as never, input)
  }

  /** Runs a function in each page that is loaded from now on, before the client; see `evaluate`. */
  addInitScript(work: () => void): void {
    this.#before.push(work)
  }

  /** The cookies of the browser, by name. */
  get cookies(): Map<string, string> {
    return this.#network.cookies
  }

  waitForUrl = (pattern: RegExp): Promise<void> => until(() => pattern.test(this.url()))

  /** Asks the page whether it may be left, as the browser does before a tab is closed. */
  mayLeave = (): boolean => {
    const { Event } = this.window
    return this.window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  }

  route: Network['route'] = (pattern, handler) => this.#network.route(pattern, handler)
  answered: Network['answered'] = (pattern) => this.#network.answered(pattern)
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

  /** Waits for the next file that the page saves. */
  async download(): Promise<Download> {
    await until(() => this.#downloads.length > 0)
    return this.#downloads.shift() as Download
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
