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

browserTest(
  browser,
  'registration by an invite always shows the server, errors at each field, and the typed text',
  async (chromium) => {
    const ann = await person(parley, 'ann')
    const { server_id } = await newServer(ann)
    await ann.put(`/api/servers/${server_id}`, { name: 'Lakeside' })
    const { code } = (await ann.post('/api/invites', { server_id })).body
    const visitor = await Visitor.stranger(chromium, parley, `/invite/${code}`)
    await visitor.link('Create account').click()
    await visitor.sees('Next, you will join Lakeside.')
    await visitor.field('What should people call you?').fill('Newcomer')
    await visitor.field('Username').fill(ann.username)
    await visitor.field('E-mail').fill('newcomer@example.org')
    await visitor.field('Password').fill('short')
    await visitor.button('Show what I type').click()
    expect(await visitor.field('Password').getAttribute('type')).toBe('text')
    await visitor.button('Create account').click()
    const field = visitor.page.locator('.field', { hasText: 'Password' })
    await visitor.sees(field.getByRole('alert'))
    expect(await visitor.field('Password').evaluate((it) => it === document.activeElement)).toBe(true)
    await shootThemes(visitor, 'register')
    await visitor.field('Password').fill('Correct-Horse-7!')
    await visitor.button('Create account').click()
    await visitor.sees(visitor.page.locator('.field', { hasText: 'Username' }).getByRole('alert'))
    await visitor.page.setViewportSize({ width: 390, height: 844 })
    await shootThemes(visitor, 'register-phone')
    await visitor.link('Log in').click()
    await visitor.sees('Next, you will join Lakeside.')
    await visitor.leave()
  },
)

browserTest(
  browser,
  'a moderator bans and deletes recent messages, times out with a reason, and finds both in the log',
  async (chromium) => {
    const [ann, ben, mallory] = [
      await person(parley, 'ann'),
      await person(parley, 'ben'),
      await person(parley, 'mallory'),
    ]
    const { server_id, channel_id } = await newServer(ann, ben, mallory)
    await say(mallory, channel_id, 'Buy feathers')
    const visitor = await Visitor.as(chromium, ann, `/app/servers/${server_id}/channels/${channel_id}`)
    const { page } = visitor
    const choose = async (who: string, act: string) => {
      await page.locator('.members button', { hasText: who }).click({ button: 'right' })
      await page.getByRole('menuitem', { name: act }).click()
    }
    await choose(ben.display_name, 'Time out')
    await visitor.field(/^Reason/).fill('Shouts at herons')
    await shootThemes(visitor, 'timeout')
    await page.locator('dialog').getByRole('button', { name: 'Time out' }).click()
    await visitor.misses(page.locator('dialog'))
    await choose(mallory.display_name, 'Ban')
    await page.getByRole('combobox', { name: 'Delete their messages from the last' }).selectOption({ index: 1 })
    await shootThemes(visitor, 'ban')
    await page.locator('dialog').getByRole('button', { name: 'Ban' }).click()
    await visitor.misses(visitor.message('Buy feathers'))
    await visitor.inServerMenu('Server settings')
    await visitor.button('Audit log').click()
    await visitor.sees('Shouts at herons')
    await visitor.sees('deleted messages from the last')
    await shootThemes(visitor, 'audit')
    await page.getByRole('combobox', { name: 'Action' }).selectOption('member.timed_out')
    await visitor.misses(page.locator('.audit li', { hasText: 'banned' }))
    await visitor.sees('Shouts at herons')
    await page.getByRole('combobox', { name: 'Person' }).selectOption({ label: ann.display_name })
    await visitor.sees('Shouts at herons')
    await page.setViewportSize({ width: 390, height: 844 })
    await shootThemes(visitor, 'audit-phone')
    await visitor.leave()
  },
)

browserTest(browser, 'a community begins with news that members read and do not write', async (chromium) => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  await newServer(ann, ben)
  const visitor = await Visitor.as(chromium, ann)
  await visitor.button('Add a server').click()
  await visitor.page.getByText('Club or community').click()
  await visitor.field('Server name').fill('Weir club')
  await visitor.button('Continue').click()
  await visitor.sees('Everyone can read, only moderators can write')
  await shootThemes(visitor, 'setup-channels')
  await visitor.sees('Roles that can manage')
  await visitor.sees(/^Kick members/)
  await visitor.button('Create server').click()
  await visitor.button('Skip for now').click()
  await visitor.button('Skip for now').click()
  await visitor.until(async () => (await visitor.field('Invite link').inputValue()) !== '')
  const link = await visitor.field('Invite link').inputValue()
  await ben.post(`/api/invites/${link.split('/').at(-1)}/join`)
  const servers = (await ben.get('/api/servers')).body
  const { id } = servers.find((server: { name: string }) => server.name === 'Weir club')
  const channels: { id: number; name: string }[] = (await ben.get(`/api/servers/${id}/channels`)).body
  const send = async (name: string) => {
    const channel = channels.find((each) => each.name === name)
    return (await ben.post(`/api/channels/${channel?.id}/messages`, { content: 'Hello' })).status
  }
  expect([await send('news'), await send('introductions')]).toEqual([403, 201])
  await visitor.leave()
})
