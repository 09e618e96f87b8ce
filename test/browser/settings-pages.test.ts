import { expect } from 'bun:test'
import { person, newServer, say, standard } from '../support/harness.ts'
import { passersBy } from '../support/people.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { shootThemes } from '../support/browser/shots.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

declare global {
  /** In the page: the number of times that a closed dialog's veil was visible. */
  var veils: number
}

const parley = await standard()
const browser = await openBrowser()

browserTest(
  browser,
  'a search in the settings opens the section of that name, and unsaved changes are kept',
  async (chromium) => {
    const ann = await person(parley, 'ann')
    const { server_id, channel_id } = await newServer(ann)
    const visitor = await Visitor.as(chromium, ann, `/app/servers/${server_id}/channels/${channel_id}`)
    await visitor.inServerMenu('Server settings')
    await visitor.field('Server name').fill('Owls')
    const search = visitor.field('Search settings')
    await search.fill('kick mem')
    const sections = visitor.page.getByRole('navigation', { name: 'Sections' }).getByRole('button')
    expect(await sections.allTextContents()).toEqual(['RolesKick members'])
    await search.press('Enter')
    await visitor.page
      .getByRole('dialog', { name: 'Discard your changes?' })
      .getByRole('button', { name: 'Cancel' })
      .click()
    expect(await visitor.field('Server name').inputValue()).toBe('Owls')
    // Input during the request is not saved by it.
    const hold = Promise.withResolvers<void>()
    await visitor.page.route('**/api/servers/*', (route) => hold.promise.then(() => route.continue()))
    await visitor.button('Save').first().click()
    await visitor.field('Server name').fill('Owls and more')
    hold.resolve()
    await visitor.sees(visitor.page.getByText('Saved', { exact: true }).first())
    const mayLeave = () => visitor.page.evaluate(() => dispatchEvent(new Event('beforeunload', { cancelable: true })))
    expect(await mayLeave()).toBe(false)
    await visitor.field('Server name').fill('Owls')
    expect(await mayLeave()).toBe(true)
    await search.press('Enter')
    await visitor.sees(visitor.page.getByRole('heading', { name: 'Roles', level: 3 }))
    await search.fill('no such thing')
    await visitor.sees('No settings found.')
    await search.fill('')
    expect(await sections.count()).toBeGreaterThan(5)
    await visitor.leave()
  },
)

browserTest(browser, 'a section shows nothing of the one before, and opens at its top', async (chromium) => {
  const ann = await person(parley, 'ann')
  const { server_id, channel_id } = await newServer(ann)
  const visitor = await Visitor.as(chromium, ann, `/app/servers/${server_id}/channels/${channel_id}`)
  await visitor.inServerMenu('Server settings')
  const scroll = visitor.page.locator('dialog.settings > .scroll')
  await visitor.button('Integrations').click()
  await visitor.sees(visitor.field('Webhook name'))
  await visitor.button('Bots').click()
  await visitor.misses(visitor.field('Webhook name'))
  await visitor.sees('No bots yet')
  await visitor.page.setViewportSize({ width: 1280, height: 400 })
  await visitor.button('Explain permissions').click()
  await visitor.sees(visitor.page.locator('.checks li').last())
  await scroll.evaluate((element) => (element.scrollTop = 200))
  await visitor.button('Audit log').click()
  expect(await scroll.evaluate((element) => element.scrollTop)).toBe(0)
  await visitor.leave()
})

