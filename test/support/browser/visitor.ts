import { afterAll, expect, test } from 'bun:test'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import type { Parley } from '../../../src/parley.ts'
import { type Person, until } from '../harness.ts'
import { asWritten } from '../as-written.ts'
import { HANG_MS } from '../until.ts'
import { BROWSER_MS, launchChromium } from './chromium.ts'

/** After this time, ms, an element is looked for again that was not the only one. */
const AGAIN_MS = 50
/** How long a browser may take to close, ms. One that hangs is left to the reaper. */
const CLOSING_MS_MAX = 10_000
/** The browser that runs now in place of one that a test file opened, and how to start another. */
const running = new Map<Browser, { browser: Browser; launch: () => Promise<Browser> }>()

/** The browser that runs in place of one that a test file opened. */
export const runningFor = (browser: Browser): Browser => running.get(browser)?.browser ?? browser

const close = (browser: Browser) => Promise.race([browser.close(), Bun.sleep(CLOSING_MS_MAX)])

/** Starts a browser for a test file, and closes it after the tests. Without the browser, the tests are skipped. */
export async function openBrowser(launch: () => Promise<Browser> = launchChromium): Promise<Browser | undefined> {
  try {
    const browser = await launch()
    const now = { browser, launch }
    running.set(browser, now)
    afterAll(() => close(now.browser))
    return browser
  } catch (error) {
    console.error(`SKIPPED, every test of the web client in this file: ${(error as Error).message}`)
    return undefined
  }
}

/**
 * A test that needs a browser. If it fails, the next one gets another browser: pages that are left in a call keep the
 * processor busy, and a browser that hangs would fail every test after it.
 */
export const browserTest = (browser: Browser | undefined, claim: string, run: (browser: Browser) => Promise<void>) =>
  test.skipIf(browser === undefined)(
    claim,
    async () => {
      const now = running.get(browser as Browser)
      visitors.clear()
      if (!now) return run(browser as Browser)
      try {
        await run(now.browser)
      } catch (error) {
        for (const visitor of visitors) console.error('a page of the failed test:', await glanceAt(visitor))
        await close(now.browser)
        now.browser = await now.launch()
        throw error
      }
    },
    BROWSER_MS,
  )

/** The visitors of the running test. */
const visitors = new Set<Visitor>()
/** A page that takes longer to answer, ms, hangs. */
const GLANCE_MS_MAX = 5_000

/** The state of a page, for the report of a failed test. */
const glanceAt = ({ page, faults }: Visitor): Promise<unknown> =>
  Promise.race([
    page
      .evaluate(() => ({
        path: location.pathname,
        focus: document.activeElement?.outerHTML.slice(0, 200),
        dialogs: [...document.querySelectorAll('dialog[open], .menu')].map(({ ariaLabel }) => ariaLabel),
        text: document.body.innerText.replaceAll('\n', ' | ').slice(0, 1_000),
      }))
      .then((seen) => ({ ...seen, faults }), String),
    Bun.sleep(GLANCE_MS_MAX).then(() => 'does not answer'),
  ])

/** Refused requests and cut sockets, which Chromium and Firefox log among the errors: they are none of the page. */
const NETWORK =
  /Failed to load (?:resource|‘)|WebSocket|^Firefox can’t establish|error loading dynamically imported module/

/**
 * Waits until one element is in this state. playwright fails at once if there are several, but a page that changes may
 * show two for a moment, such as the rows of the last search with those of the next.
 */
async function reaches(locator: Locator, state: 'visible' | 'detached'): Promise<void> {
  const deadline = performance.now() + HANG_MS
  for (;;)
    try {
      return await locator.waitFor({ state, timeout: Math.max(1, deadline - performance.now()) })
    } catch (error) {
      if (!String(error).includes('strict mode violation') || performance.now() > deadline) throw error
      await Bun.sleep(AGAIN_MS)
    }
}

/** A person's page, and the errors in it. */
export class Visitor {
  readonly faults: string[] = []

