import { expect } from 'bun:test'
import { person, newServer, standard } from '../support/harness.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()

browserTest(browser, 'two tabs send every message once, and show each other’s waiting messages', async (chromium) => {
  const alice = await person(parley, 'alice')
  const { server_id, channel_id } = await newServer(alice)
  const path = `/app/servers/${server_id}/channels/${channel_id}`
  const first = await Visitor.as(chromium, alice, path)
  const second = await first.tab(path)
  for (const tab of [first, second]) await tab.sees(tab.page.locator('.beginning'))
  // Messages are not sent, as without a network; other requests and sockets stay.
  for (const { page } of [first, second])
    await page.evaluate(() => {
      const send = globalThis.fetch
      const refuse = async (input: RequestInfo | URL, init?: RequestInit) => {
        if (init?.method === 'POST' && String(input).endsWith('/messages')) throw new TypeError('Failed to fetch')
        return send(input, init)
      }
      Object.assign(globalThis, { fetch: refuse, reconnect: () => (globalThis.fetch = send) })
    })
  await first.say('from the first tab')
  await second.say('from the second tab')
  await first.say('again from the first tab')
  for (const tab of [first, second])
    await tab.until(async () => (await tab.page.locator('.message.pending').count()) === 3)
  for (const { page } of [first, second])
    await page.evaluate(() => (globalThis as unknown as { reconnect: () => void }).reconnect())
  for (const tab of [first, second]) {
    await tab.misses(tab.page.locator('.message.pending').first())
    // The other tab may report a send before the gateway delivers the message.
    await tab.until(async () => (await tab.page.locator('.message').count()) === 3)
  }
  const { body } = await alice.get(`/api/channels/${channel_id}/messages`)
  expect(body.map((message: { content: string }) => message.content).toReversed()).toEqual([
    'from the first tab',
    'from the second tab',
    'again from the first tab',
  ])
  await second.leave()
})
