import { expect, test } from 'bun:test'
import { person, newServer, standard } from '../../support/harness.ts'
import { passersBy } from '../../support/people.ts'
import { Page } from '../../support/page.ts'

const parley = await standard()

test('a search in the settings opens the section of that name, and unsaved changes are kept', async () => {
  const ann = await person(parley, 'ann')
  const { server_id, channel_id } = await newServer(ann)
  const page = await Page.as(ann, `/app/servers/${server_id}/channels/${channel_id}`)
  await page.inServerMenu('Server settings')
  await page.field('Server name').fill('Owls')
  const search = page.field('Search settings')
  await search.fill('kick mem')
  const sections = page.getByRole('navigation', { name: 'Sections' }).getByRole('button')
  expect(await sections.allTextContents()).toEqual(['RolesKick members'])
  await search.press('Enter')
  await page.getByRole('dialog', { name: 'Discard your changes?' }).getByRole('button', { name: 'Cancel' }).click()
  expect(await page.field('Server name').inputValue()).toBe('Owls')
  // Input during the request is not saved by it.
  const hold = Promise.withResolvers<void>()
  await page.route('**/api/servers/*', (route) => hold.promise.then(() => route.continue()))
  await page.button('Save').first().click()
  await page.field('Server name').fill('Owls and more')
  hold.resolve()
  await page.sees(page.getByText('Saved', { exact: true }).first())
  const mayLeave = () => page.evaluate(() => dispatchEvent(new Event('beforeunload', { cancelable: true })))
  expect(await mayLeave()).toBe(false)
  await page.field('Server name').fill('Owls')
  expect(await mayLeave()).toBe(true)
  await search.press('Enter')
  await page.sees(page.getByRole('heading', { name: 'Roles', level: 3 }))
  await search.fill('no such thing')
  await page.sees('No settings found.')
  await search.fill('')
  expect(await sections.count()).toBeGreaterThan(5)
  await page.leave()
})

test('a section shows nothing of the one before', async () => {
  const ann = await person(parley, 'ann')
  const { server_id, channel_id } = await newServer(ann)
  const page = await Page.as(ann, `/app/servers/${server_id}/channels/${channel_id}`)
  await page.inServerMenu('Server settings')
  await page.button('Integrations').click()
  await page.sees(page.field('Webhook name'))
  await page.button('Bots').click()
  await page.misses(page.field('Webhook name'))
  await page.sees('No bots yet')
  await page.leave()
})

test('bans are listed page by page, and one of the second page is lifted', async () => {
  const ann = await person(parley, 'ann')
  const { server_id, channel_id } = await newServer(ann)
  const { sql } = parley.parts
  const names = Array.from({ length: 53 }, (_, n) => `Crow ${n + 1}`)
  await passersBy(parley, ...names)
  await sql`insert into bans (server_id, user_id)
    select ${server_id}, id from users where display_name = any(${names}) order by id`
  const page = await Page.as(ann, `/app/servers/${server_id}/channels/${channel_id}`)
  await page.inServerMenu('Server settings')
  await page.button('Bans').click()
  const rows = page.locator('dialog .table li')
  const visibleNames = () => rows.locator('bdi').allInnerTexts()
  const more = page.button('Show more')
  await page.until(async () => (await rows.count()) === 50)
  await more.click()
  await page.misses(more)
  expect((await visibleNames()).toSorted()).toEqual(names.toSorted())
  await rows.last().getByRole('button', { name: 'Unban' }).click()
  await page.until(async () => (await rows.count()) === 52)
  expect((await ann.get(`/api/servers/${server_id}/bans?limit=100`)).body).toHaveLength(52)
  await page.leave()
})