browserTest(browser, 'the page brightens as a dialog closes, at once with reduced motion', async (chromium) => {
  const ann = await person(parley, 'ann')
  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    const visitor = await Visitor.as(chromium, ann, '/app', { reducedMotion })
    await visitor.page.getByRole('button', { name: 'Settings', exact: true }).click()
    await visitor.sees(visitor.page.locator('dialog.settings'))
    await visitor.page.evaluate(() => {
      globalThis.veils = 0
      new MutationObserver((changes) => {
        for (const { addedNodes } of changes)
          for (const node of addedNodes) if (node instanceof HTMLElement && node.matches('.leaving')) globalThis.veils++
      }).observe(document.body, { childList: true })
    })
    await visitor.page.keyboard.press('Escape')
    await visitor.misses(visitor.page.locator('dialog'))
    expect(await visitor.page.evaluate(() => globalThis.veils)).toBe(reducedMotion === 'reduce' ? 0 : 1)
    await visitor.misses(visitor.page.locator('.leaving'))
    await visitor.leave()
  }
})

browserTest(browser, 'the remains of a closed dialog block no key of the page, and take no space', async (chromium) => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  const other = (await ann.post(`/api/servers/${server_id}/channels`, { name: 'other', type: 'text' })).body
  const visitor = await Visitor.as(chromium, ann, `/app/servers/${server_id}/channels/${other.id}`)
  const [veil, unread] = [visitor.page.locator('.leaving'), visitor.page.locator('.sidebar .unread')]
  await visitor.sees(visitor.composer())
  await say(ben, channel_id, 'an owl')
  await visitor.sees(unread)
  // Imitates a very busy machine.
  await visitor.page.evaluate(() => document.documentElement.style.setProperty('--move', '100s'))
  await visitor.page.getByRole('button', { name: 'Settings', exact: true }).click()
  await visitor.sees(visitor.page.locator('dialog.settings'))
  await visitor.page.keyboard.press('Escape')
  await visitor.misses(visitor.page.locator('dialog'))
  expect(await veil.count()).toBe(1)
  await visitor.page.keyboard.press('Shift+Escape')
  await visitor.misses(unread)
  // Imitates an animation that ends early.
  await veil.evaluate((element) => (element.style.animation = 'none'))
  await visitor.misses(veil)
  await visitor.leave()
})

browserTest(browser, 'bans are listed page by page, and one of the second page is lifted', async (chromium) => {
  const ann = await person(parley, 'ann')
  const { server_id, channel_id } = await newServer(ann)
  const { sql } = parley.parts
  const names = Array.from({ length: 53 }, (_, n) => `Crow ${n + 1}`)
  await passersBy(parley, ...names)
  await sql`insert into bans (server_id, user_id)
    select ${server_id}, id from users where display_name = any(${names}) order by id`
  const visitor = await Visitor.as(chromium, ann, `/app/servers/${server_id}/channels/${channel_id}`)
  await visitor.inServerMenu('Server settings')
  await visitor.button('Bans').click()
  const rows = visitor.page.locator('dialog .table li')
  const visibleNames = () => rows.locator('bdi').allInnerTexts()
  const more = visitor.button('Show more')
  await visitor.until(async () => (await rows.count()) === 50)
  await more.click()
  await visitor.misses(more)
  expect((await visibleNames()).toSorted()).toEqual(names.toSorted())
  await rows.last().getByRole('button', { name: 'Unban' }).click()
  await visitor.until(async () => (await rows.count()) === 52)
  expect((await ann.get(`/api/servers/${server_id}/bans?limit=100`)).body).toHaveLength(52)
  await visitor.leave()
})

