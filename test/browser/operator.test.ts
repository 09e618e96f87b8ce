import { expect } from 'bun:test'
import { PASSWORD, person, room, standard } from '../support/harness.ts'
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
    const { server_id } = await room(await person(parley, 'alice'))
    await olga.post('/api/invites', { server_id })
    await parley.sweep()
    const visitor = await Visitor.as(chromium, olga, '/operator', PHONE)
    await prove(visitor)
    const faults: string[] = []
    for (const section of SECTIONS) {
      await visitor.link(section).click()
      await visitor.until(async () => (await visitor.link(section).getAttribute('aria-current')) === 'page')
      await visitor.sees(visitor.page.locator('main :is(.table li, .facts div, .chart, button)').first())
      faults.push(...(await faultsOf(visitor)).map((fault) => `${section} ${fault}`))
      const excess = () => visitor.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect([section, await excess()]).toEqual([section, 0])
    }
    expect(faults).toEqual([])
    await visitor.page.goto(`${parley.url}/operator/health`)
    await visitor.sees('Database')
    await visitor.leave()
  },
)

browserTest(browser, 'by keyboard an operator finds an account, suspends it and restores it', async (chromium) => {
  const [olga, mallory] = [await operator('olga'), await person(parley, 'mallory')]
  const visitor = await Visitor.as(chromium, olga, '/operator/accounts')
  await prove(visitor)
  await visitor.field('Id, name or e-mail address').focus()
  await visitor.page.keyboard.type(mallory.username)
  await visitor.page.keyboard.press('Enter')
  await visitor.until(async () => (await visitor.page.locator('.table li').count()) === 1)
  await visitor.button(`Open ${mallory.username}`).press('Enter')
  await visitor.button('Suspend').press('Enter')
  await visitor.field(/^Why/).fill('Advertising')
  await visitor.page.keyboard.press('Enter')
  await visitor.sees(visitor.button('Restore'))
  await visitor.sees('Advertising')
  expect((await mallory.get('/api/auth/me')).status).toBe(401)
  await visitor.button('Restore').press('Enter')
  await visitor.page.locator('dialog').getByRole('button', { name: 'Restore' }).click()
  await visitor.sees(visitor.button('Suspend'))
  await visitor.button('Reset password').click()
  await visitor.page.locator('dialog').getByRole('button', { name: 'Reset password' }).click()
  await visitor.sees(visitor.page.getByRole('alert').locator('code'))
  await sql`update sessions set proven_at = now() - interval '11 minutes' where user_id = ${olga.id}`
  await visitor.link('Log').click()
  await prove(visitor)
  await visitor.sees('reset-password')
  await visitor.leave()
})

browserTest(browser, 'to everybody else the page is not there, and its code is not loaded before', async (chromium) => {
  const alice = await person(parley, 'alice')
  const visitor = await Visitor.as(chromium, alice)
  await visitor.sees(visitor.page.getByRole('heading', { level: 1 }))
  const loaded = () =>
    visitor.page.evaluate(
      () => performance.getEntriesByType('resource').filter(({ name }) => /operator/.test(name)).length,
    )
  expect(await loaded()).toBe(0)
  await visitor.page.goto(`${parley.url}/operator`)
  await visitor.sees('There is no such page.')
  expect(await loaded()).toBeGreaterThan(0)
  await visitor.leave()
})
