import { expect } from 'bun:test'
import { person, room, say, standard } from '../support/harness.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()

/** A server of ann's with a channel that has a message beside the one that is opened, and her page of the latter. */
async function besideAnother(chromium: Parameters<typeof Visitor.as>[0]) {
  const ann = await person(parley, 'ann')
  const { server_id, channel_id } = await room(ann)
  const other = (await ann.post(`/api/servers/${server_id}/channels`, { name: 'other', type: 'text' })).body
  await say(ann, other.id, 'a heron')
  const visitor = await Visitor.as(chromium, ann, `/app/servers/${server_id}/channels/${channel_id}`)
  await visitor.sees(visitor.composer())
  return { visitor, history: `**/api/channels/${other.id}/messages?*` }
}

browserTest(
  browser,
  'a channel whose link is pointed at, or has the focus, is there at the click',
  async (chromium) => {
    for (const point of [
      (visitor: Visitor) => visitor.link('other').hover(),
      (visitor: Visitor) => visitor.link('other').focus(),
    ]) {
      const { visitor, history } = await besideAnother(chromium)
      const answer = visitor.page.waitForResponse(history)
      await point(visitor)
      await (await answer).finished()
      // Nothing more is asked of the server before its messages are shown.
      await visitor.page.route(history, () => {})
      await visitor.link('other').click()
      await visitor.sees(visitor.message('a heron'))
      await visitor.leave()
    }
  },
)

browserTest(browser, 'what loads says so after 200 ms, and not before', async (chromium) => {
  const { visitor, history } = await besideAnother(chromium)
  await visitor.page.evaluate(() => {
    const times: { began?: number; shown?: number } = {}
    Reflect.set(window, 'times', times)
    const look = () => {
      const line = document.querySelector('.messages .loading')
      if (line) times.began ??= performance.now()
      if (line && getComputedStyle(line).visibility === 'visible') times.shown ??= performance.now()
      requestAnimationFrame(look)
    }
    look()
  })
  await visitor.page.route(history, () => {})
  await visitor.link('other').click()
  await visitor.sees(visitor.page.locator('.messages .loading'))
  const [began, shown] = await visitor.page.evaluate(() => {
    const times: { began?: number; shown?: number } = Reflect.get(window, 'times')
    return [times.began ?? 0, times.shown ?? 0]
  })
  // A frame may lie between the beginning of its time and the first look at it.
  expect(shown - began).toBeGreaterThan(150)
  await visitor.leave()
})