  private constructor(
    readonly page: Page,
    readonly parley: Parley,
  ) {
    visitors.add(this)
    page.setDefaultTimeout(HANG_MS)
    page.on('pageerror', (error) => this.#note(error.stack ?? error.message))
    page.on('console', (message) => message.type() === 'error' && this.#note(message.text()))
  }

  #note(fault: string): void {
    if (!NETWORK.test(fault)) this.faults.push(fault)
  }

  /** Opens a page without an account. */
  static async stranger(browser: Browser, parley: Parley, path = '/', options: BrowserContextOptions = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB', ...options })
    const visitor = new Visitor(await context.newPage(), parley)
    await visitor.page.goto(parley.url + path)
    return visitor
  }

  /**
   * Opens a page logged in by the cookie.
   * @param script runs in the page before its own
   */
  static async as(
    browser: Browser,
    who: Person,
    path = '/app',
    options: BrowserContextOptions = {},
    script?: () => unknown,
  ) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB', ...options })
    await context.addCookies([{ name: 'session', value: who.token, url: who.parley.url, httpOnly: true }])
    const visitor = new Visitor(await context.newPage(), who.parley)
    if (script) await visitor.page.addInitScript(script)
    await visitor.page.goto(who.parley.url + path)
    return visitor
  }

  /** Opens another tab of the same browser. */
  async tab(path: string): Promise<Visitor> {
    const visitor = new Visitor(await this.page.context().newPage(), this.parley)
    await visitor.page.goto(this.parley.url + path)
    return visitor
  }

  button = (name: string | RegExp): Locator => this.page.getByRole('button', { name })
  link = (name: string | RegExp): Locator => this.page.getByRole('link', { name })
  field = (name: string | RegExp): Locator => this.page.getByLabel(name)
  /** A message's row. */
  message = (text: string | RegExp): Locator => this.page.locator('.message', { hasText: asWritten(text) })
  /** Does something by the menu of the message whose actions are shown. */
  async act(name: string): Promise<void> {
    await this.button('More actions').click()
    await this.page.getByRole('menuitem', { name }).click()
  }

  /** Waits for a part of the client that loads late. @param part the name of its module */
  loads = (part: string): Promise<void> =>
    this.until(() =>
      this.page.evaluate(async (beginning) => {
        const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
        const file = loaded.find((name) => name.includes(beginning))
        return file !== undefined && (await import(file)) !== undefined
      }, `/part-${part}-`),
    )
  /** Waits until the page opens menus by right click, long press and key: that code loads after the page is drawn. */
  opensMenus = (): Promise<void> => this.loads('start')

  /** Presses long on a message with a finger, and does something by the sheet that opens. */
  async hold(text: string | RegExp, name: string): Promise<void> {
    await this.opensMenus()
    // On its text: the middle of the row may be on the name above, which opens a profile.
    await this.message(text).locator('.body').first().tap()
    await this.message(text).dispatchEvent('contextmenu')
    await this.page.getByRole('menuitem', { name }).tap()
  }

  /** Does something by the menu that the name of the server opens. */
  async inServerMenu(name: string): Promise<void> {
    await this.page.locator('.server-name').click()
    await this.page.getByRole('menuitem', { name }).click()
  }

  composer = (): Locator => this.page.locator('.composer textarea')

  async say(text: string): Promise<void> {
    await this.composer().fill(text)
    await this.composer().press('Enter')
  }

  /** Waits until the text or element is visible. */
  async sees(what: string | RegExp | Locator): Promise<void> {
    const locator = typeof what === 'string' || what instanceof RegExp ? this.page.getByText(what).first() : what
    await reaches(locator, 'visible')
  }

  /** Waits until the element is gone. */
  async misses(what: Locator): Promise<void> {
    await reaches(what, 'detached')
  }

  until = (condition: () => Promise<boolean>): Promise<void> => until(condition)

  async leave(): Promise<void> {
    expect(this.faults).toEqual([])
    visitors.delete(this)
    await this.page.context().close()
  }
}
