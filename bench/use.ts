import type { Page } from 'playwright-core'
import { launchChromium } from '../test/support/browser/chromium.ts'
import { atMost, type Figure, writeResult } from './report.ts'
import { type Person, seed } from './seed.ts'
import { withServer, type BenchServer } from './server.ts'
import { type LongTask, switchAndMeasure, watchLongTasks } from './use-page.ts'

const SECONDS = Number(process.env['USE_SECONDS'] ?? 300)
const CHANNELS = 20
const MESSAGES = 400
const MEMBERS = 200
/** One frame of a screen that shows 60 a second. */
const FRAME_MS = 16.7

type Step = [name: string, run: (page: Page, round: number) => Promise<void>]

/** Five minutes of use by one person in one browser: long tasks of the page, and how long it takes to switch. */
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
      const tasks = await page.evaluate(() => globalThis.longTasks)
      writeResult('use-long-tasks.txt', describe(tasks))
      return [
        {
          name: `long tasks > 50 ms in ${SECONDS} s of use`,
          unit: '',
          parley: [tasks.length],
          target: atMost(0, tasks.length, 'none'),
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
      // What is loaded while nothing happens is there.
      await page.waitForLoadState('networkidle')
      await page.evaluate(watchLongTasks)
      return page
    }
  })

/** The tasks by the step in which they happened, the longest first. */
function describe(tasks: LongTask[]): string {
  const by_step = Map.groupBy(tasks, ({ step }) => step)
  const lines = [...by_step].map(([step, some]) => {
    const ms = some.map((task) => Math.round(task.ms)).toSorted((a, b) => b - a)
    return `${step}: ${some.length} (${ms.slice(0, 12).join(', ')} ms)`
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

// By selectors alone: to find a role, Playwright computes the names of all elements, in long tasks of its own.
const inRow = (page: Page) => page.locator('.message').last()
const button = (page: Page, label: string) => page.locator(`button[aria-label="${label}"]`)
const opened = (page: Page) => page.locator('dialog[open]')
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

const STEPS: Step[] = [
  [
    'switch through channels',
    async (page) => {
      for (let n = 1; n <= 6; n++) {
        await page
          .locator('nav a')
          .filter({ has: page.locator('bdi', { hasText: new RegExp(`^channel-${n}$`) }) })
          .click()
        await page.locator(`.messages .scroll[aria-label*="channel-${n}"] .message`).last().waitFor()
      }
    },
  ],
  [
    'scroll',
    async (page) => {
      await page.locator('.messages .scroll').hover()
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
    },
  ],
  [
    'react, and open menus',
    async (page) => {
      await inRow(page).hover()
      await button(page, 'More actions').click()
      await press(page, 'ArrowDown', 'ArrowDown', 'Escape')
      await inRow(page).click({ button: 'right' })
      await page.locator('[role=menu]').waitFor()
      await press(page, 'Escape')
    },
  ],
  [
    'emoji picker',
    async (page) => {
      await page.locator('.composer button[aria-label*="moji"]').click()
      const dialog = opened(page)
      await dialog.waitFor()
      await page.keyboard.type('heart', { delay: 30 })
      await press(page, 'Escape')
      if (await dialog.isVisible()) await press(page, 'Escape')
    },
  ],
  [
    'settings of the account',
    async (page) => {
      await page.locator('.me button[aria-label="Settings"]').click()
      const dialog = opened(page)
      await dialog.waitFor()
      const sections = dialog.locator('nav button')
      for (let n = 0; n < (await sections.count()); n++) await sections.nth(n).click()
      await press(page, 'Escape')
    },
  ],
  [
    'settings of the server',
    async (page) => {
      await button(page, 'Server settings').click()
      const dialog = opened(page)
      await dialog.waitFor()
      const sections = dialog.locator('nav button')
      for (let n = 0; n < (await sections.count()); n++) await sections.nth(n).click()
      await press(page, 'Escape')
    },
  ],
  [
    'switcher',
    async (page) => {
      await press(page, 'Control+k')
      await opened(page).waitFor()
      await page.keyboard.type('channel 1', { delay: 30 })
      await press(page, 'Escape')
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
    },
  ],
  [
    'members, profile and another server',
    async (page) => {
      const members = button(page, 'Members')
      await members.click()
      await members.click()
      await page.locator('.members .person').first().click()
      await opened(page).waitFor()
      await press(page, 'Escape')
      await page.locator('.server-list a[aria-label^="Server 2"]').click()
      await page.locator('.messages .scroll .message').last().waitFor()
      await page.locator('.server-list a[aria-label^="Server 1"]').click()
      await page.locator('.messages .scroll .message').last().waitFor()
    },
  ],
]
