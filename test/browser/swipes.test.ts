import { expect } from 'bun:test'
import type { CDPSession } from 'playwright-core'
import { person, newServer, say, standard } from '../support/harness.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()

/** Moves a finger over the page in steps. */
async function swipe(finger: CDPSession, from: { x: number; y: number }, dx: number, dy = 0): Promise<void> {
  await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [from] })
  for (let step = 1; step <= 8; step++) {
    const touchPoints = [{ x: from.x + (dx * step) / 8, y: from.y + (dy * step) / 8 }]
    await finger.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints })
  }
  await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

browserTest(browser, 'on a phone a swipe replies to a message, and opens and closes the lists', async (chromium) => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  await say(ben, channel_id, 'An osprey')
  await ann.post(`/api/servers/${server_id}/channels`, { name: 'trips', type: 'text' })
  const visitor = await Visitor.as(chromium, ann, `/app/servers/${server_id}/channels/${channel_id}`, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  await visitor.sees(visitor.message('osprey'))
  // The touch listeners load late.
  await visitor.until(() =>
    visitor.page.evaluate(async () => {
      const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
      const part = loaded.find((name) => name.includes('/part-swipes-'))
      return part !== undefined && (await import(part)) !== undefined
    }),
  )
  const finger = await visitor.page.context().newCDPSession(visitor.page)
  const box = await visitor.message('osprey').boundingBox()
  const at = { x: 250, y: (box?.y ?? 0) + 20 }
  const lists = visitor.page.locator('.shell.open')
  const answered = visitor.page.getByText('Replying to')
  // Neither a short nor a steep swipe does anything.
  await swipe(finger, at, -30)
  await swipe(finger, at, -60, -90)
  expect([await answered.count(), await lists.count()]).toEqual([0, 0])
  await swipe(finger, at, -120)
  await visitor.sees(answered)
  expect(await visitor.message('osprey').evaluate((row) => row.style.translate)).toBe('')
  await swipe(finger, { x: 60, y: 300 }, 150)
  await visitor.sees(lists)
  // A long press opens the actions of another channel.
  await visitor.sees(visitor.button('Settings of #general'))
  expect(await visitor.button('Settings of #trips').count()).toBe(0)
  await swipe(finger, { x: 200, y: 500 }, -150)
  await visitor.misses(lists)
  await visitor.leave()
})
