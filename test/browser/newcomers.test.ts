import { expect } from 'bun:test'
import { person, newServer, say, standard } from '../support/harness.ts'
import { shootThemes } from '../support/browser/shots.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

browserTest(
  browser,
  'the app on a phone reopens the last place, and its menu button shows unread messages',
  async (chromium) => {
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    const { server_id, channel_id } = await newServer(ann, ben)
    const reeds = (await ann.post(`/api/servers/${server_id}/channels`, { name: 'reeds', type: 'text' })).body.id
    const visitor = await Visitor.as(chromium, ben, `/app/servers/${server_id}/channels/${channel_id}`, PHONE)
    await visitor.sees(visitor.composer())
    const menu = visitor.page.locator('.menu-button')
    expect(await menu.getAttribute('aria-label')).toBe('Channels and servers')
    await say(ann, reeds, 'A bittern booms')
    await visitor.sees(visitor.button('Channels and servers, something is unread'))
    await shootThemes(visitor, 'phone-unread')
    await visitor.page.goto(`${parley.url}/app`)
    await visitor.page.waitForURL(`**/app/servers/${server_id}/channels/${channel_id}`)
    await visitor.sees(visitor.composer())
    await visitor.leave()
  },
)

browserTest(
  browser,
  'the whole of a long server name is shown, and opens a menu with leaving in it',
  async (chromium) => {
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    const { server_id, channel_id } = await newServer(ann, ben)
    await ann.put(`/api/servers/${server_id}`, { name: 'Birdwatchers of the lower river valley' })
    const visitor = await Visitor.as(chromium, ben, `/app/servers/${server_id}/channels/${channel_id}`)
    const name = visitor.page.locator('.server-name bdi')
    await visitor.sees('Birdwatchers of the lower river valley')
    const isWhole = (it: HTMLElement) => it.scrollHeight <= it.clientHeight + 1 && it.scrollWidth <= it.clientWidth
    expect(await name.evaluate(isWhole)).toBe(true)
    await visitor.inServerMenu('Invite people')
    // The dialog has a link at once, and the same one when it opens again.
    const linkOf = async () => {
      await visitor.until(async () => (await visitor.field('Invite link').inputValue()) !== '')
      return visitor.field('Invite link').inputValue()
    }
    const link = await linkOf()
    await shootThemes(visitor, 'invite')
    await visitor.page.keyboard.press('Escape')
    await visitor.misses(visitor.page.locator('dialog'))
    await visitor.inServerMenu('Invite people')
    expect(await linkOf()).toBe(link)
    await visitor.page.keyboard.press('Escape')
    await visitor.misses(visitor.page.locator('dialog'))
    await visitor.page.locator('.server-name').click()
    await visitor.sees(visitor.page.getByRole('menuitem', { name: 'Leave server' }))
    await shootThemes(visitor, 'server-menu')
    await visitor.page.getByRole('menuitem', { name: 'Leave server' }).click()
    await visitor.sees(visitor.page.getByRole('dialog', { name: 'Leave server' }))
    await visitor.leave()
  },
)

browserTest(
  browser,
  'a message of emoji only is large, and an open window that is zoomed to 200 % keeps its messages in view',
  async (chromium) => {
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    const { server_id, channel_id } = await newServer(ann, ben)
    for (const text of ['👍🏽 🎉', 'Nice 👍', 'A secret: ||the nest||']) await say(ann, channel_id, text)
    const visitor = await Visitor.as(chromium, ben, `/app/servers/${server_id}/channels/${channel_id}`)
    const sizeOf = (text: string) =>
      visitor
        .message(text)
        .locator('.rich')
        .evaluate((it) => parseFloat(getComputedStyle(it).fontSize))
    await visitor.sees(visitor.message('Nice'))
    expect(await sizeOf('🎉')).toBeGreaterThan(2 * (await sizeOf('Nice')))
    await shootThemes(visitor, 'large-emoji')
    // Zooming in has this effect on a page: half as many pixels.
    await visitor.page.setViewportSize({ width: 640, height: 400 })
    await visitor.misses(visitor.page.locator('aside.members'))
    const box = await visitor.message('Nice').boundingBox()
    expect(box?.width).toBeGreaterThan(400)
    await shootThemes(visitor, 'zoomed')
    await visitor.leave()
  },
)

browserTest(
  browser,
  'the emoji picker opens next to the composer without darkening the page, and its tabs lead to each group',
  async (chromium) => {
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    const { server_id, channel_id } = await newServer(ann, ben)
    const visitor = await Visitor.as(chromium, ben, `/app/servers/${server_id}/channels/${channel_id}`)
    const { page } = visitor
    await visitor.button('Insert an emoji').click()
    const picker = page.locator('dialog.picker')
    await visitor.sees(picker)
    await shootThemes(visitor, 'picker')
    expect(await picker.evaluate((it) => getComputedStyle(it, '::backdrop').backgroundColor)).toBe('rgba(0, 0, 0, 0)')
    const [box, composer] = [await picker.boundingBox(), await page.locator('.composer').boundingBox()]
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual((composer?.y ?? 0) + 1)
    await picker.getByRole('button', { name: 'Flags' }).click()
    await visitor.until(() => picker.getByRole('group', { name: 'Flags' }).locator('.choice').first().isVisible())
    // WebKit's search fields swallow Escape, so the dialog gets no `cancel`.
    await picker.evaluate((it) => it.addEventListener('cancel', (event) => event.stopImmediatePropagation(), true))
    await picker.evaluate((it) => Reflect.set(it, 'oncancel', null))
    await page.keyboard.press('Escape')
    await visitor.misses(picker)
    await page.setViewportSize({ width: 390, height: 844 })
    await visitor.button('Insert an emoji').click()
    await visitor.sees(picker)
    await shootThemes(visitor, 'picker-phone')
    await visitor.leave()
  },
)
