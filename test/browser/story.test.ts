import { expect } from 'bun:test'
import { newServer, person, say, standard } from '../support/harness.ts'
import { stories } from '../support/browser/stories/stories.ts'
import { tellStories } from '../support/browser/stories/story.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()

tellStories(browser, parley, stories)

browserTest(
  browser,
  'unread channels are marked, a line shows the first new message, and reading removes both',
  async (chromium) => {
    const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
    const { server_id, channel_id } = await newServer(alice, bob)
    const other = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'other', type: 'text' })).body
    await say(alice, channel_id, 'read already')
    const reader = await Visitor.as(chromium, bob, `/app/servers/${server_id}/channels/${channel_id}`)
    await reader.sees(reader.message('read already'))
    await reader.misses(reader.page.locator('.sidebar .unread'))
    await reader.link('other').click()
    await reader.page.waitForTimeout(900)
    await say(alice, channel_id, `a call for <@${bob.id}>`)
    await say(alice, channel_id, 'and more')
    const link = reader.page.locator('.sidebar .unread')
    await reader.sees(link)
    expect(await link.locator('.badge').getAttribute('data-count')).toBe('1')
    await link.getByRole('link').click()
    await reader.sees(reader.page.locator('.message:has(.rule.new)', { hasText: 'a call for' }))
    await reader.misses(link)
    await reader.page.reload()
    await reader.sees(reader.message('and more'))
    await reader.misses(link)
    expect(other.name).toBe('other')
    await reader.leave()
  },
)

browserTest(browser, 'a reload and a lost connection lose no message and send none twice', async (chromium) => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id, channel_id } = await newServer(alice, bob)
  const path = `/app/servers/${server_id}/channels/${channel_id}`
  const visitor = await Visitor.as(chromium, alice, path)
  await visitor.say('before')
  await visitor.sees(visitor.page.locator('.message:not(.pending)', { hasText: 'before' }))
  await visitor.page.reload()
  await visitor.sees(visitor.message('before'))

  await visitor.page.context().setOffline(true)
  await bob.post('/api/auth/ws-ticket')
  // setOffline keeps open sockets, so the page gets the event too.
  await visitor.page.evaluate(() => window.dispatchEvent(new Event('offline')))
  await visitor.say('written offline')
  await visitor.sees(visitor.page.locator('.message.pending', { hasText: 'written offline' }))
  await say(bob, channel_id, 'said meanwhile')
  await visitor.page.reload().catch(() => {})
  await visitor.page.context().setOffline(false)
  await visitor.page.goto(parley.url + path)
  await visitor.sees(visitor.message('said meanwhile'))
  await visitor.sees(visitor.page.locator('.message:not(.pending)', { hasText: 'written offline' }))
  const { body } = await bob.get(`/api/channels/${channel_id}/messages`)
  expect(body.map((message: { content: string }) => message.content).toSorted()).toEqual([
    'before',
    'said meanwhile',
    'written offline',
  ])
  await visitor.leave()
})

browserTest(
  browser,
  'an old browser says in words that it is too old, even if it cannot read the client',
  async (chromium) => {
    for (const isReadable of [true, false]) {
      const context = await chromium.newContext({ locale: 'de-DE', serviceWorkers: 'block' })
      await context.addInitScript(() => Reflect.deleteProperty(URL, 'parse'))
      if (!isReadable)
        await context.route('**/assets/main-*.js', (route) =>
          route.fulfill({ contentType: 'text/javascript', body: 'a syntax of tomorrow' }),
        )
      const page = await context.newPage()
      await page.goto(`${parley.url}/login`)
      const sentence = page.getByRole('alert')
      await sentence.waitFor()
      expect(await sentence.textContent()).toStartWith('Dieser Browser ist zu alt für Parley.')
      expect(await page.locator('#app').count()).toBe(0)
      await context.close()
    }
  },
)
