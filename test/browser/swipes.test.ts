import { expect } from 'bun:test'
import { person, newServer, say, standard } from '../support/harness.ts'
import { fingerOn, gesturesLoaded, PHONE, swipe } from '../support/browser/finger.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()

browserTest(browser, 'on a phone a swipe replies to a message, and opens and closes the lists', async (chromium) => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  await say(ben, channel_id, 'An osprey')
  await ann.post(`/api/servers/${server_id}/channels`, { name: 'trips', type: 'text' })
  const visitor = await Visitor.as(chromium, ann, `/app/servers/${server_id}/channels/${channel_id}`, PHONE)
  await visitor.sees(visitor.message('osprey'))
  await gesturesLoaded(visitor)
  const finger = await fingerOn(visitor)
  const box = await visitor.message('osprey').boundingBox()
  const at = { x: 150, y: (box?.y ?? 0) + 20 }
  const lists = visitor.page.locator('.shell.open')
  const answered = visitor.page.getByText('Replying to')
  // Neither a short nor a steep swipe does anything, nor one to the left.
  await swipe(finger, at, 30)
  await swipe(finger, at, 60, 90)
  await swipe(finger, { ...at, x: 300 }, -120)
  expect([await answered.count(), await lists.count()]).toEqual([0, 0])
  await swipe(finger, at, 120)
  await visitor.sees(answered)
  expect(await lists.count()).toBe(0)
  expect(await visitor.message('osprey').evaluate((row) => row.style.translate)).toBe('')
  // From the edge, over the same message.
  await swipe(finger, { ...at, x: 16 }, 150)
  await visitor.sees(lists)
  // A long press opens the actions of another channel.
  await visitor.sees(visitor.button('Settings of #general'))
  expect(await visitor.button('Settings of #trips').count()).toBe(0)
  await swipe(finger, { x: 300, y: 500 }, -150)
  await visitor.misses(lists)
  await visitor.leave()
})

browserTest(browser, 'in a language that reads to the left the swipes go the other way', async (chromium) => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  await say(ben, channel_id, 'An osprey')
  const path = `/app/servers/${server_id}/channels/${channel_id}`
  const visitor = await Visitor.as(chromium, ann, path, { ...PHONE, locale: 'ar' })
  await visitor.sees(visitor.message('osprey'))
  await gesturesLoaded(visitor)
  const finger = await fingerOn(visitor)
  const box = await visitor.message('osprey').boundingBox()
  const at = { x: 250, y: (box?.y ?? 0) + 20 }
  const lists = visitor.page.locator('.shell.open')
  const answered = visitor.page.locator('.replying')
  await swipe(finger, { ...at, x: 100 }, 120)
  expect([await answered.count(), await lists.count()]).toEqual([0, 0])
  await swipe(finger, at, -120)
  await visitor.sees(answered)
  await swipe(finger, { ...at, x: 374 }, -150)
  await visitor.sees(lists)
  await swipe(finger, { x: 90, y: 500 }, 150)
  await visitor.misses(lists)
  await visitor.leave()
})
