import { expect } from 'bun:test'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { person, newServer, say, standard } from '../support/harness.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { Line } from '../support/browser/line.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()

/** A server of ann's with a channel with a message, a second one that is open, and her page of the second. */
async function besideAnother(chromium: Browser, options: BrowserContextOptions = {}) {
  const ann = await person(parley, 'ann')
  const { server_id, channel_id } = await newServer(ann)
  const other = (await ann.post(`/api/servers/${server_id}/channels`, { name: 'other', type: 'text' })).body
  await say(ann, other.id, 'a heron')
  const visitor = await Visitor.as(chromium, ann, `/app/servers/${server_id}/channels/${channel_id}`, options)
  await visitor.sees(visitor.composer())
  return { visitor, history: `**/api/channels/${other.id}/messages?*` }
}

browserTest(
  browser,
  'a channel whose link has the pointer or the focus is loaded before the click',
  async (chromium) => {
    for (const point of [
      (visitor: Visitor) => visitor.link('other').hover(),
      (visitor: Visitor) => visitor.link('other').focus(),
    ]) {
      const { visitor, history } = await besideAnother(chromium)
      const answer = visitor.page.waitForResponse(history)
      await point(visitor)
      await (await answer).finished()
      // The page sends no other request before its messages are shown.
      await visitor.page.route(history, () => {})
      await visitor.link('other').click()
      await visitor.sees(visitor.message('a heron'))
      await visitor.leave()
    }
  },
)

browserTest(browser, 'a page whose code still loads already has its landmark, on a phone too', async (chromium) => {
  const { visitor } = await besideAnother(chromium, { serviceWorkers: 'block' })
  await visitor.page.setViewportSize({ width: 390, height: 844 })
  // A page in data-saving mode loads no code in advance.
  await visitor.page.addInitScript(() => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } })
  })
  await visitor.page.reload()
  await visitor.sees(visitor.composer())
  await visitor.button('Channels and servers').click()
  await visitor.button(/^Home/).click()
  await visitor.page.route('**/*.js', () => {})
  await visitor.link('Friends').click()
  await visitor.page.locator('main .loading').evaluate((line) => line.getAnimations()[0]?.finish())
  expect((await faultsOf(visitor)).filter((fault) => /region|landmark/.test(fault))).toEqual([])
  await visitor.leave()
})

browserTest(browser, 'a page whose code the network took away is shown once the network is back', async (chromium) => {
  const ann = await person(parley, 'ann')
  const line = await Line.to(parley.url)
  // A page in data-saving mode loads no code in advance.
  const visitor = await Visitor.as(chromium, ann, '/login', { serviceWorkers: 'block' }, () => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } })
  })
  await visitor.page.goto(`${line.url}/app`)
  await visitor.sees(visitor.link('Friends'))
  line.cut()
  await visitor.link('Friends').click()
  await visitor.sees('This part of the page could not be loaded.')
  await line.mend()
  await visitor.sees(visitor.page.getByRole('heading', { name: 'Friends' }))
  await visitor.leave()
  line.cut()
})

browserTest(browser, 'a shortcut that is pressed before its code has loaded is not lost', async (chromium) => {
  const ann = await person(parley, 'ann')
  const { server_id, channel_id } = await newServer(ann)
  const visitor = await Visitor.as(chromium, ann, '/login', { serviceWorkers: 'block' })
  const hurry = Promise.withResolvers<void>()
  await visitor.page.route('**/part-start-*', async (route) => {
    await hurry.promise
    await route.continue()
  })
  await visitor.page.goto(`${parley.url}/app/servers/${server_id}/channels/${channel_id}`)
  await visitor.sees(visitor.page.locator('.beginning'))
  await visitor.page.keyboard.press('Control+k')
  hurry.resolve()
  await visitor.sees(visitor.page.locator('dialog.switcher'))
  await visitor.leave()
})

browserTest(browser, 'a loading part says so after 200 ms, and not before', async (chromium) => {
  const { visitor, history } = await besideAnother(chromium)
  // The test controls the time of the page's animations, because a busy machine may skip them. Code that loads late
  // replaces the line of the page by that of the list.
  await visitor.page.evaluate(() => {
    const waits = new Map<Element, Animation>()
    new MutationObserver(() => {
      for (const line of document.querySelectorAll('.messages .loading')) {
        const [wait] = waits.has(line) ? [] : line.getAnimations()
        wait?.pause()
        if (wait) waits.set(line, wait)
      }
    }).observe(document.body, { childList: true, subtree: true })
    Reflect.set(window, 'shownAfter', (times: number[]) => {
      const line = document.querySelector('.messages .loading')
      const wait = line && waits.get(line)
      if (!wait) return undefined
      return times.map((ms) => {
        wait.currentTime = ms
        return getComputedStyle(line).visibility === 'visible'
      })
    })
  })
  await visitor.page.route(history, () => {})
  await visitor.link('other').click()
  const visibilities = await visitor.page.waitForFunction(() => Reflect.get(window, 'shownAfter')([0, 190, 210]))
  expect(await visibilities.jsonValue()).toEqual([false, false, true])
  await visitor.leave()
})
