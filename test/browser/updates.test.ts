import { expect } from 'bun:test'
import type { Browser } from 'playwright-core'
import { type Person, person, room, say, standard } from '../support/harness.ts'
import { kept } from '../support/browser/kept.ts'
import { Releases } from '../support/browser/releases.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'
import { befriend, write } from '../support/people.ts'

const parley = await standard()
const browser = await openBrowser()

/** A person's page of the first release, once its worker has it and all that it has loaded. */
async function installed(chromium: Browser, who: Person, path: string) {
  const releases = Releases.of(parley.url)
  const visitor = await Visitor.stranger(chromium, { ...parley, url: releases.url }, '/login')
  const { page } = visitor
  const cookie = { name: 'session', value: who.token, url: releases.url, httpOnly: true }
  await page.context().addCookies([cookie])
  await page.goto(releases.url + path)
  await page.waitForFunction(async () => {
    await navigator.serviceWorker.ready
    const loaded = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/assets/'))
    const files = await Promise.all(loaded.map(({ name }) => caches.match(name)))
    return navigator.serviceWorker.controller !== null && files.every(Boolean)
  })
  const script = page.locator('script[src]').first()
  const reload = async () => {
    await page.reload({ waitUntil: 'commit' })
    await script.waitFor({ state: 'attached' })
  }
  const isSecond = async () => Releases.isSecondScript((await script.getAttribute('src')) ?? '')
  /** Whether the second release is the one that was installed last, so that it is opened without a network. */
  const isSecondNewest = () =>
    page.evaluate(async () => {
      const versions = (await caches.keys()).filter((name) => name.startsWith('parley-'))
      const newest = await caches.open(versions.at(-1) ?? '')
      return (await newest.match('/app')) && versions.at(-1)?.includes('second')
    })
  /** Has the browser look for another worker, as it does by itself now and then. */
  const update = () => page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()))
  return { releases, visitor, page, reload, update, isSecond, isSecondNewest }
}

browserTest(
  browser,
  'after an update the page is the new one at the next reload; where the network is slow, at the one after it',
  async (chromium) => {
    const { releases, visitor, page, reload, update, isSecond, isSecondNewest } = await installed(
      chromium,
      await person(parley, 'ann'),
      '/app',
    )
    expect(await isSecond()).toBe(false)
    // The worker is busy with a file that does not come: the next one waits until it is done, for minutes.
    await page.evaluate((path) => navigator.serviceWorker.controller?.postMessage([path]), Releases.HELD)
    // Pages of the new release do not come in time: the worker shows the old one once, and takes the new one meanwhile.
    Object.assign(releases, { isSecond: true, isSlow: true })
    await reload()
    expect(await isSecond()).toBe(false)
    await visitor.until(async () => (await isSecondNewest()) === true)
    const states = () =>
      page.evaluate(async () => {
        const { active, installing, waiting } = await navigator.serviceWorker.ready
        return [active?.state, installing?.state, waiting?.state]
      })
    await visitor.until(async () => (await states())[2] === 'installed')
    await reload()
    expect(await isSecond()).toBe(true)
    expect(await states()).toEqual(['activated', undefined, 'installed'])
    // Back to the first release, at once, since the network answers; it is the one for a slow network again.
    releases.hurry()
    releases.isSecond = false
    await reload()
    expect(await isSecond()).toBe(false)
    await update()
    await visitor.until(async () => (await isSecondNewest()) === false)
    await visitor.leave()
    await releases.close()
  },
)

browserTest(
  browser,
  'without a network after an update, the release that showed it last shows what was last seen',
  async (chromium) => {
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    const { server_id, channel_id } = await room(ann, ben)
    await say(ben, channel_id, 'Seen before the update')
    const { releases, visitor, page, reload, update, isSecond, isSecondNewest } = await installed(
      chromium,
      ann,
      `/app/servers/${server_id}/channels/${channel_id}`,
    )
    await visitor.sees('Seen before the update')
    await visitor.until(async () => {
      // As when the page is put aside.
      await page.evaluate(() => window.dispatchEvent(new Event('pagehide')))
      return (await kept(page, 'snapshot')).includes('Seen before the update')
    })
    releases.isSecond = true
    await update()
    await visitor.until(async () => (await isSecondNewest()) === true)
    await releases.close()
    await reload()
    await visitor.sees('Seen before the update')
    expect(await isSecond()).toBe(false)
    await visitor.leave()
  },
)

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
