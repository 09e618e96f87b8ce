import { expect } from 'bun:test'
import { person, newServer, say, standard } from '../support/harness.ts'
import { fingerOn, gesturesLoaded, PHONE, rests, swipe } from '../support/browser/finger.ts'
import { shootThemes } from '../support/browser/shots.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()
const SIDEWAYS = { ...PHONE, viewport: { width: 844, height: 390 } }

/** A person’s page on a touch screen, in a channel with two messages. */
async function inChannel(chromium: NonNullable<typeof browser>, options: typeof PHONE = PHONE) {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  await say(ben, channel_id, 'An osprey')
  await say(ann, channel_id, 'A heron')
  const path = `/app/servers/${server_id}/channels/${channel_id}`
  const visitor = await Visitor.as(chromium, ann, path, options)
  await visitor.sees(visitor.message('heron'))
  await gesturesLoaded(visitor)
  await visitor.opensMenus()
  const finger = await fingerOn(visitor)
  /** Presses long on the text of a message: on a name, which may be long, it would open the menu of a person. */
  const hold = async (text: string) => {
    const box = await visitor.message(text).locator('.body').getByText(text).boundingBox()
    const touchPoints = [{ x: (box?.x ?? 0) + 20, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 }]
    await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
    await visitor.sees(visitor.page.locator('.menu'))
    await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await rests(visitor, visitor.page.locator('.menu'))
  }
  return { visitor, page: visitor.page, sheet: visitor.page.locator('.menu'), finger, hold }
}

browserTest(
  browser,
  'a long press opens a sheet: quick reactions above the actions, within reach of a thumb',
  async (chromium) => {
    const { visitor, page, sheet, hold } = await inChannel(chromium)
    await hold('osprey')
    await shootThemes(visitor, 'phone-sheet')
    const box = await sheet.boundingBox()
    expect([box?.x, box?.width]).toEqual([0, PHONE.viewport.width])
    expect(Math.round((box?.y ?? 0) + (box?.height ?? 0))).toBe(PHONE.viewport.height)
    expect(await sheet.locator('.quick-row button').count()).toBe(6)
    const names = await sheet.locator('[role=menuitem]:not(.quick) > span').allTextContents()
    expect(names.slice(0, 2)).toEqual(['Reply', 'Add a reaction'])
    await sheet.locator('.quick-row button').first().tap()
    await visitor.misses(sheet)
    await visitor.sees(visitor.message('osprey').locator('.reactions [aria-pressed=true]'))
    // A message that is deleted by the sheet does not bring up the keyboard.
    await hold('heron')
    await page.getByRole('menuitem', { name: 'Delete message' }).tap()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete message' }).tap()
    await visitor.misses(visitor.message('heron'))
    expect(await page.evaluate(() => document.activeElement?.localName)).not.toBe('textarea')
    await visitor.leave()
  },
)

browserTest(
  browser,
  'on a phone Enter begins a new line, and buttons send a message, save its edit and give an edit up',
  async (chromium) => {
    const { visitor, page, hold } = await inChannel(chromium)
    await visitor.composer().tap()
    await page.keyboard.type('Two')
    await page.keyboard.press('Enter')
    await page.keyboard.type('lines')
    expect(await visitor.composer().inputValue()).toBe('Two\nlines')
    await page.locator('button.send').tap()
    await visitor.sees(page.locator('.message:not(.pending)', { hasText: 'lines' }))
    const edit = async (text: string) => {
      await hold('lines')
      await page.getByRole('menuitem', { name: 'Edit message' }).tap()
      await visitor.field('Edit message').fill(text)
    }
    const editor = page.locator('.editor')
    await edit('Three\nlines')
    await shootThemes(visitor, 'phone-edit')
    await editor.getByRole('button', { name: 'Save' }).tap()
    await visitor.misses(editor)
    await visitor.sees(visitor.message('Three').getByText('(edited)'))
    await edit('Four\nlines')
    await editor.getByRole('button', { name: 'Cancel' }).tap()
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).tap()
    await visitor.misses(editor)
    await visitor.sees(visitor.message('Three'))
    await visitor.leave()
  },
)

browserTest(browser, 'a sheet closes when a finger pulls it down, by Back, and by a tap above it', async (chromium) => {
  const { visitor, page, sheet, finger, hold } = await inChannel(chromium)
  await hold('osprey')
  const box = await sheet.boundingBox()
  const grip = { x: 195, y: (box?.y ?? 0) + 12 }
  // A short pull does not.
  await swipe(finger, grip, 0, 40)
  await visitor.until(async () => (await sheet.boundingBox())?.y === box?.y)
  // The entries may be pulled as well.
  await swipe(finger, { x: 195, y: (box?.y ?? 0) + 150 }, 0, 160)
  await visitor.misses(sheet)
  await hold('osprey')
  // Escape makes the same request as Back.
  await page.keyboard.press('Escape')
  await visitor.misses(sheet)
  await hold('osprey')
  const members = await visitor.button('Members').boundingBox()
  await page.touchscreen.tap((members?.x ?? 0) + 20, (members?.y ?? 0) + 20)
  await visitor.misses(sheet)
  // The tap did nothing to what lies below.
  await page.waitForTimeout(300)
  expect(await page.locator('.members').count()).toBe(0)
  await visitor.leave()
})

browserTest(browser, 'on a phone held sideways the menu of a message has space for its reactions', async (chromium) => {
  const { visitor, sheet, hold } = await inChannel(chromium, SIDEWAYS)
  await hold('osprey')
  await shootThemes(visitor, 'phone-sideways-menu')
  expect(await sheet.locator('.quick-row button').count()).toBe(6)
  const cut = await sheet.evaluate((element) => element.scrollWidth > element.clientWidth)
  expect(cut).toBe(false)
  const box = await sheet.boundingBox()
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(SIDEWAYS.viewport.height)
  await visitor.leave()
})

browserTest(
  browser,
  'Back closes what covers the page of a phone: the members, the threads, the search',
  async (chromium) => {
    const { visitor, page } = await inChannel(chromium)
    const at = page.url()
    for (const [button, panel] of [
      ['Members', '.members'],
      ['Threads', '.side-panel'],
      ['Search messages', '.search'],
    ] as const) {
      await visitor.button(button).first().tap()
      await visitor.sees(page.locator(panel))
      // Escape makes the same request, wherever the focus is.
      await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
      await page.keyboard.press('Escape')
      await visitor.misses(page.locator(panel))
    }
    expect(page.url()).toBe(at)
    await visitor.leave()
  },
)