browserTest(browser, 'input in a dialog is asked about before leaving the dialog or the page', async (chromium) => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  const visitor = await Visitor.as(chromium, ann, `/app/servers/${server_id}/channels/${channel_id}`)
  const question = visitor.page.getByRole('dialog', { name: 'Discard your changes?' })
  const mayLeave = () => visitor.page.evaluate(() => dispatchEvent(new Event('beforeunload', { cancelable: true })))
  await visitor.page.locator('.members button', { hasText: ben.display_name }).click()
  await visitor.button('Ban').click()
  const ban = visitor.page.getByRole('dialog', { name: 'Ban' })
  const reason = visitor.field(/^Reason/)
  await visitor.sees(reason)
  expect(await mayLeave()).toBe(true)
  await reason.fill('too loud')
  expect(await mayLeave()).toBe(false)
  await reason.press('Escape')
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(await reason.inputValue()).toBe('too loud')
  await ban.getByRole('button', { name: 'Cancel' }).click()
  await question.getByRole('button', { name: 'Discard changes' }).click()
  await visitor.misses(ban)
  expect(await mayLeave()).toBe(true)
  // Unchanged input is not asked about.
  await visitor.button('Ban').click()
  await reason.fill('x')
  await reason.fill('')
  await reason.press('Escape')
  await visitor.misses(ban)
  expect(await question.count()).toBe(0)
  // The dialog stays during its request.
  const hold = Promise.withResolvers<void>()
  const requestSeen = Promise.withResolvers<void>()
  await visitor.page.route('**/api/servers/*/bans/*', async (route) => {
    requestSeen.resolve()
    await hold.promise
    await route.continue()
  })
  await visitor.button('Ban').click()
  await reason.fill('too loud')
  await ban.getByRole('button', { name: 'Ban' }).click()
  await requestSeen.promise
  await reason.press('Escape')
  await visitor.sees(ban)
  expect(await question.count()).toBe(0)
  hold.resolve()
  await visitor.misses(ban)
  expect(await visitor.page.getByRole('dialog').count()).toBe(0)
  await visitor.leave()
})

browserTest(browser, 'a channel denies, allows or follows, by pointer and by keyboard', async (chromium) => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  const visitor = await Visitor.as(chromium, ann, `/app/servers/${server_id}/channels/${channel_id}`)
  await visitor.page.locator('.sidebar .row', { hasText: 'general' }).hover()
  await visitor.button('Settings of #general').click()
  await visitor.button('Permissions').click()
  const choices = (name: string) => visitor.page.getByRole('radiogroup', { name })
  const bits = async () => (await ann.get(`/api/channels/${channel_id}/permissions`)).body
  expect(await visitor.page.getByText('Kick members').count()).toBe(0)
  await visitor.page.locator('summary', { hasText: 'Messages' }).click()
  await choices('Send messages').getByRole('radio', { name: 'Deny' }).check()
  // Arrow keys move the choice.
  await choices('Attach files').getByRole('radio', { name: 'Inherit' }).focus()
  await visitor.page.keyboard.press('ArrowRight')
  expect(await choices('Attach files').getByRole('radio', { name: 'Allow' }).isChecked()).toBe(true)
  await visitor.sees('2 set here')
  for (const [width, height] of [
    [390, 844],
    [1280, 800],
  ] as const) {
    await visitor.page.setViewportSize({ width, height })
    expect(await faultsOf(visitor)).toEqual([])
    // The save button stays in view.
    await visitor.until(async () => {
      const box = await visitor.button('Save').boundingBox()
      return box !== null && box.y + box.height <= height
    })
    await shootThemes(visitor, `settings-permissions-${width}`)
  }
  await visitor.button('Save').click()
  await visitor.sees(visitor.page.getByText('Saved', { exact: true }).first())
  expect(await bits()).toMatchObject([{ allow: 2 ** 15, deny: 2 ** 11 }])
  for (const name of ['Send messages', 'Attach files'])
    await choices(name).getByRole('radio', { name: 'Inherit' }).check()
  await visitor.button('Save').click()
  await visitor.until(async () => (await bits()).length === 0)
  await visitor.leave()
})

