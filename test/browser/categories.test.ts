import { expect } from 'bun:test'
import { permissions } from '../../src/core/permissions.ts'
import { person, newServer, standard, until } from '../support/harness.ts'
import { rank } from '../support/places.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()

/** The names in the list of channels, from top to bottom. */
const listed = (visitor: Visitor) => visitor.page.locator('.sidebar nav .row a bdi').allTextContents()
const category = (visitor: Visitor, name: string) => visitor.page.locator('.sidebar .category', { hasText: name })

browserTest(browser, 'categories are made, filled by pointer and keyboard, folded and deleted', async (chromium) => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id, channel_id } = await newServer(alice, bob)
  const path = `/app/servers/${server_id}/channels/${channel_id}`
  const [maker, reader] = [await Visitor.as(chromium, alice, path), await Visitor.as(chromium, bob, path)]
  for (const name of ['North', 'South']) {
    await maker.button('New category').click()
    await maker.field('Category name').fill(name)
    await maker.button('Create category').click()
    await reader.sees(category(reader, name))
  }
  await reader.button('Notifications for North').click()
  await reader.page.getByRole('button', { name: 'Until I turn it off' }).click()
  await reader.page.keyboard.press('Escape')
  await reader.sees(reader.button('Notifications for North, muted'))
  await maker.button('New channel in North').click()
  await maker.field('Channel name').fill('auk')
  await maker.button('Create channel').click()
  await reader.sees(category(reader, 'North').getByRole('link', { name: 'auk' }))

  await maker.link('general').dragTo(category(maker, 'South').locator('header'))
  await reader.sees(category(reader, 'South').getByRole('link', { name: 'general' }))
  await until(async () => (await listed(reader)).join() === 'auk,general')
  await maker.link('auk').focus()
  await maker.page.keyboard.press('Alt+ArrowDown')
  await reader.sees(category(reader, 'South').getByRole('link', { name: 'auk' }))
  await until(async () => (await listed(reader)).join() === 'auk,general')
  await until(async () => (await maker.page.evaluate('document.activeElement.textContent')) === 'auk')
  await maker.page.keyboard.press('Alt+ArrowDown')
  await until(async () => (await listed(reader)).join() === 'general,auk')
  await maker.page.getByRole('button', { name: 'South', exact: true }).focus()
  await maker.page.keyboard.press('Alt+ArrowUp')
  const headings = (visitor: Visitor) => visitor.page.locator('.sidebar .category h3').allTextContents()
  await until(async () => (await headings(reader)).join() === 'South,North')

  // A folded category shows the open channel, also after a reload.
  await reader.page.getByRole('button', { name: 'South', exact: true }).click()
  await until(async () => (await listed(reader)).join() === 'general')
  await reader.page.reload()
  await reader.sees(reader.page.getByRole('heading', { name: 'general', level: 1 }))
  await until(async () => (await listed(reader)).join() === 'general')

  await maker.button('Settings of South').click()
  await maker.field('Category name').fill('Far south')
  await maker.button('Save').click()
  await reader.sees(category(reader, 'Far south'))
  await maker.button('Permissions').click()
  await maker.page.locator('summary', { hasText: 'Messages' }).click()
  await maker.page.getByRole('radiogroup', { name: 'Send messages' }).getByRole('radio', { name: 'Deny' }).check()
  await maker.button('Save').click()
  await reader.sees('You do not have permission to send messages here.')
  await maker.button('Close').click()
  await maker.page.locator('.sidebar .row', { hasText: 'general' }).hover()
  await maker.button('Settings of #general').click()
  await maker.button('Permissions').click()
  await maker.sees('Permissions are synced with Far south.')
  await maker.page.locator('small', { hasText: 'Inherited from Far south: denied' }).waitFor({ state: 'attached' })
  await maker.button('Overview').click()
  await maker.field('Category').selectOption('None')
  await maker.button('Save').click()
  await reader.sees(reader.composer())
  await maker.button('Close').click()
  await maker.button('Settings of Far south').click()
  await maker.button('Delete category').click()
  await maker.page
    .getByRole('dialog', { name: 'Delete category' })
    .getByRole('button', { name: 'Delete category' })
    .click()
  await reader.misses(category(reader, 'Far south'))
  await until(async () => (await listed(reader)).join() === 'general,auk')
  for (const visitor of [maker, reader]) await visitor.leave()
})

browserTest(
  browser,
  'channels are dragged into an order, and out of the categories, with the right to manage one category',
  async (chromium) => {
    const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
    const { server_id, channel_id } = await newServer(alice, bob)
    const make = async (name: string, type: string, parent_id: number | null = null): Promise<number> =>
      (await alice.post(`/api/servers/${server_id}/channels`, { name, type, parent_id })).body.id
    const north = await make('North', 'category')
    await make('South', 'category')
    for (const name of ['auk', 'heron']) await make(name, 'text', north)
    await alice.put(`/api/channels/${channel_id}`, { parent_id: north })
    const role = await rank(parley, server_id, 0, bob)
    const allow = permissions('manage_channels')
    expect((await alice.put(`/api/channels/${north}/permissions/${role}`, { allow, deny: 0 })).status).toBe(200)
    const path = `/app/servers/${server_id}/channels/${channel_id}`
    const [maker, keeper] = [await Visitor.as(chromium, alice, path), await Visitor.as(chromium, bob, path)]
    const order = (visitor: Visitor, names: string) => until(async () => (await listed(visitor)).join() === names)
    const row = (visitor: Visitor, name: string) => visitor.page.locator('.sidebar nav li.row', { hasText: name })

    await keeper.sees(keeper.button('New channel in North'))
    expect(await keeper.button('New channel in South').count()).toBe(0)
    expect(await keeper.button('New category').count()).toBe(0)
    await order(keeper, 'auk,heron,general')
    await row(keeper, 'general').dragTo(row(keeper, 'auk'), { targetPosition: { x: 40, y: 3 } })
    await order(maker, 'general,auk,heron')
    await keeper.link('heron').focus()
    await keeper.page.keyboard.press('Alt+ArrowUp')
    await order(maker, 'general,heron,auk')
    await row(keeper, 'general').hover()
    await keeper.button('Settings of #general').click()
    await keeper.field('Channel name').fill('owls')
    await keeper.button('Save').click()
    await maker.sees(row(maker, 'owls'))

    await row(maker, 'heron').dragTo(maker.page.locator('button.make').first())
    await order(keeper, 'heron,owls,auk')
    expect(await category(keeper, 'North').getByRole('link', { name: 'heron' }).count()).toBe(0)
    for (const visitor of [maker, keeper]) await visitor.leave()
  },
)
