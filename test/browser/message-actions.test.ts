import { expect } from 'bun:test'
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
