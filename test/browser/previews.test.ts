import { afterAll, expect } from 'bun:test'
import { boot, type Person, newServer, say, stop } from '../support/harness.ts'
import { befriend, passersBy } from '../support/people.ts'
import { png } from '../support/uploads.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { shootThemes } from '../support/browser/shots.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'
import { page, response, WebHost } from '../support/web-host.ts'
import { post, webhook } from '../support/webhooks.ts'

const browser = await openBrowser()
const parley = await boot({ LINK_PREVIEWS: 'on', PREVIEW_ALLOWED_ADDRESSES: '127.0.0.1' })
const web = await new WebHost().listen()
afterAll(async () => {
  await stop(parley)
  web.close()
})

browserTest(browser, 'cards appear under a message by themselves, and their author removes them', async (chromium) => {
  web.on('/large.png', response(200, { 'content-type': 'image/png' }, await png(1200, 600)))
  const link = web.on(
    '/film',
    page(`<title>Kingfishers</title><meta name="description" content="<b>They</b> dive">
      <meta name="author" content="Ada">
      <meta property="og:image" content="/large.png"><meta property="og:type" content="video.other">`),
  )
  const [alice, bob] = (await passersBy(parley, 'alice', 'bob')) as [Person, Person]
  const { server_id, channel_id } = await newServer(alice, bob)
  const path = `/app/servers/${server_id}/channels/${channel_id}`
  const [writer, reader] = [await Visitor.as(chromium, alice, path), await Visitor.as(chromium, bob, path)]
  await writer.say(`Look: ${link}`)
  for (const visitor of [writer, reader]) {
    const card = visitor.message('Look').locator('.embed')
    await visitor.sees(card.getByText('<b>They</b> dive'))
    expect(await card.getByRole('link', { name: 'Kingfishers' }).getAttribute('href')).toBe(link)
    expect(await card.getByRole('link', { name: 'Kingfishers' }).getAttribute('rel')).toContain('noreferrer')
    // The box has its size before the picture is loaded.
    const box = await card.locator('.embed-picture').boundingBox()
    expect([box?.width, box?.height]).toEqual([400, 200])
    await visitor.until(() => card.locator('img').evaluate((img) => (img as HTMLImageElement).naturalWidth === 512))
    expect(await faultsOf(visitor)).toEqual([])
    await visitor.page.setViewportSize({ width: 390, height: 800 })
    const narrow = await card.boundingBox()
    expect((narrow?.x ?? 0) + (narrow?.width ?? 999)).toBeLessThanOrEqual(390)
    expect((await card.locator('.embed-picture').boundingBox())?.width).toBeGreaterThan(200)
    await visitor.page.setViewportSize({ width: 1280, height: 800 })
  }
  await shootThemes(reader, 'embed-card')
  await reader.message('Look').hover()
  await reader.message('Look').getByRole('button', { name: 'More' }).click()
  expect(await reader.page.getByRole('menuitem', { name: 'Remove previews' }).count()).toBe(0)
  await reader.page.keyboard.press('Escape')
  await writer.message('Look').hover()
  await writer.message('Look').getByRole('button', { name: 'More' }).click()
  await writer.page.getByRole('menuitem', { name: 'Remove previews' }).click()
  await writer.page.getByRole('dialog').getByRole('button', { name: 'Remove previews' }).click()
  for (const visitor of [writer, reader]) await visitor.misses(visitor.message('Look').locator('.embed'))
  expect(await reader.message('Look').getByText('(edited)').count()).toBe(0)
  // People who may remove them can restore them.
  await reader.message('Look').hover()
  await reader.message('Look').getByRole('button', { name: 'More' }).click()
  await reader.sees(reader.page.getByRole('menuitem', { name: 'Copy text' }))
  expect(await reader.page.getByRole('menuitem', { name: 'Show previews' }).count()).toBe(0)
  await reader.page.keyboard.press('Escape')
  await writer.page.reload()
  await writer.message('Look').hover()
  await writer.message('Look').getByRole('button', { name: 'More' }).click()
  await shootThemes(writer, 'message-menu')
  await writer.page.getByRole('menuitem', { name: 'Show previews' }).click()
  for (const visitor of [writer, reader]) await visitor.sees(visitor.message('Look').locator('.embed'))
  await writer.leave()
  await reader.leave()
})

