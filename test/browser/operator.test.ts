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
      expect([section, await excess()]).toEqual([section, 0])
    }
    expect(faults).toEqual([])
    await visitor.page.goto(`${parley.url}/operator/health`)
    await visitor.sees('Database')
    await visitor.leave()
  },
)

browserTest(browser, 'a figure without samples has no chart', async (chromium) => {
  const visitor = await Visitor.as(chromium, await operator('olga'), '/operator/health')
  await prove(visitor)
  await sql`insert into samples (at, seconds, sockets, requests, failures, lag_ms, memory_bytes, messages)
    values (now(), 60, 1, 1, 0, 1, 1000, 1) on conflict do nothing`
  await visitor.page.route('**/api/operator/samples?*', async (route) => {
    const answer = await route.fetch()
    const samples: Record<string, unknown>[] = await answer.json()
    await route.fulfill({ response: answer, json: samples.map((sample) => ({ ...sample, accounts: null })) })
  })
  await visitor.link('Figures').click()
  const chart = (title: string) => visitor.page.locator('.chart').filter({ hasText: title })
  await visitor.sees(chart('Messages sent'))
  expect(await chart('Accounts').count()).toBe(0)
  await visitor.leave()
})

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
  await visitor.field(/^Reason/).fill('Advertising')
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
  // The dialog closes once the account is read again, which must not need a proof.
  await visitor.misses(visitor.page.locator('dialog'))
  await sql`update sessions set proven_at = now() - interval '11 minutes' where user_id = ${olga.id}`
  await visitor.link('Log').click()
  await prove(visitor)
  await visitor.sees('reset-password')
  await visitor.leave()
})

browserTest(browser, 'search results stay, though the earlier list arrives later', async (chromium) => {
  const [olga, mallory] = [await operator('olga'), await person(parley, 'mallory')]
  const visitor = await Visitor.as(chromium, olga, '/operator/log')
  await prove(visitor)
  const [whole, found] = [Promise.withResolvers<void>(), visitor.page.locator('.table li')]
  await visitor.page.route('**/api/operator/accounts?limit=50', (route) => whole.promise.then(() => route.continue()))
  await visitor.link('Accounts').click()
  await visitor.field('Id, name or e-mail address').fill(mallory.username)
  await visitor.button('Find').click()
  await visitor.until(async () => (await found.count()) === 1)
  const late = visitor.page.waitForResponse('**/api/operator/accounts?limit=50')
  whole.resolve()
  await (await late).finished()
  // Longer than it takes to show a list.
  await visitor.page.waitForTimeout(300)
  expect(await found.count()).toBe(1)
  await visitor.leave()
})

browserTest(
  browser,
  'a failed search clears the earlier results; a late failure does not affect the newest search',
  async (chromium) => {
    const [olga, mallory] = [await operator('olga'), await person(parley, 'mallory')]
    const visitor = await Visitor.as(chromium, olga, '/operator/accounts')
    await prove(visitor)
    const [found, refusal] = [visitor.page.locator('.table li'), visitor.page.getByRole('alert')]
    const search = async (name: string) => {
      await visitor.field('Id, name or e-mail address').fill(name)
      await visitor.button('Find').click()
    }
    await search(mallory.username)
    await visitor.until(async () => (await found.count()) === 1)
    await visitor.page.route('**/api/operator/accounts?*q=fails*', (route) => route.abort())
    await search('fails')
    await visitor.sees(refusal)
    expect(await found.count()).toBe(0)

    const [requestSeen, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await visitor.page.route('**/api/operator/accounts?*q=late*', async (route) => {
      requestSeen.resolve()
      await release.promise
      await route.abort()
    })
    await search('late')
    await requestSeen.promise
    await search(mallory.username)
    await visitor.until(async () => (await found.count()) === 1)
    const late = visitor.page.waitForEvent('requestfailed')
    release.resolve()
    await late
    // Longer than it takes to show a refusal.
    await visitor.page.waitForTimeout(300)
    expect(await refusal.count()).toBe(0)
    await visitor.leave()
  },
)

browserTest(
  browser,
  'an operator creates a link, deletes an account, an invite and a server, closes registration, and begins a backup',
  async (chromium) => {
    const [olga, mallory, alice] = [
      await operator('olga'),
      await person(parley, 'mallory'),
      await person(parley, 'alice'),
    ]
    const { server_id } = await newServer(alice)
    const { code } = (await alice.post('/api/invites', { server_id })).body
    const visitor = await Visitor.as(chromium, olga, '/operator/accounts')
    const dialog = visitor.page.locator('dialog')
    const rows = visitor.page.locator('.table li')
    await prove(visitor)
    await visitor.field('Id, name or e-mail address').fill(mallory.username)
    await visitor.button('Find').click()
    await visitor.button(`Open ${mallory.username}`).click()
    await visitor.button('Create reset link').click()
    await visitor.sees(visitor.page.getByRole('alert').getByText(/\/reset#[\w-]{43}$/))
    await visitor.button('Delete account').click()
    expect(await dialog.getByRole('button', { name: 'Delete account' }).isDisabled()).toBe(true)
    await dialog.getByRole('textbox').fill(mallory.username)
    await dialog.getByRole('button', { name: 'Delete account' }).click()
    await visitor.sees(visitor.field('Id, name or e-mail address'))
    expect((await mallory.get('/api/auth/me')).status).toBe(401)

    await visitor.link('Registration').click()
    await visitor.field('Who can register').selectOption('closed')
    await visitor.sees('Now: Nobody')
    await visitor.field('Who can register').selectOption('')
    await visitor.sees('Now: Everyone')
    const invite = rows.filter({ hasText: `by ${alice.username}` })
    await invite.getByRole('button', { name: 'Delete' }).click()
    await visitor.misses(invite)
    expect((await alice.get(`/api/invites/${code}`)).status).not.toBe(200)

    await visitor.link('Servers').click()
    await visitor.field('Id or name').fill(String(server_id))
    await visitor.button('Find').click()
    await visitor.until(async () => (await rows.count()) === 1)
    await visitor.button('Delete Birdwatchers').click()
    await dialog.getByRole('textbox').fill(String(server_id))
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await visitor.sees('No servers found.')
    expect((await alice.get(`/api/servers/${server_id}`)).status).toBe(404)

    await visitor.link('Backups').click()
    await visitor.button('Make a backup now').click()
    await visitor.sees('The backup has started.')
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
