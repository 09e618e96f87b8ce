import { expect } from 'bun:test'
import { person, newServer, say, standard } from '../support/harness.ts'
import { fingerOn, gesturesLoaded, PHONE, swipe, tapTwice } from '../support/browser/finger.ts'
import { setScene } from '../support/browser/scene.ts'
import { shootThemes } from '../support/browser/shots.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()

/** The notch, round corners and bottom bar of a phone, px. */
const NOTCHED = { top: 47, bottom: 34, left: 12, right: 20 }

/** A page of a person on a phone, in a channel with a message. */
async function inChannel(chromium: NonNullable<typeof browser>, options = {}) {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  for (let nth = 1; nth <= 30; nth++) await say(ann, channel_id, `Heron ${nth} of the morning`)
  const path = `/app/servers/${server_id}/channels/${channel_id}`
  const visitor = await Visitor.as(chromium, ann, path, { ...PHONE, ...options })
  await visitor.sees(visitor.message('Heron 30'))
  return { visitor, page: visitor.page, ann, ben, channel_id }
}

/** The interactive elements that lie partly in the unsafe areas. */
const unsafe = ({ page }: Visitor): Promise<string[]> =>
  page.evaluate(({ top, bottom, left, right }) => {
    const dialogs = document.querySelectorAll('dialog[open], .menu')
    const root = dialogs.item(dialogs.length - 1) ?? document.body
    return [...root.querySelectorAll<HTMLElement>('button, a[href], input, textarea, h1, h2')]
      .filter((element) => {
        const box = element.getBoundingClientRect()
        const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
        const hit = document.elementFromPoint(x, y)
        const isHit = hit !== null && (element.contains(hit) || hit.contains(element))
        const isOutside =
          box.top < top || box.bottom > innerHeight - bottom || box.left < left || box.right > innerWidth - right
        return element.checkVisibility() && isHit && isOutside && !element.closest('.scroll, .server-list')
      })
      .map((element) => element.outerHTML.slice(0, 120))
  }, NOTCHED)

/** Waits until what has opened rests in the safe area. */
async function isSafe(visitor: Visitor): Promise<void> {
  let rest: string[] = []
  await visitor.until(async () => (rest = await unsafe(visitor)).length === 0).catch(() => expect(rest).toEqual([]))
}

browserTest(browser, 'nothing that is touched lies below the notch or the corners of a phone', async (chromium) => {
  const { visitor, page } = await inChannel(chromium)
  const screen = await fingerOn(visitor)
  await screen.send('Emulation.setSafeAreaInsetsOverride', { insets: NOTCHED })
  await visitor.until(async () => (await page.locator('main > .bar').boundingBox())?.y === NOTCHED.top)
  await isSafe(visitor)
  await shootThemes(visitor, 'phone-notch')
  await page.locator('.menu-button').tap()
  for (const nth of [0, 1, 2, 3]) {
    await page.locator('.phone-tabs button').nth(nth).tap()
    await isSafe(visitor)
  }
  await page.locator('.you li button').nth(1).tap()
  await visitor.sees(page.locator('dialog.settings'))
  await isSafe(visitor)
  await shootThemes(visitor, 'phone-notch-settings')
  await page.keyboard.press('Escape')
  await visitor.misses(page.locator('dialog'))
  await page.keyboard.press('Escape')
  await visitor.misses(page.locator('.shell.open'))
  await visitor.opensMenus()
  await visitor.message('Heron 30').dispatchEvent('contextmenu')
  await visitor.sees(page.locator('.menu'))
  await isSafe(visitor)
  await visitor.leave()
})

browserTest(
  browser,
  'a keyboard that the browser draws over the page does not cover the composer',
  async (chromium) => {
    const { visitor, page } = await inChannel(chromium)
    await gesturesLoaded(visitor)
    /** Opens a keyboard of a height as Safari does: only the visible part of the page gets smaller. */
    const type = (height: number) =>
      page.evaluate((covered) => {
        const view = visualViewport as VisualViewport
        Object.defineProperty(view, 'height', { configurable: true, get: () => innerHeight - covered })
        view.dispatchEvent(new Event('resize'))
      }, height)
    const bottom = async () => {
      const box = await visitor.composer().boundingBox()
      return (box?.y ?? 0) + (box?.height ?? 0)
    }
    const usual = await bottom()
    await type(336)
    expect(await bottom()).toBeLessThanOrEqual(844 - 336)
    // The newest message is above it.
    await visitor.until(async () => {
      const last = await visitor.message('Heron 30').boundingBox()
      return (last?.y ?? 0) + (last?.height ?? 0) <= 844 - 336
    })
    await type(0)
    expect(await bottom()).toBe(usual)
    // Two fingers that enlarge the page are no keyboard.
    await page.evaluate(() => Object.defineProperty(visualViewport, 'scale', { get: () => 2 }))
    await type(420)
    expect(await bottom()).toBe(usual)
    await visitor.leave()
  },
)

