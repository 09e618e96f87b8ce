import type { CDPSession, Page } from 'playwright-core'
import { launchChromium } from '../test/support/browser/chromium.ts'
import { Line } from '../test/support/browser/line.ts'
import { PushService } from '../test/support/push-service.ts'
import type { Figure } from './report.ts'
import { type Person, seed } from './seed.ts'
import { type BenchServer, withServer } from './server.ts'

const ROUNDS = 5
const PUSHES = 10
const MESSAGES = 10_000
/** Messages per second in the busy channel. */
const PER_SECOND = Number(process.env['PAGE_PER_SECOND'] ?? 5)
const WAIT_MS_MAX = 60_000
const PATH = '/app/servers/1/channels/1'
const LAST = 'the very last'
/** Minutes to watch the busy channel. */
const MINUTES = Number(process.env['PAGE_MINUTES'] ?? 2)

async function post(url: string, who: Person, path: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${who.token}`, 'content-type': 'application/json' }
  const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + WAIT_MS_MAX; !(await condition()); await Bun.sleep(5))
    if (performance.now() > end) throw new Error(`Nothing came within ${WAIT_MS_MAX} ms`)
}

/** Milliseconds from the navigation until the text is on the page. */
async function shows(page: Page, text: string): Promise<number> {
  await page.waitForFunction((expected) => document.body?.textContent?.includes(expected), text, {
    timeout: WAIT_MS_MAX,
  })
  return page.evaluate(() => performance.now())
}

/** Memory of the page's objects after a collection, MB. */
async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize / 1024 ** 2
}

/**
 * Milliseconds from a message to its notice at the push service, including the five seconds in which it may still be
 * read.
 */
async function pushes({ url, sql }: BenchServer, from: Person, to: Person): Promise<number[]> {
  const service = new PushService()
  const device = service.subscription()
  await post(url, to, '/api/push/subscriptions', device.draft)
  await until(async () => (await sql`select 1 from push_position`).length > 0)
  const times: number[] = []
  for (let nth = 0; nth < PUSHES; nth++) {
    const sent = performance.now()
    await post(url, from, '/api/channels/2/messages', { content: `<@${to.id}> number ${nth}` })
    await until(() => device.taken.length > nth)
    times.push(performance.now() - sent)
  }
  service.close()
  return times
}

interface Starts {
  first: { ms: number[]; kb: number[] }
  warm: { ms: number[]; kb: number[] }
  /** Without a network, and with one that never answers, ms. */
  away: number[]
  hanging: number[]
}

/** Starts of the client in a browser without it, and in one whose worker has cached it. */
async function starts(url: string, who: Person): Promise<Starts> {
  const line = await Line.to(url)
  const browser = await launchChromium()
  const all: Starts = { first: { ms: [], kb: [] }, warm: { ms: [], kb: [] }, away: [], hanging: [] }
  for (let round = 0; round < ROUNDS; round++) {
    const context = await browser.newContext({ locale: 'en-GB' })
    await context.addCookies([{ name: 'session', value: who.token, url: line.url, httpOnly: true }])
    const page = await context.newPage()
    const open = async (into?: Starts['first']) => {
      const before = line.carried
      await page.goto(line.url + PATH, { waitUntil: 'commit' })
      const ms = await shows(page, LAST)
      into?.ms.push(ms)
      into?.kb.push((line.carried - before) / 1024)
      return ms
    }
    await open(all.first)
    await page.waitForFunction(async () => (await navigator.serviceWorker.ready) && navigator.serviceWorker.controller)
    // The worker caches the loaded files, and the page the shown content.
    await page.waitForTimeout(1_000)
    await open(all.warm)
    await page.evaluate(() => window.dispatchEvent(new Event('pagehide')))
    await page.waitForTimeout(1_000)
    line.cut()
    all.away.push(await open())
    await line.hang()
    all.hanging.push(await open())
    await line.mend()
    await context.close()
  }
  await browser.close()
  line.cut()
  return all
}

/** Runs in the page: scrolls to the beginning of the channel. */
async function scrollUp(): Promise<void> {
  const box = document.querySelector('.messages .scroll')
  while (box && box.querySelector('.beginning') === null) {
    box.scrollTop = 200
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }
}

interface Memory {
  opened: number
  scrolled: number
  busy: number
}

/** Memory of a page: opened, after the whole channel was scrolled through, and after a busy time in the channel. */
async function memory(url: string, reader: Person, writer: Person): Promise<Memory> {
  const browser = await launchChromium()
  const context = await browser.newContext({ locale: 'en-GB', serviceWorkers: 'block' })
  await context.addCookies([{ name: 'session', value: reader.token, url, httpOnly: true }])
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await page.goto(url + PATH)
  await shows(page, LAST)
  const opened = await heapOf(session)
  await page.evaluate(scrollUp)
  const scrolled = await heapOf(session)
  await page.goto(url + PATH)
  await shows(page, LAST)
  const count = MINUTES * 60 * PER_SECOND
  for (let nth = 1; nth <= count; nth++) {
    await post(url, writer, '/api/channels/1/messages', { content: `busy ${nth}.` })
    await Bun.sleep(1000 / PER_SECOND)
  }
  await shows(page, `busy ${count}.`)
  const busy = await heapOf(session)
  await browser.close()
  return { opened, scrolled, busy }
}

/** The installed client: notices, starts with its worker, and the memory of a page. */
export const page = (): Promise<Figure[]> =>
  withServer(
    async (bench) => {
      const people = await seed(bench, { users: 2, servers: 1, servers_per_user: 1, channels_per_server: 2 })
      const [alice, bob] = people as [Person, Person]
      await bench.sql`insert into messages (channel_id, author_id, content, created_at)
        select 1, 1, 'number ' || n || repeat(' and so on', n % 40), now() - (${MESSAGES} - n) * interval '1 second'
        from generate_series(1, ${MESSAGES}::int) n`
      await post(bench.url, alice, '/api/channels/1/messages', { content: LAST })
      const pushed = await pushes(bench, alice, bob)
      // A channel with unread messages opens at the first of them.
      await post(bench.url, bob, '/api/servers/1/read-all', {})
      const { first, warm, away, hanging } = await starts(bench.url, bob)
      const { opened, scrolled, busy } = await memory(bench.url, bob, alice)
      return [
        { name: 'message to its notice at the push service, of which 5,000 are waited', unit: 'ms', parley: pushed },
        { name: 'start of the client in a new browser', unit: 'ms', parley: first.ms },
        { name: 'bytes of it on the wire', unit: 'KB', parley: first.kb },
        { name: 'warm start from the service worker', unit: 'ms', parley: warm.ms },
        { name: 'bytes of it on the wire', unit: 'KB', parley: warm.kb },
        { name: 'start without a network', unit: 'ms', parley: away },
        { name: 'start with a network that never answers', unit: 'ms', parley: hanging },
        { name: 'objects of a page that is open', unit: 'MB', parley: [opened] },
        { name: 'after 10,000 messages were scrolled through', unit: 'MB', parley: [scrolled] },
        { name: `after ${MINUTES} minutes of ${PER_SECOND} messages a second`, unit: 'MB', parley: [busy] },
      ]
    },
    undefined,
    { PUSH_ALLOWED_ADDRESSES: '127.0.0.1' },
  )
