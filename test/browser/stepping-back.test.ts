import { expect } from 'bun:test'
import type { BrowserContextOptions } from 'playwright-core'
import { person, newServer, say, standard } from '../support/harness.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()
const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** Opens a channel, and from there another one; `step` presses the browser's own buttons. */
async function besideAnother(chromium: NonNullable<typeof browser>, options: BrowserContextOptions = {}) {
  const ann = await person(parley, 'ann')
  const { server_id, channel_id } = await newServer(ann)
  await say(ann, channel_id, 'An osprey')
  const other = (await ann.post(`/api/servers/${server_id}/channels`, { name: 'other', type: 'text' })).body
  const visitor = await Visitor.as(chromium, ann, `/app/servers/${server_id}/channels/${channel_id}`, options)
  const { page } = visitor
  const developer = await page.context().newCDPSession(page)
  let steps = 0
  const placed = {
    page,
    question: page.getByRole('dialog', { name: 'Discard your changes?' }),
    settings: page.locator('dialog.settings'),
    step: async (by: number) => {
      const mark = ++steps
      const here = await page.evaluate(
        (mark) => (history.replaceState({ ...history.state, left: mark }, ''), location.href),
        mark,
      )
      let entryId = 0
      // The browser learns later than the page of a new entry in the history.
      await visitor.until(async () => {
        const { currentIndex, entries } = await developer.send('Page.getNavigationHistory')
        entryId = entries[currentIndex + by]?.id ?? 0
        return entries[currentIndex]?.url === here
      })
      await developer.send('Page.navigateToHistoryEntry', { entryId })
      // The step has been made, whatever the page did then.
      await visitor.until(() => page.evaluate((mark) => history.state?.left !== mark, mark))
    },
    shows: (name: string) => visitor.sees(page.getByRole('heading', { name, level: 1 })),
    openLists: async () => {
      if (options.isMobile) await visitor.button('Channels and servers').click()
    },
    edit: async (name: string) => {
      await placed.openLists()
      await visitor.inServerMenu('Server settings')
      await visitor.field('Server name').fill(name)
    },
    isAt: async (id: number) => (await page.evaluate(() => location.pathname)).endsWith(`/channels/${id}`),
    visitor,
    channel_id,
    other_id: other.id as number,
  }
  await placed.shows('general')
  await placed.openLists()
  await visitor.link('other').click()
  await placed.shows('other')
  return placed
}

for (const [where, options] of [
  ['', {}],
  [' on a phone', PHONE],
] as const)
  browserTest(browser, `Back and Forward ask before unsaved settings are lost${where}`, async (chromium) => {
    const placed = await besideAnother(chromium, options)
    const { page, question, settings, step, visitor, shows, isAt } = placed
    await placed.edit('Owls')
    await step(-1)
    await visitor.sees(question)
    expect(await isAt(placed.other_id)).toBe(true)
    await question.getByRole('button', { name: 'Cancel' }).click()
    await visitor.misses(question)
    expect(await visitor.field('Server name').inputValue()).toBe('Owls')
    // Any number of tries causes one question.
    await step(-1)
    await visitor.sees(question)
    await step(-1)
    expect(await isAt(placed.other_id)).toBe(true)
    expect(await question.count()).toBe(1)
    await question.getByRole('button', { name: 'Discard changes' }).click()
    await shows('general')
    await visitor.misses(settings)
    expect(await isAt(placed.channel_id)).toBe(true)

    await placed.edit('Larks')
    await step(1)
    await visitor.sees(question)
    expect(await isAt(placed.channel_id)).toBe(true)
    await question.getByRole('button', { name: 'Discard changes' }).click()
    await shows('other')
    await visitor.misses(settings)
    expect(await isAt(placed.other_id)).toBe(true)

    // Saved or unchanged settings cause no question.
    await placed.edit('Wrens')
    await visitor.button(/^Save$/).click()
    await visitor.sees(page.locator('dialog .note.shown', { hasText: 'Saved' }))
    await step(-1)
    await shows('general')
    await visitor.misses(settings)
    expect(await question.count()).toBe(0)
    await step(1)
    await shows('other')
    await visitor.leave()
  })

browserTest(browser, 'a click on a notice asks before unsaved settings are lost', async (chromium) => {
  const { page, question, visitor, shows, edit, isAt, channel_id, other_id } = await besideAnother(chromium)
  // The service worker sends this after a click.
  const clickNotice = () =>
    page.evaluate(
      (go) => void navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data: { go } })),
      `/c/${channel_id}`,
    )
  await edit('Owls')
  await clickNotice()
  await visitor.sees(question)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await visitor.misses(question)
  expect(await visitor.field('Server name').inputValue()).toBe('Owls')
  expect(await isAt(other_id)).toBe(true)
  await clickNotice()
  await question.getByRole('button', { name: 'Discard changes' }).click()
  await shows('general')
  await visitor.misses(page.locator('dialog.settings'))
  await visitor.leave()
})

browserTest(browser, 'a half-edited message is so again after Back and Forward', async (chromium) => {
  const { page, step, visitor, shows } = await besideAnother(chromium)
  await step(-1)
  await shows('general')
  await visitor.sees(visitor.message('An osprey'))
  await visitor.composer().press('ArrowUp')
  await page.keyboard.type(' again')
  await step(1)
  await shows('other')
  await step(-1)
  await shows('general')
  await visitor.sees(visitor.field('Edit message'))
  expect(await visitor.field('Edit message').inputValue()).toBe('An osprey again')
  await visitor.leave()
})

browserTest(browser, 'on a phone the request to close that Back makes closes the lists', async (chromium) => {
  const { page, visitor, openLists } = await besideAnother(chromium, PHONE)
  const lists = page.locator('.shell.open')
  await visitor.loads('start')
  await openLists()
  await visitor.sees(lists)
  // Escape makes the same request.
  await page.keyboard.press('Escape')
  await visitor.misses(lists)
  await visitor.leave()
})
