import { expect } from 'bun:test'
import type { Route } from 'playwright-core'
import { person, newServer, say, standard } from '../support/harness.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()

browserTest(browser, 'one menu offers the permitted actions on a message, by pointer and by keys', async (chromium) => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id, channel_id } = await newServer(alice, bob)
  await say(alice, channel_id, 'from the owner')
  const own = await say(bob, channel_id, `from the **member** to <@${alice.id}>`)
  const visitor = await Visitor.as(chromium, bob, `/app/servers/${server_id}/channels/${channel_id}`)
  const { keyboard } = visitor.page
  await visitor.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const copied = () => visitor.page.evaluate(() => navigator.clipboard.readText())
  const items = visitor.page.getByRole('menuitem')
  const focused = (selector: string) =>
    visitor.until(() => visitor.page.evaluate((one) => document.activeElement?.matches(one) === true, selector))

  // Messages of others can neither be edited nor deleted.
  await visitor.message('from the owner').hover()
  await visitor.button('More actions').click()
  const offered = await items.allInnerTexts()
  for (const text of ['Reply\nR', 'Copy text', 'Copy link to message']) expect(offered).toContain(text)
  expect(offered.filter((text) => /Edit|Delete/.test(text))).toEqual([])
  await keyboard.press('Escape')
  await visitor.misses(items.first())
  await focused('.actions button[aria-haspopup=menu]')

  // The row of the menu keeps its buttons while the pointer passes over other rows.
  await visitor.message('from the member').hover()
  await visitor.button('More actions').click()
  await visitor.message('from the owner').hover({ force: true })
  const all = await items.allInnerTexts()
  for (const text of ['Reply\nR', 'Edit message\nE', 'Copy text', 'Delete message\nDel']) expect(all).toContain(text)
  for (let n = all.indexOf('Copy text'); n > 0; n--) await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  await visitor.until(async () => (await copied()) === `from the **member** to @${alice.display_name}`)
  await visitor.message('from the member').hover()
  await visitor.act('Copy link to message')
  await visitor.until(async () => (await copied()) === `${parley.url}/c/${channel_id}/${own.id}`)
  await visitor.button('More actions').click()
  await visitor.page.mouse.click(640, 200)
  await visitor.misses(items.first())

  // With the focus on a message, its letter is enough.
  await visitor.page.locator('.messages .scroll').focus()
  await keyboard.press('ArrowUp')
  await keyboard.press('e')
  await focused('.editor textarea')
  expect(await visitor.field('Edit message').inputValue()).toBe(`from the **member** to @${alice.display_name}`)
  await keyboard.press('Escape')
  await focused('.message')
  await keyboard.press('r')
  await visitor.sees(visitor.page.locator('.replying'))
  await focused('.composer textarea')
  await visitor.page.locator('.messages .scroll').focus()
  await keyboard.press('ArrowUp')
  await keyboard.press('Delete')
  await visitor.page.locator('dialog').getByRole('button', { name: 'Delete message' }).click()
  await visitor.misses(visitor.page.locator('.message', { hasText: 'from the member' }))
  await visitor.leave()
})

/** Blocks every request that changes something, until the test lets them pass or refuses them. */
async function holdChanges(visitor: Visitor) {
  const routes: Route[] = []
  await visitor.page.route('**/api/**', (route) =>
    route.request().method() === 'GET' ? route.continue() : void routes.push(route),
  )
  const takeRoutes = async () => {
    await visitor.until(async () => routes.length > 0)
    return routes.splice(0)
  }
  const refusal = { status: 403, code: 'forbidden', title: 'Forbidden', detail: 'Refused by the test' }
  const contentType = 'application/problem+json'
  return {
    pass: async () => Promise.all((await takeRoutes()).map((route) => route.continue())),
    refuse: async () =>
      Promise.all((await takeRoutes()).map((route) => route.fulfill({ status: 403, contentType, json: refusal }))),
  }
}

browserTest(browser, 'a change is shown before the server answers, and is undone if it refuses', async (chromium) => {
  const alice = await person(parley, 'alice')
  const { server_id, channel_id } = await newServer(alice)
  await say(alice, channel_id, 'as it was')
  const visitor = await Visitor.as(chromium, alice, `/app/servers/${server_id}/channels/${channel_id}`)
  const { page } = visitor
  const row = visitor.page.locator('.message').last()
  const dialog = page.locator('dialog')
  const editor = page.getByRole('textbox', { name: 'Edit message' })
  await visitor.sees(visitor.message('as it was'))
  const changes = await holdChanges(visitor)

  await row.hover()
  await visitor.act('Pin message')
  await visitor.sees(row.locator('.pinned'))
  await changes.refuse()
  await visitor.misses(row.locator('.pinned'))
  await visitor.sees('That did not work')

  await row.hover()
  await visitor.act('Edit message')
  await editor.fill('as it will be')
  await editor.press('Enter')
  await visitor.sees(visitor.message('as it will be').getByText('(edited)'))
  await changes.refuse()
  await visitor.until(async () => (await editor.inputValue()) === 'as it will be')
  await editor.press('Enter')
  await visitor.sees(visitor.message('as it will be'))
  await changes.pass()

  await row.hover()
  await visitor.act('Delete message')
  await dialog.getByRole('button', { name: 'Delete message' }).click()
  await visitor.misses(visitor.message('as it will be'))
  await changes.refuse()
  await visitor.sees(visitor.message('as it will be'))

  // An event with an older state that arrives meanwhile does not undo the change on the page.
  const named = (name: string) => page.locator('nav .row bdi', { hasText: name })
  await visitor.button(/^Settings of .*general/).click()
  await visitor.field('Channel name').fill('kingfishers')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await visitor.sees(named('kingfishers'))
  await alice.put(`/api/channels/${channel_id}`, { name: 'herons' })
  await say(alice, channel_id, 'renamed')
  await visitor.sees(visitor.message('renamed'))
  expect(await named('kingfishers').count()).toBe(1)
  await changes.refuse()
  await visitor.sees(named('herons'))
  await visitor.sees(dialog.getByRole('alert'))
  await dialog.getByRole('button', { name: 'Save' }).click()
  await changes.pass()
  await visitor.sees(dialog.locator('.note.shown', { hasText: 'Saved' }))
  await visitor.sees(named('kingfishers'))
  await page.keyboard.press('Escape')

  await page.locator('#main').getByRole('button', { name: 'Notifications' }).click()
  await dialog.getByRole('button', { name: 'For 1 hour' }).click()
  await visitor.sees(page.locator('nav .row.muted'))
  await changes.refuse()
  await visitor.misses(page.locator('nav .row.muted'))
  await page.keyboard.press('Escape')

  await visitor.inServerMenu('Server settings')
  await visitor.field('Server name').fill('Owls')
  await dialog.getByRole('button', { name: /^Save$/ }).click()
  await visitor.sees(page.locator('.sidebar header').getByText('Owls'))
  await changes.refuse()
  await visitor.misses(page.locator('.sidebar header').getByText('Owls'))
  await page.unrouteAll()
  await visitor.leave()
})
