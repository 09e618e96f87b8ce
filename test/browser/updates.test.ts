import { expect, onTestFinished } from 'bun:test'
import { type Person, person, newServer, say, standard, until } from '../support/harness.ts'
import { storedValue } from '../support/browser/kept.ts'
import { Releases } from '../support/browser/releases.ts'
import { Undebugged } from '../support/browser/undebugged.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'
import { befriend, write } from '../support/people.ts'

const parley = await standard()
const browser = await openBrowser()

/** A person's page of the first release. */
async function opened(who: Person, path: string) {
  const releases = Releases.of(parley.url)
  onTestFinished(() => releases.close())
  const page = await Undebugged.open()
  await page.logIn(who.token, releases.url)
  return { releases, page, open: () => page.goto(releases.url + path) }
}

/** The same once its worker controls it and has cached everything loaded. */
async function installed(who: Person, path: string) {
  const { releases, page, open } = await opened(who, path)
  await open()
  await page.until(async () => {
    await navigator.serviceWorker.ready
    const loaded = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/assets/'))
    const files = await Promise.all(loaded.map(({ name }) => caches.match(name)))
    return navigator.serviceWorker.controller !== null && loaded.length > 0 && files.every(Boolean)
  })
  const script = () => page.evaluate(() => document.querySelector('script[type=module]')?.getAttribute('src') ?? '')
  const isSecond = async () => Releases.isSecondScript(await script())
  /** The second release was installed last, so it opens without a network. */
  const isSecondNewest = () =>
    page.evaluate(async () => {
      const versions = (await caches.keys()).filter((name) => name.startsWith('parley-'))
      const newest = await caches.open(versions.at(-1) ?? '')
      return (await newest.match('/app')) !== undefined && versions.at(-1)?.includes('second') === true
    })
  /** Makes the browser check for a new worker, as it does by itself now and then. */
  const update = () => page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()))
  return { releases, page, update, isSecond, isSecondNewest }
}

browserTest(browser, 'a file that is loading while the worker takes over is kept too', async () => {
  const { releases, page, open } = await opened(await person(parley, 'ann'), '/app')
  releases.slowFile = 'part-friends'
  await open()
  await page.until(() => navigator.serviceWorker.controller !== null)
  releases.hurry()
  await page.until(async () => {
    const loaded = performance.getEntriesByType('resource').filter(({ name }) => name.includes('part-friends'))
    return loaded.length > 0 && (await caches.match(loaded[0]?.name ?? '')) !== undefined
  })
})

browserTest(
  browser,
  'after an update the next reload brings the new page, or with a slow network the one after it',
  async () => {
    const { releases, page, update, isSecond, isSecondNewest } = await installed(await person(parley, 'ann'), '/app')
    expect(await isSecond()).toBe(false)
    // The worker waits for a file that does not arrive, so the next worker waits for minutes.
    await page.evaluate((path) => navigator.serviceWorker.controller?.postMessage([path]), Releases.HELD)
    // Pages of the new release arrive too late: the worker shows the old one once, and caches the new one meanwhile.
    Object.assign(releases, { isSecond: true, isSlow: true })
    await page.reload()
    expect(await isSecond()).toBe(false)
    await until(isSecondNewest)
    const states = () =>
      page.evaluate(async () => {
        const { active, installing, waiting } = await navigator.serviceWorker.ready
        return [active?.state, installing?.state, waiting?.state].join()
      })
    await until(async () => (await states()) === 'activated,,installed')
    await page.reload()
    expect(await isSecond()).toBe(true)
    expect(await states()).toBe('activated,,installed')
    // Back to the first release, at once, since the network answers; it is again the release for a slow network.
    releases.hurry()
    releases.isSecond = false
    await page.reload()
    expect(await isSecond()).toBe(false)
    await update()
    await until(async () => !(await isSecondNewest()))
  },
)

browserTest(
  browser,
  'without a network after an update, the last release that ran shows its last content',
  async () => {
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    const { server_id, channel_id } = await newServer(ann, ben)
    await say(ben, channel_id, 'Seen before the update')
    const path = `/app/servers/${server_id}/channels/${channel_id}`
    const { releases, page, update, isSecond, isSecondNewest } = await installed(ann, path)
    const isSeen = () => document.body.innerText.includes('Seen before the update')
    await page.until(isSeen)
    await until(async () => {
      // Imitates a page that goes to the background.
      await page.evaluate(() => void window.dispatchEvent(new Event('pagehide')))
      return (await storedValue(page, 'snapshot')).includes('Seen before the update')
    })
    releases.isSecond = true
    await update()
    await until(isSecondNewest)
    await releases.close()
    await page.reload()
    await page.until(isSeen)
    expect(await isSecond()).toBe(false)
  },
)

browserTest(
  browser,
  'a page that stays open during an upgrade of the server still rings, and answers',
  async (chromium) => {
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    await befriend(ann, ben)
    const { channel_id } = await write(ben, ann, 'Hello')
    // Without a worker, which would have cached the files.
    const visitor = await Visitor.as(chromium, ann, '/app', { serviceWorkers: 'block' })
    const { page } = visitor
    const parts = ['incoming-calls', 'call-panel', 'call-stage', 'talk-gate', 'microphone', 'loudness', 'index']
    await page.waitForFunction((names) => {
      const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
      return names.every((part) => loaded.some((name) => name.includes(`/part-${part}-`)))
    }, parts)
    // An upgraded server lacks the files of the version before.
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