test('discarded changes close the settings, and what opened them has the focus again', async () => {
  const ann = await person(parley, 'ann')
  const { server_id, channel_id } = await newServer(ann)
  const page = await Page.as(ann, `/app/servers/${server_id}/channels/${channel_id}`)
  await page.locator('.server-name').focus()
  await page.inServerMenu('Server settings')
  await page.field('Server name').fill('Owls')
  await page.field('Server name').press('Escape')
  await page.button('Discard changes').click()
  await page.misses(page.locator('dialog'))
  expect(await page.evaluate(() => document.activeElement?.matches('.server-name'))).toBe(true)
  await page.leave()
})

test('input in a dialog is asked about before leaving the dialog or the page', async () => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  const page = await Page.as(ann, `/app/servers/${server_id}/channels/${channel_id}`)
  const question = page.getByRole('dialog', { name: 'Discard your changes?' })
  const mayLeave = () => page.evaluate(() => dispatchEvent(new Event('beforeunload', { cancelable: true })))
  await page.locator('.members button', { hasText: ben.display_name }).click()
  await page.button('Ban').click()
  const ban = page.getByRole('dialog', { name: 'Ban' })
  const reason = page.field(/^Reason/)
  await page.sees(reason)
  expect(await mayLeave()).toBe(true)
  await reason.fill('too loud')
  expect(await mayLeave()).toBe(false)
  await reason.press('Escape')
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(await reason.inputValue()).toBe('too loud')
  await ban.getByRole('button', { name: 'Cancel' }).click()
  await question.getByRole('button', { name: 'Discard changes' }).click()
  await page.misses(ban)
  expect(await mayLeave()).toBe(true)
  // Unchanged input is not asked about.
  await page.button('Ban').click()
  await reason.fill('x')
  await reason.fill('')
  await reason.press('Escape')
  await page.misses(ban)
  expect(await question.count()).toBe(0)
  // The dialog stays during its request.
  const hold = Promise.withResolvers<void>()
  const requestSeen = Promise.withResolvers<void>()
  await page.route('**/api/servers/*/bans/*', async (route) => {
    requestSeen.resolve()
    await hold.promise
    await route.continue()
  })
  await page.button('Ban').click()
  await reason.fill('too loud')
  await ban.getByRole('button', { name: 'Ban' }).click()
  await requestSeen.promise
  await reason.press('Escape')
  await page.sees(ban)
  expect(await question.count()).toBe(0)
  hold.resolve()
  await page.misses(ban)
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.leave()
})

test('a channel denies, allows or follows, by pointer and by keyboard', async () => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  const page = await Page.as(ann, `/app/servers/${server_id}/channels/${channel_id}`)
  await page.locator('.sidebar .row', { hasText: 'general' }).hover()
  await page.button('Settings of #general').click()
  await page.button('Permissions').click()
  const choices = (name: string) => page.getByRole('radiogroup', { name })
  const bits = async () => (await ann.get(`/api/channels/${channel_id}/permissions`)).body
  expect(await page.getByText('Kick members').count()).toBe(0)
  await page.locator('summary', { hasText: 'Messages' }).click()
  await choices('Send messages').getByRole('radio', { name: 'Deny' }).check()
  // Arrow keys move the choice.
  await choices('Attach files').getByRole('radio', { name: 'Inherit' }).focus()
  await page.keyboard.press('ArrowRight')
  expect(await choices('Attach files').getByRole('radio', { name: 'Allow' }).isChecked()).toBe(true)
  await page.sees('2 set here')
  await page.button('Save').click()
  await page.sees(page.getByText('Saved', { exact: true }).first())
  expect(await bits()).toMatchObject([{ allow: 2 ** 15, deny: 2 ** 11 }])
  for (const name of ['Send messages', 'Attach files'])
    await choices(name).getByRole('radio', { name: 'Inherit' }).check()
  await page.button('Save').click()
  await page.until(async () => (await bits()).length === 0)
  await page.leave()
})

