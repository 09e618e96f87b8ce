import { person, standard } from '../support/harness.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'
import { befriend, write } from '../support/people.ts'

const parley = await standard()
const browser = await openBrowser()

browserTest(
  browser,
  'a page that stays open while the server is upgraded still rings, and answers',
  async (chromium) => {
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    await befriend(ann, ben)
    const { channel_id } = await write(ben, ann, 'Hello')
    // Without a worker, which keeps files that were loaded before.
    const visitor = await Visitor.as(chromium, ann, '/app', { serviceWorkers: 'block' })
    const { page } = visitor
    const parts = ['incoming-calls', 'call-panel', 'call-stage', 'talk-gate', 'microphone', 'loudness', 'index']
    await page.waitForFunction((names) => {
      const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
      return names.every((part) => loaded.some((name) => name.includes(`/part-${part}-`)))
    }, parts)
    // A server that was upgraded does not have the files of the version before.
    await page.route('**/assets/**', (route) => route.fulfill({ status: 404 }))
    const caller = await Visitor.as(chromium, ben, `/c/${channel_id}`)
    await caller.button('Start a call').click()
    await visitor.button('Accept').click()
    await visitor.sees(visitor.page.locator('.participants .speaking', { hasText: ben.display_name }))
    await caller.sees(caller.page.locator('.participants .speaking', { hasText: ann.display_name }))
    for (const each of [visitor, caller]) await each.leave()
  },
)

browserTest(browser, 'a call whose code cannot be loaded says so in the language of the page', async (chromium) => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  await befriend(ann, ben)
  const { channel_id } = await write(ben, ann, 'Hello')
  const visitor = await Visitor.as(chromium, ann, '/login', { serviceWorkers: 'block', locale: 'de-DE' })
  await visitor.page.route('**/assets/part-talk-gate-*', (route) => route.fulfill({ status: 404 }))
  await visitor.page.goto(`${parley.url}/c/${channel_id}`)
  await visitor.button('Anruf starten').click()
  await visitor.sees(/Dieser Teil der Seite konnte nicht geladen werden/)
  await visitor.leave()
})
