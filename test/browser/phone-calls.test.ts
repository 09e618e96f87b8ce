import { beforeAll, expect } from 'bun:test'
import type { Browser } from 'playwright-core'
import type { Parley } from '../../src/parley.ts'
import { type Person, person, newServer, say } from '../support/harness.ts'
import { WORKER_MS } from '../support/media-worker.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { PHONE } from '../support/browser/finger.ts'
import { shootThemes } from '../support/browser/shots.ts'
import { smallTargets } from '../support/browser/targets.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'
import { bootCalls } from '../support/browser/voice.ts'

const browser = await openBrowser()
let parley: Parley
// On a new machine the media worker is built first, which takes longer than a test may.
beforeAll(async () => void (parley = await bootCalls()), WORKER_MS)

interface Call {
  /** A person in a call, on a phone. */
  visitor: Visitor
  desk: Visitor
  ann: Person
  voice_id: number
  server_id: number
}

/** Two people in a call, one of them on a phone. */
async function inCall(chromium: Browser, locale = 'en-GB'): Promise<Call> {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id } = await newServer(ann, ben)
  const voice = await ann.post(`/api/servers/${server_id}/channels`, { name: 'Hide', type: 'voice' })
  const path = `/app/servers/${server_id}/channels/${voice.body.id}`
  const desk = await Visitor.as(chromium, ben, path)
  await desk.button('Join voice').click()
  await desk.sees(desk.button('Leave the call'))
  const visitor = await Visitor.as(chromium, ann, path, { ...PHONE, locale })
  await visitor.page.locator('.voice > .primary').tap()
  await visitor.sees(visitor.page.locator('.participant').nth(1))
  await visitor.sees(visitor.page.locator('.voice .hang-up'))
  return { visitor, desk, ann, voice_id: voice.body.id, server_id }
}

browserTest(browser, 'on a phone a call fills the screen, and a line leads back to it', async (chromium) => {
  const { visitor, desk, ann, voice_id } = await inCall(chromium)
  const { page } = visitor
  const stage = page.locator('.voice.full')
  await visitor.sees(stage)
  expect(await stage.boundingBox()).toEqual({ x: 0, y: 0, ...PHONE.viewport })
  for (const button of await page.locator('.voice .controls button').all()) {
    const { width = 0, height = 0 } = (await button.boundingBox()) ?? {}
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(52)
  }
  await shootThemes(visitor, 'phone-call')
  expect(await faultsOf(visitor)).toEqual([])
  await visitor.button('Shrink the call').tap()
  await visitor.misses(stage)
  const line = visitor.button('Return to the call in Hide')
  await visitor.sees(line.first())
  // The messages have the space.
  await say(ann, voice_id, 'A heron in the hide')
  await visitor.sees(visitor.message('A heron'))
  await visitor.composer().fill('A half sentence')
  await shootThemes(visitor, 'phone-call-small')
  // It stays small while the tabs are above its channel.
  await page.locator('.menu-button').tap()
  await page.locator('.phone-tabs button').last().tap()
  await visitor.sees(page.locator('.phone-page .pill button'))
  expect(await stage.count()).toBe(0)
  await page.keyboard.press('Escape')
  await visitor.misses(page.locator('.shell.open'))
  await line.first().tap()
  await visitor.sees(stage)
  // Back makes it small as well.
  await page.keyboard.press('Escape')
  await visitor.misses(stage)
  expect(await visitor.composer().inputValue()).toBe('A half sentence')
  await page.locator('.menu-button').tap()
  await page.locator('.sidebar').getByRole('link', { name: 'general' }).tap()
  await visitor.sees(page.getByRole('heading', { name: 'general', level: 1 }))
  await visitor.sees(page.locator('.content .pill button'))
  for (const nth of [0, 2, 3]) {
    if (nth === 0) await page.locator('.menu-button').tap()
    await page.locator('.phone-tabs button').nth(nth).tap()
    await visitor.sees(page.locator('.pill button:visible').first())
  }
  await shootThemes(visitor, 'phone-call-tabs')
  await page.locator('.phone-page .pill button').tap()
  await visitor.sees(stage)
  await visitor.button('Leave the call').tap()
  await visitor.misses(stage)
  expect(await page.locator('.pill').count()).toBe(0)
  await visitor.sees(visitor.composer())
  for (const each of [visitor, desk]) await each.leave()
})

browserTest(browser, 'a call keeps the screen of a phone that is turned on its side', async (chromium) => {
  const { visitor, desk } = await inCall(chromium)
  const { page } = visitor
  const stage = page.locator('.voice.full')
  const sideways = { width: 844, height: 390 }
  await page.setViewportSize(sideways)
  await visitor.until(async () => (await stage.boundingBox())?.width === sideways.width)
  expect(await stage.boundingBox()).toEqual({ x: 0, y: 0, ...sideways })
  // Everyone and every button is on it.
  for (const part of await page.locator('.voice.full :is(.participant, footer button)').all()) {
    const box = await part.boundingBox()
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(sideways.height)
  }
  await shootThemes(visitor, 'phone-call-sideways')
  await visitor.button('Shrink the call').tap()
  await visitor.sees(visitor.composer())
  await shootThemes(visitor, 'phone-call-sideways-small')
  await page.locator('.pill button:visible').first().tap()
  await visitor.sees(stage)
  for (const each of [visitor, desk]) await each.leave()
})

browserTest(browser, 'a finger hits every target of a call on a phone', async (chromium) => {
  const faults: string[] = []
  for (const locale of ['en-GB', 'ar']) {
    const { visitor, desk } = await inCall(chromium, locale)
    const { page } = visitor
    const look = async (name: string) => {
      await visitor.until(async () => (await page.locator('.loading').count()) === 0)
      for (const width of [360, 390, 430]) {
        await page.setViewportSize({ width, height: 844 })
        for (const fault of await smallTargets(visitor)) faults.push(`${name} ${locale} ${width}: ${fault}`)
      }
    }
    await look('full')
    await page.locator('.participant .enlarge').last().tap()
    await visitor.sees(page.locator('.screen.person'))
    await look('large')
    await page.locator('.person-more').first().tap()
    await look('person')
    await page.keyboard.press('Escape')
    await page.locator('.voice.full > header button').tap()
    await visitor.sees(page.locator('.pill button:visible').first())
    await look('small')
    for (const each of [visitor, desk]) await each.leave()
  }
  expect(faults).toEqual([])
})