browserTest(
  browser,
  'a link to a picture shows it, and opens the link; previews in private are a setting',
  async (chromium) => {
    const link = web.on('/bird.png', response(200, { 'content-type': 'image/png' }, await png(300, 200)))
    const [carol, dora] = (await passersBy(parley, 'carol', 'dora')) as [Person, Person]
    await befriend(carol, dora)
    const { server_id, channel_id } = await newServer(carol)
    await say(carol, channel_id, link)
    const visitor = await Visitor.as(chromium, carol, `/app/servers/${server_id}/channels/${channel_id}`)
    const picture = visitor.page.getByRole('link', { name: /Picture from 127\.0\.0\.1/ })
    await visitor.sees(picture)
    expect(await picture.getAttribute('href')).toBe(link)
    // The viewer shows it, between the pictures of cards and files before and after it.
    web.on('/weir.png', response(200, { 'content-type': 'image/png' }, await png(900, 600)))
    const film = web.on('/weir', page('<title>At the weir</title><meta property="og:image" content="/weir.png">'))
    await say(carol, channel_id, film)
    await visitor.sees(visitor.page.locator('.embed').getByText('At the weir'))
    await picture.click()
    const viewer = visitor.page.locator('dialog.viewer')
    await visitor.sees(viewer.getByText('1 of 2'))
    await visitor.until(() => viewer.locator('img').evaluate((img) => (img as HTMLImageElement).naturalWidth > 0))
    const original = viewer.getByRole('link', { name: 'Open the original in a new tab' })
    expect(await original.getAttribute('href')).toBe(link)
    await visitor.page.keyboard.press('ArrowRight')
    await visitor.sees(viewer.getByRole('heading', { name: 'At the weir' }))
    expect(await original.getAttribute('href')).toBe(film)
    await shootThemes(visitor, 'viewer')
    expect(await faultsOf(visitor)).toEqual([])
    await visitor.page.keyboard.press('Escape')
    await visitor.misses(viewer)
    await visitor.button('Picture from At the weir').click()
    await visitor.sees(viewer.getByText('2 of 2'))
    await visitor.page.keyboard.press('Escape')
    await visitor.misses(viewer)
    await visitor.button(/^Settings$/).click()
    await visitor.button('Privacy').click()
    const setting = visitor.page.getByRole('checkbox', { name: /Link previews/ })
    await setting.waitFor()
    expect(await setting.isChecked()).toBe(false)
    await setting.check()
    await visitor.sees(/Saved/)
    expect((await carol.get('/api/auth/privacy')).body.link_previews).toBe(true)
    expect((await dora.get('/api/auth/privacy')).body.link_previews).toBe(false)
    await visitor.leave()
  },
)

browserTest(
  browser,
  'a webhook’s message shows its own picture in the channel, as reply, pinned and found; the next shows none',
  async (chromium) => {
    const avatar_url = web.on('/face.png', response(200, { 'content-type': 'image/png' }, await png(90, 90)))
    const [alice, bob] = (await passersBy(parley, 'alice', 'bob')) as [Person, Person]
    const { server_id, channel_id } = await newServer(alice, bob)
    const { url } = await webhook(alice, channel_id)
    const reader = await Visitor.as(chromium, bob, `/app/servers/${server_id}/channels/${channel_id}`)
    await post(alice, url, { content: 'A kestrel', avatar_url })
    await post(alice, url, { content: 'Without one' })
    const avatar = reader.message('A kestrel').locator('.gutter img')
    await reader.until(() => avatar.evaluate((img) => (img as HTMLImageElement).naturalWidth === 90))
    const src = await avatar.getAttribute('src')
    expect(src).toMatch(/^\/media\/previews\/[0-9a-f]{32}\.webp$/)
    // The next message begins a new group.
    await reader.sees(reader.message('Without one').locator('.byline', { hasText: 'Grafana' }))
    expect(await reader.message('Without one').locator('.gutter img').count()).toBe(0)
    expect(await faultsOf(reader)).toEqual([])
    await shootThemes(reader, 'webhooks-avatar')

    const written = (await bob.get(`/api/channels/${channel_id}/messages`)).body
    const { id } = written.find(({ content }: { content: string }) => content === 'A kestrel')
    await bob.post(`/api/channels/${channel_id}/messages`, { content: 'Where?', reply_to_id: id })
    const quoted = reader.message('Where?').locator('.quoted img')
    await reader.sees(quoted)
    expect(await quoted.getAttribute('src')).toBe(src)
    await alice.put(`/api/channels/${channel_id}/pins/${id}`)
    await reader.page.getByRole('button', { name: 'Pinned messages', exact: true }).click()
    const pinned = reader.page.locator('dialog.pins img.picture')
    await reader.sees(pinned)
    expect(await pinned.getAttribute('src')).toBe(src)
    await reader.page.keyboard.press('Escape')
    await parley.sweep()
    await reader.page.keyboard.press('Control+f')
    await reader.page.getByRole('combobox', { name: 'Search messages' }).fill('kestrel')
    await reader.page.keyboard.press('Enter')
    const found = reader.page.locator('.result', { hasText: 'kestrel' }).locator('img.picture')
    await reader.sees(found)
    expect(await found.getAttribute('src')).toBe(src)
    await reader.leave()
  },
)
