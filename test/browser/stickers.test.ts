import { expect } from 'bun:test'
import { newServer, type Person, person, standard } from '../support/harness.ts'
import { apng } from '../support/animations.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { shootThemes } from '../support/browser/shots.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'
import { png, upload } from '../support/uploads.ts'

const parley = await standard()
const browser = await openBrowser()

const make = async (who: Person, server_id: number, name: string, alt: string, bytes: Uint8Array) => {
  const file_id = (await upload(who, 'picture.png', 'image/png', bytes)).id
  return (await who.post(`/api/servers/${server_id}/stickers`, { name, alt, file_id })).body
}

async function scene() {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id, channel_id } = await newServer(alice, bob)
  for (const name of ['Otter', 'Heron', 'Wren', 'Egret', 'Kingfisher'])
    await make(alice, server_id, name, `${name} waves`, await png(120, 120))
  const moving = await make(alice, server_id, 'Moving', 'A square moves', apng(40))
  const { id } = await upload(alice, 'heron.png', 'image/png', await png(60, 40))
  await alice.post(`/api/channels/${channel_id}/messages`, { file_ids: [id] })
  await bob.post('/api/favourites', { file_id: id })
  return { alice, bob, server_id, channel_id, moving, path: `/app/servers/${server_id}/channels/${channel_id}` }
}

browserTest(
  browser,
  'a sticker is sent by keyboard, stands still for who wants less motion, and axe-core finds no fault',
  async (chromium) => {
    const { bob, moving, path } = await scene()
    const visitor = await Visitor.as(chromium, bob, path, { reducedMotion: 'reduce' })
    const { page } = visitor
    await visitor.sees(visitor.composer())
    await visitor.button('Insert an emoji').click()
    await visitor.sees(page.getByRole('combobox', { name: 'Search emoji' }))
    expect(await faultsOf(visitor)).toEqual([])
    await page.getByRole('tab', { name: 'Emoji' }).focus()
    await page.keyboard.press('ArrowRight')
    await visitor.sees(page.getByRole('option', { name: 'Send sticker Otter: Otter waves' }))
    await shootThemes(visitor, 'sticker-picker')
    expect(await faultsOf(visitor)).toEqual([])
    await page.getByRole('combobox', { name: 'Search stickers' }).fill('square')
    await page.keyboard.press('Enter')
    const picture = page.locator('.message .sticker img')
    await visitor.sees(picture)
    const source = () => picture.evaluate((img) => (img as HTMLImageElement).currentSrc)
    await page.mouse.move(0, 0)
    await visitor.until(async () => (await source()).endsWith(`${moving.url}?still`))
    await picture.hover()
    await visitor.until(async () => (await source()).endsWith(moving.url))
    expect(await faultsOf(visitor)).toEqual([])
    await shootThemes(visitor, 'sticker-message')
    await visitor.button('Insert an emoji').click()
    await page.getByRole('tab', { name: 'Pictures' }).click()
    await visitor.sees(visitor.button('Send heron.png'))
    await shootThemes(visitor, 'kept-pictures')
    expect(await faultsOf(visitor)).toEqual([])
    await visitor.leave()
  },
)

browserTest(browser, 'on a phone the picker and the settings of stickers fit', async (chromium) => {
  const { alice, path } = await scene()
  const visitor = await Visitor.as(chromium, alice, path, { viewport: { width: 360, height: 740 }, hasTouch: true })
  const { page } = visitor
  await visitor.sees(visitor.composer())
  const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)
  await visitor.button('Insert an emoji').click()
  await page.getByRole('tab', { name: 'Stickers' }).click()
  await visitor.sees(page.getByRole('option', { name: 'Send sticker Otter: Otter waves' }))
  await shootThemes(visitor, 'sticker-picker-phone')
  expect(await fits()).toBeTrue()
  expect(await faultsOf(visitor)).toEqual([])
  await page.keyboard.press('Escape')
  await visitor.leave()

  const desk = await Visitor.as(chromium, alice, path)
  await desk.sees(desk.composer())
  await desk.inServerMenu('Server settings')
  await desk.page.getByRole('button', { name: 'Stickers', exact: true }).click()
  await desk.sees(desk.page.getByRole('form', { name: 'Edit Otter' }))
  expect(await faultsOf(desk)).toEqual([])
  await shootThemes(desk, 'sticker-settings')
  await desk.page.setViewportSize({ width: 360, height: 740 })
  await shootThemes(desk, 'sticker-settings-phone')
  expect(await desk.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBeTrue()
  await desk.leave()
})
