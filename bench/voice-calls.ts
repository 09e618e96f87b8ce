import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { BROWSER_MS, launchChromium } from '../test/support/browser/chromium.ts'
import { cpuMicroseconds } from './processes.ts'
import type { Person } from './seed.ts'
import type {} from './voice-page.ts'

const BETWEEN_MS = 150

/** Two people in a browser page each, who call each other. */
export interface CallPair {
  /** The first joins, then the second. @returns ms until the second hears the first, and the route of the sound */
  call(channelId: number, isRelayOnly: boolean): Promise<{ ms: number; way: string }>
  close(): Promise<void>
}

/** Builds and serves the page. */
async function servePage() {
  const entrypoints = [join(import.meta.dir, 'voice-page.ts')]
  const { outputs } = await Bun.build({ entrypoints, target: 'browser', splitting: true })
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

async function openPage(browser: Browser, site: string, gatewayUrl: string): Promise<Page> {
  const page = await browser.newPage()
  page.setDefaultTimeout(BROWSER_MS)
  await page.goto(site)
  await page.waitForFunction('globalThis.partner !== undefined')
  await page.evaluate((url) => globalThis.partner.connect(url), gatewayUrl)
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
    spent: () => browsersOf(process.pid).reduce((sum, pid) => sum + cpuMicroseconds(pid), 0),
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

/** Opens a page for each person. @param gatewayOf the URL of a person's gateway connection */
export async function openCallPair(people: [Person, Person], gatewayOf: (person: Person) => string): Promise<CallPair> {
  const site = await servePage()
  const browser: Browser = await launchChromium()
  const open = (person: Person) => openPage(browser, site.url.href, gatewayOf(person))
  const [first, second] = [await open(people[0]), await open(people[1])]
  return {
    async call(channelId, isRelayOnly) {
      const args = [channelId, isRelayOnly] as const
      await first.evaluate(([id, relayed]) => globalThis.partner.join(id, relayed), args)
      await Bun.sleep(BETWEEN_MS)
      const delay = await second.evaluate(([id, relayed]) => globalThis.partner.joinAndHear(id, relayed), args)
      for (const page of [second, first]) await page.evaluate(() => globalThis.partner.leave())
      await Bun.sleep(BETWEEN_MS)
      return delay
    },
    async close() {
      await browser.close()
      await site.stop(true)
    },
  }
}