browserTest(browser, 'a place that a finger opens is read before its keyboard is wanted', async (chromium) => {
  const { visitor, page } = await inChannel(chromium)
  await page.locator('.menu-button').tap()
  await page.locator('.sidebar').getByRole('link', { name: 'general' }).tap()
  await visitor.misses(page.locator('.shell.open'))
  expect(await page.evaluate(() => document.activeElement?.localName)).not.toBe('textarea')
  await visitor.leave()
})

browserTest(browser, 'two taps zoom nowhere on a phone', async (chromium) => {
  const { visitor, page } = await inChannel(chromium)
  const zooming = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('body *')]
        .filter((element) => getComputedStyle(element).touchAction === 'auto')
        .map((element) => element.outerHTML.slice(0, 80)),
    )
  expect(await zooming()).toEqual([])
  await page.locator('.menu-button').tap()
  await page.locator('.phone-tabs button').last().tap()
  await page.locator('.you li button').nth(1).tap()
  await visitor.sees(page.locator('dialog.settings'))
  expect(await zooming()).toEqual([])
  await visitor.leave()
  const stranger = await Visitor.stranger(chromium, parley, '/login', PHONE)
  await stranger.sees(stranger.page.locator('.card'))
  const ofStranger = await stranger.page.evaluate(
    () =>
      [...document.querySelectorAll('body *')].filter((each) => getComputedStyle(each).touchAction === 'auto').length,
  )
  expect(ofStranger).toBe(0)
  await stranger.leave()
})

browserTest(browser, 'a finger that pulls the messages down loads older ones', async (chromium) => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  const { sql } = parley.parts
  await sql`insert into messages (channel_id, author_id, content, created_at)
    select ${channel_id}, ${ben.id}, 'Heron ' || n || '.', now() - (300 - n) * interval '1 minute'
    from generate_series(1, 300) n`
  const visitor = await Visitor.as(chromium, ann, `/app/servers/${server_id}/channels/${channel_id}`, PHONE)
  const { page } = visitor
  await visitor.sees(page.locator('.messages .message').last())
  const jump = visitor.button('Jump to the newest messages')
  const finger = await fingerOn(visitor)
  const first = () =>
    page.evaluate(() =>
      Math.min(...[...document.querySelectorAll('.rich')].map((each) => Number(/\d+/.exec(each.textContent)))),
    )
  await jump.tap()
  await visitor.sees(visitor.message('Heron 300.'))
  await visitor.misses(jump)
  const before = await first()
  await visitor.until(async () => {
    await swipe(finger, { x: 190, y: 200 }, 0, 500)
    return (await first()) < before - 60
  })
  await visitor.sees(jump)
  await visitor.leave()
})

browserTest(
  browser,
  'a picture fills a phone, two fingers enlarge it, and a swipe down closes it',
  async (chromium) => {
    const { alice, channel_id, server_id } = await setScene(parley)
    const visitor = await Visitor.as(chromium, alice, `/app/servers/${server_id}/channels/${channel_id}`, PHONE)
    const { page } = visitor
    await page.locator('.message .image').tap()
    const viewer = page.locator('dialog.viewer')
    const sheet = viewer.locator('.sheet')
    await visitor.sees(viewer.locator('img'))
    await visitor.until(async () => (await viewer.boundingBox())?.height === PHONE.viewport.height)
    expect(await viewer.boundingBox()).toEqual({ x: 0, y: 0, ...PHONE.viewport })
    const finger = await fingerOn(visitor)
    const two = (type: 'touchStart' | 'touchMove', apart: number) =>
      finger.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: [-apart, apart].map((x, id) => ({ x: 195 + x, y: 400, id })),
      })
    const scaleOf = () => sheet.evaluate((element) => new DOMMatrix(getComputedStyle(element).transform).a)
    await two('touchStart', 40)
    for (const apart of [60, 80, 100, 120]) await two('touchMove', apart)
    await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await visitor.until(async () => (await scaleOf()) > 2.5)
    // A picture that is enlarged moves with the finger.
    await swipe(finger, { x: 200, y: 300 }, 0, 150)
    expect(await viewer.count()).toBe(1)
    // Two taps show the whole picture again, and enlarge it again.
    const middle = { x: 195, y: 400 }
    await tapTwice(finger, middle)
    await visitor.until(async () => (await scaleOf()) === 1)
    await tapTwice(finger, middle)
    await visitor.until(async () => (await scaleOf()) === 2.5)
    await page.keyboard.press('0')
    await visitor.until(async () => (await scaleOf()) === 1)
    // A finger that moves more sideways than down does not close it, even without another picture.
    await swipe(finger, { x: 100, y: 300 }, 200, 120)
    expect(await viewer.count()).toBe(1)
    await swipe(finger, { x: 200, y: 300 }, 0, 150)
    await visitor.misses(viewer)
    await visitor.leave()
  },
)