test('one switch makes a channel private, which has a lock in its members’ lists', async () => {
  const [ann, ben, cat] = [await person(parley, 'ann'), await person(parley, 'ben'), await person(parley, 'cat')]
  const { server_id, channel_id } = await newServer(ann, ben, cat)
  const role = (await ann.post(`/api/servers/${server_id}/roles`, { name: 'Wardens' })).body
  await ann.post(`/api/servers/${server_id}/members/${ben.id}/roles/${role.id}`)
  const path = `/app/servers/${server_id}/channels/${channel_id}`
  const [owner, warden, member] = [await Page.as(ann, path), await Page.as(ben, path), await Page.as(cat, path)]
  await owner.button('New text channel').click()
  await owner.field('Channel name').fill('nests')
  await owner.button('Create channel').click()
  for (const page of [warden, member]) await page.sees(page.link('nests'))
  await owner.button('Settings of #nests').click()
  await owner.button('Permissions').click()
  await owner.getByRole('switch', { name: /^Private channel/ }).check()
  for (const page of [warden, member]) await page.misses(page.link('nests'))
  await owner.getByRole('checkbox', { name: 'Wardens' }).check()
  await warden.sees(warden.link('nests, private'))
  await owner.button('Close').click()
  await owner.sees(owner.link('nests, private'))
  await owner.reload()
  await owner.sees(owner.link('nests, private'))
  expect(await member.link('nests').count()).toBe(0)

  await owner.button('Settings of #nests').click()
  await owner.button('Permissions').click()
  await owner.getByRole('switch', { name: /^Private channel/ }).uncheck()
  await member.sees(member.link('nests'))
  await owner.button('Close').click()
  await owner.misses(owner.link('nests, private'))

  // A channel can be private from the start.
  await owner.button('New text channel').click()
  await owner.field('Channel name').fill('plans')
  await owner.getByRole('switch', { name: /^Private channel/ }).check()
  await owner.button('Create channel').click()
  await owner.sees(owner.link('plans, private'))
  await member.misses(member.link('plans'))
  for (const page of [owner, warden, member]) await page.leave()
})

test('the owner of a server views it as a role, and stops', async () => {
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
  const page = await Page.as(ann, `/app/servers/${server_id}/channels/${channel_id}`)
  const look = async (name: string) => {
    await page.inServerMenu('Server settings')
    await page.button('Roles').click()
    await page.locator('.split').getByRole('button', { name }).click()
    await page.button('View the server as this role').click()
  }
  await page.sees(page.link('ledger, private'))
  await look('Wardens')
  await page.sees('You are viewing the server as Wardens.')
  await page.sees(page.link('nests'))
  expect([await page.link('ledger').count(), await page.button('New text channel').count()]).toEqual([0, 0])
  await page.button('Stop').click()
  await page.sees(page.link('ledger'))
  await look('Everyone')
  await page.sees('You are viewing the server as a member without roles.')
  expect([await page.link('ledger').count(), await page.link('nests').count()]).toEqual([0, 0])
  await page.button('Stop').click()
  await page.sees(page.button('New text channel'))
  await page.leave()
})

test('who sees a private channel cannot be changed while the change before is being saved', async () => {
  const ann = await person(parley, 'ann')
  const { server_id, channel_id } = await newServer(ann)
  await ann.post(`/api/servers/${server_id}/roles`, { name: 'Wardens' })
  const page = await Page.as(ann, `/app/servers/${server_id}/channels/${channel_id}`)
  await page.button('Settings of #general').click()
  await page.button('Permissions').click()
  const hold = Promise.withResolvers<void>()
  page.route('**/permissions/*', (route) => hold.promise.then(() => route.continue()))
  await page.getByRole('switch', { name: /^Private channel/ }).check()
  const warden = page.getByRole('checkbox', { name: 'Wardens' })
  await page.until(() => warden.isDisabled())
  hold.resolve()
  await warden.check()
  await page.until(async () => (await ann.get(`/api/channels/${channel_id}/permissions`)).body.length === 2)
  await page.until(() => warden.isChecked())
  await page.leave()
})
