import { expect } from 'bun:test'
import { say, standard } from '../support/harness.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { setScene } from '../support/browser/scene.ts'
import { shoot, shootThemes } from '../support/browser/shots.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()

browserTest(browser, 'messages are searched by words and filters, paged, and jumped to', async (chromium) => {
  const { alice, bob, server_id, channel_id } = await setScene(parley)
  for (let n = 1; n <= 27; n++) await say(alice, channel_id, `Lapwing number ${n} over the marsh`)
  await say(bob, channel_id, 'I saw a **lapwing** at https://example.org/lapwings, did you?')
  await parley.sweep()
  // Otherwise the channel may open at the first unread message, without the newest.
  expect((await alice.post(`/api/servers/${server_id}/read-all`)).status).toBe(204)
  const visitor = await Visitor.as(chromium, alice, `/app/servers/${server_id}/channels/${channel_id}`, {
    timezoneId: 'Pacific/Auckland',
  })
  const { page } = visitor
  const field = page.getByRole('combobox', { name: 'Search messages' })
  const results = page.locator('.result')
  await visitor.sees(visitor.message('did you?'))

  await page.keyboard.press('Control+f')
  await visitor.sees(field)
  await visitor.until(() => field.evaluate((element) => element === document.activeElement))
  await visitor.sees(page.getByRole('option', { name: /^from:/ }))
  await shoot(visitor, 'search-filters')
  await field.pressSequentially('lapwing fr')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await field.pressSequentially('bo')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  expect(await field.inputValue()).toBe('lapwing from:Bob ')
  await visitor.sees('1 message')
  expect(await results.locator('mark').allTextContents()).toEqual(['lapwing', 'lapwings'])
  await shoot(visitor, 'search-one')

  await field.fill('lapwing marsh')
  await visitor.sees('25 or more messages')
  await visitor.button('Show more').click()
  await visitor.sees('27 messages')
  await shoot(visitor, 'search-wide')
  expect(await faultsOf(visitor)).toEqual([])
  await results.filter({ hasText: 'number 3 over' }).click()
  await visitor.sees(visitor.message('number 3 over'))
  await visitor.until(async () => {
    const { y = -1 } = (await visitor.message('number 3 over').boundingBox()) ?? {}
    return y > 0 && y < 800
  })
  expect(new URL(page.url()).pathname).toBe(`/app/servers/${server_id}/channels/${channel_id}`)

  await field.fill('from:nobody lapwing')
  await page.keyboard.press('Enter')
  await visitor.sees('Nobody here is called “nobody”.')
  await field.fill('ostrich')
  await visitor.sees('No messages found')
  await shoot(visitor, 'search-empty')
  await field.fill('"!!"')
  await visitor.sees(/Ask for a word/)
  await field.fill('has:image has:link')
  await visitor.sees('“has:” can be used only once.')
  // Filters and exclusions find messages without words.
  await field.fill('in:general -lapwing')
  await visitor.sees(results.filter({ hasText: 'Pictures, please!' }))
  expect(await results.filter({ hasText: 'Lapwing number' }).locator('.excerpt', { hasText: 'Lapwing' }).count()).toBe(
    0,
  )
  // With its neighbours, its original, and its pictures.
  await field.fill('pictures please')
  await visitor.sees('1 message')
  const reply = results.filter({ has: page.locator('.excerpt', { hasText: 'Pictures, please!' }) })
  await visitor.sees(reply.locator('.replied').getByText(/I was there at six/))
  await visitor.sees(reply.locator('.beside').getByText(/every ten minutes/))
  await field.fill('has:image')
  await visitor.sees(results.locator('.pictures img'))
  await visitor.until(() =>
    results.locator('.pictures img').evaluate((img) => (img as HTMLImageElement).naturalWidth > 0),
  )
  await shootThemes(visitor, 'search-context')
  expect(await faultsOf(visitor)).toEqual([])
  // A day is a day in the person's time zone.
  const request = page.waitForRequest(/api\/search/)
  await field.fill('before:2020-05-05')
  expect(new URL((await request).url()).searchParams.get('before')).toBe('2020-05-04T12:00:00.000Z')
  await visitor.sees('Nothing found.')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await visitor.misses(field)
  await visitor.leave()
})

browserTest(browser, 'on a phone the search is a separate page, light and dark', async (chromium) => {
  const { alice, server_id, channel_id } = await setScene(parley)
  await say(alice, channel_id, '明日は東京で鳥を見ます')
  await parley.sweep()
  for (const colorScheme of ['light', 'dark'] as const) {
    const path = `/app/servers/${server_id}/channels/${channel_id}`
    const visitor = await Visitor.as(chromium, alice, path, { viewport: { width: 390, height: 800 }, colorScheme })
    const { page } = visitor
    await visitor.button('Search messages').click()
    const field = page.getByRole('combobox', { name: 'Search messages' })
    await field.fill('東京')
    await visitor.sees('1 message')
    expect(await page.locator('.result mark').allTextContents()).toEqual(['東京'])
    const box = await page.locator('.search').boundingBox()
    expect(box?.width).toBe(390)
    await field.fill('has:image')
    await visitor.sees(page.locator('.result .pictures img'))
    await shoot(visitor, `search-phone-${colorScheme}`)
    await field.fill('東京')
    // The earlier result is one message as well.
    await visitor.sees(page.locator('.result mark'))
    expect(await faultsOf(visitor)).toEqual([])
    await page.locator('.result').click()
    await visitor.misses(field)
    await visitor.sees(visitor.message('東京'))
    if (colorScheme === 'dark') {
      await page.setViewportSize({ width: 1280, height: 800 })
      await page.keyboard.press('Control+f')
      await visitor.sees('1 message')
      await shoot(visitor, 'search-wide-dark')
      expect(await faultsOf(visitor)).toEqual([])
    }
    await visitor.leave()
  }
})

browserTest(
  browser,
  'on a tablet a search leaves the channel its name, and long names their beginning',
  async (chromium) => {
    const { alice, bob, server_id, channel_id } = await setScene(parley)
    await bob.put('/api/auth/display-name', { display_name: 'Maximilian Featherstone-Whit' })
    await say(bob, channel_id, 'A long name')
    const path = `/app/servers/${server_id}/channels/${channel_id}`
    const visitor = await Visitor.as(chromium, alice, path, { viewport: { width: 1024, height: 768 } })
    await visitor.sees(visitor.message('A long name'))
    await visitor.page.keyboard.press('Control+f')
    await visitor.sees(visitor.page.getByRole('combobox', { name: 'Search messages' }))
    expect((await visitor.page.locator('main h1').boundingBox())?.width).toBeGreaterThan(20)
    const cut = await visitor.page
      .locator('.byline .name', { hasText: 'Maximilian' })
      .last()
      .evaluate((name) => {
        // Narrower than any window leaves it.
        if (name.parentElement) name.parentElement.style.width = '120px'
        const text = document.createTreeWalker(name, NodeFilter.SHOW_TEXT).nextNode()
        const range = document.createRange()
        range.selectNodeContents(text ?? name)
        return name.getBoundingClientRect().left - range.getBoundingClientRect().left
      })
    expect(cut).toBeLessThan(1)
    await visitor.leave()
  },
)
