import { expect } from 'bun:test'
import { PASSWORD, person, newServer, standard } from '../support/harness.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const { sql } = parley.parts
const browser = await openBrowser()

async function operator(name: string) {
  const olga = await person(parley, name)
  await sql`update users set operator_since = now() where id = ${olga.id}`
  return olga
}

async function prove(visitor: Visitor): Promise<void> {
  await visitor.sees(visitor.field('Password'))
  await visitor.field('Password').fill(PASSWORD)
  await visitor.page.keyboard.press('Enter')
  await visitor.sees(visitor.page.getByRole('navigation', { name: 'Operator' }))
}

const SECTIONS = ['Figures', 'Health', 'Accounts', 'Servers', 'Registration', 'Storage', 'Backups', 'Log']
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }

browserTest(
  browser,
  'an operator proves itself once, and every part of the page is accessible, light and dark, and fits a phone',
  async (chromium) => {
    const olga = await operator('olga')
    const { server_id } = await newServer(await person(parley, 'alice'))
    await olga.post('/api/invites', { server_id })
    await parley.sweep()
    const visitor = await Visitor.as(chromium, olga, '/operator', PHONE)
    await prove(visitor)
    const faults: string[] = []
    for (const section of SECTIONS) {
      await visitor.link(section).click()
      await visitor.until(async () => (await visitor.link(section).getAttribute('aria-current')) === 'page')
      await visitor.sees(
        visitor.page.locator('main :is(.table li, .facts div, .chart, .empty-state, button:enabled)').first(),
      )
      faults.push(...(await faultsOf(visitor)).map((fault) => `${section} ${fault}`))
      const excess = () => visitor.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      await visitor.until(async () => (await excess()) === 0)
    }
    expect(faults).toEqual([])
    await visitor.page.goto(`${parley.url}/operator/health`)
    await visitor.sees('Database')
    await visitor.leave()
  },
)

browserTest(browser, 'for everybody else the page does not exist, and its code is not loaded', async (chromium) => {
  const alice = await person(parley, 'alice')
  const visitor = await Visitor.as(chromium, alice)
  await visitor.sees(visitor.page.getByRole('heading', { level: 1 }))
  const loaded = () =>
    visitor.page.evaluate(
      () => performance.getEntriesByType('resource').filter(({ name }) => /operator/.test(name)).length,
    )
  expect(await loaded()).toBe(0)
  await visitor.page.goto(`${parley.url}/operator`)
  await visitor.sees('Page not found.')
  expect(await loaded()).toBeGreaterThan(0)
  await visitor.leave()
})