browserTest(browser, 'one switch makes a channel private, which has a lock in its members’ lists', async (chromium) => {
  const [ann, ben, cat] = [await person(parley, 'ann'), await person(parley, 'ben'), await person(parley, 'cat')]
  const { server_id, channel_id } = await newServer(ann, ben, cat)
  const role = (await ann.post(`/api/servers/${server_id}/roles`, { name: 'Wardens' })).body
  await ann.post(`/api/servers/${server_id}/members/${ben.id}/roles/${role.id}`)
  const path = `/app/servers/${server_id}/channels/${channel_id}`
  const [owner, warden, member] = [
    await Visitor.as(chromium, ann, path),
    await Visitor.as(chromium, ben, path),
    await Visitor.as(chromium, cat, path),
  ]
  await owner.button('New text channel').click()
  await owner.field('Channel name').fill('nests')
  await owner.button('Create channel').click()
  for (const visitor of [warden, member]) await visitor.sees(visitor.link('nests'))
  await owner.button('Settings of #nests').click()
  await owner.button('Permissions').click()
  await owner.page.getByRole('switch', { name: /^Private channel/ }).check()
  for (const visitor of [warden, member]) await visitor.misses(visitor.link('nests'))
  await owner.page.getByRole('checkbox', { name: 'Wardens' }).check()
  await warden.sees(warden.link('nests, private'))
  expect(await faultsOf(owner)).toEqual([])
  await shootThemes(owner, 'settings-private')
  await owner.button('Close').click()
  await owner.sees(owner.link('nests, private'))
  await owner.page.reload()
  await owner.sees(owner.link('nests, private'))
  expect(await member.link('nests').count()).toBe(0)
  await shootThemes(owner, 'private-list')

  await owner.button('Settings of #nests').click()
  await owner.button('Permissions').click()
  await owner.page.getByRole('switch', { name: /^Private channel/ }).uncheck()
  await member.sees(member.link('nests'))
  await owner.button('Close').click()
  await owner.misses(owner.link('nests, private'))

  // A channel can be private from the start.
  await owner.button('New text channel').click()
  await owner.field('Channel name').fill('plans')
  await owner.page.getByRole('switch', { name: /^Private channel/ }).check()
  await owner.button('Create channel').click()
  await owner.sees(owner.link('plans, private'))
  await member.misses(member.link('plans'))
  for (const visitor of [owner, warden, member]) await visitor.leave()
})

browserTest(browser, 'the owner of a server views it as a role, and stops', async (chromium) => {
  const ann = await person(parley, 'ann')
  const { server_id, channel_id } = await newServer(ann)
  const everyone = (await ann.get(`/api/servers/${server_id}/roles`)).body[0]
  const role = (await ann.post(`/api/servers/${server_id}/roles`, { name: 'Wardens' })).body
  for (const [name, isVisible] of [
    ['nests', true],
    ['ledger', false],
  ] as const) {
    const { id } = (await ann.post(`/api/servers/${server_id}/channels`, { name, type: 'text' })).body
    await ann.put(`/api/channels/${id}/permissions/${everyone.id}`, { deny: 1024 })
    if (isVisible) await ann.put(`/api/channels/${id}/permissions/${role.id}`, { allow: 1024 })
  }
  const visitor = await Visitor.as(chromium, ann, `/app/servers/${server_id}/channels/${channel_id}`)
  const look = async (name: string) => {
    await visitor.inServerMenu('Server settings')
    await visitor.button('Roles').click()
    await visitor.page.locator('.split').getByRole('button', { name }).click()
    await visitor.button('View the server as this role').click()
  }
  await visitor.sees(visitor.link('ledger, private'))
  await look('Wardens')
  await visitor.sees('You are viewing the server as Wardens.')
  await visitor.sees(visitor.link('nests'))
  expect([await visitor.link('ledger').count(), await visitor.button('New text channel').count()]).toEqual([0, 0])
  await shootThemes(visitor, 'viewed-as')
  await visitor.button('Stop').click()
  await visitor.sees(visitor.link('ledger'))
  await look('Everyone')
  await visitor.sees('You are viewing the server as a member without roles.')
  expect([await visitor.link('ledger').count(), await visitor.link('nests').count()]).toEqual([0, 0])
  await visitor.button('Stop').click()
  await visitor.sees(visitor.button('New text channel'))
  await visitor.leave()
})
