import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { BROWSER_MS, launchChromium } from '../test/support/browser/chromium.ts'
import { cpuMicroseconds } from './processes.ts'
import type { Person } from './seed.ts'
import type {} from './voice-page.ts'

const BETWEEN_MS = 150
/** Time for the bandwidth of the cameras to settle, ms. */
const SETTLE_MS = 5_000

/** Two people in a browser page each, who call each other. */
export interface CallPair {
  /** The first joins, then the second. @returns ms until the second hears the first, and the route of the sound */
  call(channelId: number, isRelayOnly: boolean): Promise<{ ms: number; way: string }>
  /**
   * Both join and turn their cameras on, and talk.
   * @returns processor time of all of Chromium meanwhile, % of a core
   */
  talk(channelId: number, seconds: number): Promise<number>
  close(): Promise<void>
}

/** Builds and serves the page. */
async function servePage() {
  const entrypoints = [join(import.meta.dir, 'voice-page.ts')]
  const page = await Bun.build({ entrypoints, target: 'browser', splitting: true })
  // Workers are not modules, so they share no part with the page.
  const source = join(import.meta.dir, '../src/web/voice/sealing/frame-worker.ts')
  const worker = await Bun.build({ entrypoints: [source], target: 'browser' })
  const outputs = [...page.outputs, ...worker.outputs]
  const files = new Map(
    await Promise.all(outputs.map(async (file) => [basename(file.path), await file.text()] as const)),
  )
  return Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch({ url }) {
      const script = files.get(basename(new URL(url).pathname))
      return script === undefined
        ? new Response('<!doctype html><script type="module" src="/voice-page.js"></script>', {
            headers: { 'content-type': 'text/html' },
          })
        : new Response(script, { headers: { 'content-type': 'text/javascript' } })
    },
  })
}

async function openPage(browser: Browser, site: string, gatewayUrl: string, isSealed = false): Promise<Page> {
  const page = await browser.newPage()
  page.setDefaultTimeout(BROWSER_MS)
  await page.goto(site)
  await page.waitForFunction('globalThis.partner !== undefined')
  const args = [gatewayUrl, isSealed] as const
  await page.evaluate(([url, isOn]) => globalThis.partner.connect(url, isOn), args)
  return page
}

/** A member of a call in a separate browser, who watches. */
export interface Viewer {
  watch(channelId: number, height: number): Promise<void>
  /** Processor time of the browser's processes so far, microseconds. */
  spent(): number
  /** Pictures decoded so far. */
  pictures(): Promise<number>
  close(): Promise<void>
}

export async function openViewer(gatewayUrl: string): Promise<Viewer> {
  const site = await servePage()
  const browser = await launchChromium()
  const page = await openPage(browser, site.url.href, gatewayUrl)
  return {
    watch: (channelId, height) =>
      page.evaluate(([id, px]) => globalThis.partner.watch(id, px), [channelId, height] as const),
    spent: () => spentBy(process.pid),
    pictures: () => page.evaluate(() => globalThis.partner.pictures()),
    async close() {
      await page.evaluate(() => globalThis.partner.leave())
      await browser.close()
      await site.stop(true)
    },
  }
}

/** The processes of Chromium that a process has started, directly or not. */
function browsersOf(root: number): number[] {
  const parents = new Map<number, number>()
  const browsers: number[] = []
  for (const pid of readdirSync('/proc').map(Number).filter(Number.isInteger))
    try {
      const [, name = '', ppid] = /^\d+ \((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
      parents.set(pid, Number(ppid))
      if (name.startsWith('chrom')) browsers.push(pid)
    } catch {
      // The process has ended meanwhile.
    }
  const isOurs = (pid: number): boolean => {
    const parent = parents.get(pid)
    return parent !== undefined && (parent === root || isOurs(parent))
  }
  return browsers.filter(isOurs)
}

const spentBy = (root: number): number => browsersOf(root).reduce((sum, pid) => sum + cpuMicroseconds(pid), 0)

/** Joins, films, and waits until both see each other. @throws Error if the call is not encrypted as it should be */
async function beginTalk(pages: Page[], channelId: number, isSealed: boolean): Promise<void> {
  for (const page of pages) await page.evaluate((id) => globalThis.partner.join(id, false), channelId)
  for (const page of pages) await page.evaluate(() => globalThis.partner.film())
  const began = performance.now()
  for (const page of pages) {
    while ((await page.evaluate(() => globalThis.partner.pictures())) === 0) {
      if (performance.now() - began > BROWSER_MS) throw new Error('Nobody was seen')
      await Bun.sleep(BETWEEN_MS)
    }
    if ((await page.evaluate(() => globalThis.partner.isSealed())) !== isSealed)
      throw new Error(`A call is ${isSealed ? 'not ' : ''}encrypted`)
  }
}

/**
 * Opens a page for each person.
 * @param gatewayOf the URL of a person's gateway connection
 * @param isSealed true if their calls are encrypted
 */
export async function openCallPair(
  people: [Person, Person],
  gatewayOf: (person: Person) => string,
  isSealed = false,
): Promise<CallPair> {
  const site = await servePage()
  const browser: Browser = await launchChromium()
  const open = (person: Person) => openPage(browser, site.url.href, gatewayOf(person), isSealed)
  const [first, second] = [await open(people[0]), await open(people[1])]
  return {
    async call(channelId, isRelayOnly) {
      const args = [channelId, isRelayOnly] as const
      for (const page of [first, second]) await page.evaluate(() => globalThis.partner.prepare())
      await first.evaluate(([id, relayed]) => globalThis.partner.join(id, relayed), args)
      await Bun.sleep(BETWEEN_MS)
      const delay = await second.evaluate(([id, relayed]) => globalThis.partner.joinAndHear(id, relayed), args)
      for (const page of [second, first]) await page.evaluate(() => globalThis.partner.leave())
      await Bun.sleep(BETWEEN_MS)
      return delay
    },
    async talk(channelId, seconds) {
      await beginTalk([first, second], channelId, isSealed)
      await Bun.sleep(SETTLE_MS)
      const [began, before] = [performance.now(), spentBy(process.pid)]
      await Bun.sleep(seconds * 1000)
      const [after, tookMs] = [spentBy(process.pid), performance.now() - began]
      for (const page of [second, first]) await page.evaluate(() => globalThis.partner.leave())
      return (after - before) / tookMs / 10
    },
    async close() {
      await browser.close()
      await site.stop(true)
    },
  }
}
