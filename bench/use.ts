import type { Locator, Page } from 'playwright-core'
import { launchChromium } from '../test/support/browser/chromium.ts'
import { atMost, type Figure, writeResult } from './report.ts'
import { type Person, seed } from './seed.ts'
import { withServer, type BenchServer } from './server.ts'
import { longestTaskMs, TRACED } from './use-trace.ts'
import { type LongFrame, type LongTask, switchAndMeasure, watchLongTasks } from './use-page.ts'

const SECONDS = Number(process.env['USE_SECONDS'] ?? 300)
const CHANNELS = 20
const MESSAGES = 400
const MEMBERS = 200
/** One frame of a screen that shows 60 a second. */
const FRAME_MS = 16.7
const TASK_MS_MAX = 50
/** Long tasks per step whose parts are written down. */
const DESCRIBED_MAX = 3

type Step = [name: string, run: (page: Page, round: number) => Promise<void>]

/** Five minutes of use by one person in one browser: long tasks of the page, and the time to switch channels. */
export const use = (): Promise<Figure[]> =>
  withServer(async (bench) => {
    const people = await seed(bench, {
      users: MEMBERS,
      servers: 2,
      servers_per_user: 2,
      channels_per_server: CHANNELS,
    })
    await fillChannels(bench)
    const browser = await launchChromium()
    try {
      const page = await openPage(bench, people[0] as Person)
      const switches: number[] = []
      const frames: number[] = []
      const end = Date.now() + SECONDS * 1000
      for (let round = 0; Date.now() < end; round++) {
        for (const [name, run] of STEPS) {
          await page.evaluate((step) => void (globalThis.step = step), name)
          await run(page, round)
        }
        await page.evaluate(() => void (globalThis.step = 'switch to a channel in memory'))
        for (const name of ['channel-2', 'channel-3', 'channel-4']) {
          const measured = await page.evaluate(switchAndMeasure, name)
          switches.push(measured.ms)
          frames.push(measured.frames)
        }
      }
      const longestMs = longestTaskMs(await browser.stopTracing(), 'watch-long-tasks')
      const [tasks, longFrames] = await page.evaluate(() => [globalThis.longTasks, globalThis.longFrames] as const)
      writeResult('use-long-tasks.txt', describe(tasks, longFrames))
      return [
        {
          name: `long tasks > 50 ms in ${SECONDS} s of use`,
          unit: '',
          parley: [tasks.length],
          target: atMost(0, tasks.length, 'none'),
        },
        {
          name: 'the longest task, processor time',
          unit: 'ms',
          parley: [longestMs],
          target: atMost(TASK_MS_MAX, longestMs),
        },
        {
          name: 'switch to a channel in memory, frames until it is shown',
          unit: '',
          parley: frames,
          target: atMost(1, Math.max(...frames), '1'),
        },
        {
          name: 'switch to a channel in memory, script and layout',
          unit: 'ms',
          parley: switches,
          target: atMost(FRAME_MS, switches.toSorted((a, b) => a - b)[Math.floor(switches.length / 2)] ?? 0),
        },
      ]
    } finally {
      await browser.close()
    }

    async function openPage({ url }: BenchServer, { token }: Person): Promise<Page> {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' })
      await context.addCookies([{ name: 'session', value: token, url, httpOnly: true }])
      const page = await context.newPage()
      await page.goto(`${url}/app/servers/1/channels/1`)
      await page.locator('.message').last().waitFor()
      // Waits for code that the page loads when idle.
      await page.waitForLoadState('networkidle')
      await browser.startTracing(page, { categories: TRACED })
      await page.evaluate(watchLongTasks)
      return page
    }
  })

/** The tasks by the step in which they happened, the longest first, with what the longest ones did. */
function describe(tasks: LongTask[], frames: LongFrame[]): string {
  const partsOf = ({ from, ms }: LongTask) =>
    frames.filter((frame) => frame.from < from + ms && from < frame.to).flatMap(({ parts }) => parts)
  const lines = [...Map.groupBy(tasks, ({ step }) => step)].flatMap(([step, some]) => {
    const sorted = some.toSorted((a, b) => b.ms - a.ms)
    const ms = sorted.slice(0, 12).map((task) => Math.round(task.ms))
    const details = sorted
      .slice(0, DESCRIBED_MAX)
      .flatMap((task) => [`  ${Math.round(task.ms)} ms:`, ...partsOf(task).map((part) => `    ${part}`)])
    return [`${step}: ${some.length} (${ms.join(', ')} ms)`, ...details]
  })
  return `${lines.join('\n')}\n`
}

/** Text of many kinds in every channel, by many people. */
async function fillChannels({ sql }: BenchServer): Promise<void> {
  const kinds = [
    'A short line.',
    'A longer line with **bold** words, a https://example.org/link, `code` and :smile:, that goes on for a while.',
    '- a list\n- of things\n- that somebody brings',
    '```ts\nconst answer = [1, 2, 3].map((n) => n * 2)\n```',
    '> quoted\nand answered <@2>',
  ]
  await sql`insert into messages (channel_id, author_id, content, created_at)
    select c.id, 1 + (n / 3) % ${MEMBERS}::int, (${kinds}::text[])[1 + n % ${kinds.length}::int],
      now() - (${MESSAGES}::int - n) * interval '1 minute'
    from channels c, generate_series(1, ${MESSAGES}::int) n order by n, c.id`
  await sql`vacuum analyze messages`
}

