import { expect, test } from 'bun:test'
import type { Route } from '../../support/page/network.ts'
import { person, newServer, say, standard } from '../../support/harness.ts'
import { Page } from '../../support/page.ts'

const parley = await standard()

/** Blocks every request that changes something, until the test lets them pass or refuses them. */
async function holdChanges(page: Page) {
  const routes: Route[] = []
  await page.route('**/api/**', (route) =>
    route.request().method() === 'GET' ? route.continue() : void routes.push(route),
  )
  const takeRoutes = async () => {
    await page.until(async () => routes.length > 0)
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

test('a change is shown before the server answers, and is undone if it refuses', async () => {
  const alice = await person(parley, 'alice')
  const { server_id, channel_id } = await newServer(alice)
  await say(alice, channel_id, 'as it was')
  const visitor = await Page.as(alice, `/app/servers/${server_id}/channels/${channel_id}`)
  const page = visitor
  const row = visitor.locator('.message').last()
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
  page.unroute()
  await visitor.leave()
})