// By selectors only: to find a role, Playwright computes the names of all elements, in long tasks of its own.
const inRow = (page: Page) => page.locator('.message').last()
const button = (page: Page, label: string) => page.locator(`button[aria-label="${label}"]`)
const opened = (page: Page) => page.locator('dialog[open]')
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

const centre = async (locator: Locator) => {
  await locator.waitFor()
  await locator.evaluate((element) => element.scrollIntoView({ block: 'nearest' }))
  const box = await locator.boundingBox()
  if (!box) throw new Error(`Nothing is shown at ${locator}`)
  return [box.x + box.width / 2, box.y + box.height / 2] as const
}
const hover = async (locator: Locator) => locator.page().mouse.move(...(await centre(locator)))
/** With the mouse: for its own click, Playwright inspects the position in a task of the page. */
const click = async (locator: Locator, button: 'left' | 'right' = 'left') =>
  locator.page().mouse.click(...(await centre(locator)), { button })
const closed = (page: Page) => opened(page).waitFor({ state: 'hidden' })

const STEPS: Step[] = [
  [
    'switch through channels',
    async (page) => {
      for (let n = 1; n <= 6; n++) {
        const name = page.locator('bdi', { hasText: new RegExp(`^channel-${n}$`) })
        await click(page.locator('nav a').filter({ has: name }))
        await page.locator(`.messages .scroll[aria-label*="channel-${n}"] .message`).last().waitFor()
      }
    },
  ],
  [
    'scroll',
    async (page) => {
      await hover(page.locator('.messages .scroll'))
      for (let n = 0; n < 20; n++) await page.mouse.wheel(0, -400)
      for (let n = 0; n < 20; n++) await page.mouse.wheel(0, 600)
    },
  ],
  [
    'write and send',
    async (page, round) => {
      const box = page.locator('.composer textarea')
      for (let n = 0; n < 2; n++) {
        await box.pressSequentially(`Message ${round}.${n} with **words** and @use`, { delay: 15 })
        await press(page, 'Escape', 'Enter')
      }
      await page.locator('.message.pending').first().waitFor({ state: 'hidden' })
    },
  ],
  [
    'react, and open menus',
    async (page) => {
      await hover(inRow(page))
      await click(button(page, 'More actions'))
      await press(page, 'ArrowDown', 'ArrowDown', 'Escape')
      await click(inRow(page), 'right')
      await page.locator('[role=menu]').waitFor()
      await press(page, 'Escape')
    },
  ],
  [
    'emoji picker',
    async (page) => {
      await click(page.locator('.composer button[aria-label*="moji"]'))
      const dialog = opened(page)
      await dialog.waitFor()
      await page.keyboard.type('heart', { delay: 30 })
      await press(page, 'Escape')
      if (await dialog.isVisible()) await press(page, 'Escape')
      await closed(page)
    },
  ],
  [
    'settings of the account',
    async (page) => {
      await click(page.locator('.me button[aria-label="Settings"]'))
      const dialog = opened(page)
      await dialog.waitFor()
      const sections = dialog.locator('nav button')
      for (let n = 0; n < (await sections.count()); n++) await click(sections.nth(n))
      await press(page, 'Escape')
      await closed(page)
    },
  ],
  [
    'settings of the server',
    async (page) => {
      await click(page.locator('button.server-name'))
      await click(page.locator('[role=menuitem]', { hasText: 'Server settings' }))
      const dialog = opened(page)
      await dialog.waitFor()
      const sections = dialog.locator('nav button')
      for (let n = 0; n < (await sections.count()); n++) await click(sections.nth(n))
      await press(page, 'Escape')
      await closed(page)
    },
  ],
  [
    'switcher',
    async (page) => {
      await press(page, 'Control+k')
      await opened(page).waitFor()
      await page.keyboard.type('channel 1', { delay: 30 })
      await press(page, 'Escape')
      await closed(page)
    },
  ],
  [
    'search',
    async (page) => {
      await press(page, 'Control+f')
      await page.locator('.search').waitFor()
      await page.keyboard.type('longer line', { delay: 20 })
      await press(page, 'Enter')
      await page.locator('.search .results .count').waitFor()
      await press(page, 'Escape')
      await page.locator('.search').waitFor({ state: 'hidden' })
    },
  ],
  [
    'members, profile and another server',
    async (page) => {
      const members = button(page, 'Members')
      await click(members)
      await page.locator('.members').waitFor({ state: 'hidden' })
      await click(members)
      await click(page.locator('.members .person').first())
      await opened(page).waitFor()
      await press(page, 'Escape')
      await closed(page)
      await click(page.locator('.server-list a[aria-label^="Server 2"]'))
      await page.locator('.messages .scroll .message').last().waitFor()
      await click(page.locator('.server-list a[aria-label^="Server 1"]'))
      await page.locator('.messages .scroll .message').last().waitFor()
    },
  ],
]
