import { expect } from 'bun:test'
import { person, newServer, say, standard } from '../support/harness.ts'
import { befriend, write } from '../support/people.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { PHONE } from '../support/browser/finger.ts'
import { setScene } from '../support/browser/scene.ts'
import { shootThemes } from '../support/browser/shots.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()

const tabOf = ({ page }: Visitor, name: string | RegExp) => page.locator('.phone-tabs').getByRole('button', { name })
const back = (visitor: Visitor) => visitor.page.locator('.menu-button')

browserTest(browser, 'the tabs of a phone show what is unread in each part', async (chromium) => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  await ann.put(`/api/servers/${server_id}`, { name: 'Birds' })
  await befriend(ann, ben)
  const visitor = await Visitor.as(chromium, ben, '/app', PHONE)
  await visitor.sees(tabOf(visitor, 'Home'))
  for (const name of ['Home', 'Servers', 'Inbox', 'You']) expect(await tabOf(visitor, name).count()).toBe(1)
  await write(ann, ben, 'An osprey')
  await write(ann, ben, 'And a bittern')
  await visitor.sees(tabOf(visitor, 'Home, 2 unread'))
  await say(ann, channel_id, 'A heron')
  await visitor.sees(tabOf(visitor, 'Servers, unread messages'))
  await say(ann, channel_id, `A kite, <@${ben.id}>`)
  await visitor.sees(tabOf(visitor, 'Servers, 1 unread'))
  await visitor.sees(tabOf(visitor, 'Inbox, 1 unread'))
  await tabOf(visitor, 'Servers').tap()
  await visitor.sees(tabOf(visitor, 'Birds, 1 unread'))
  await visitor.leave()
})

browserTest(browser, 'a phone’s tabs lead to conversations, channels, mentions and settings', async (chromium) => {
  const { alice, bob, channel_id, server_id } = await setScene(parley)
  await say(bob, channel_id, `See you, <@${alice.id}>`)
  const visitor = await Visitor.as(chromium, alice, `/app/servers/${server_id}/channels/${channel_id}`, PHONE)
  const { page } = visitor
  await visitor.sees(visitor.composer())
  // A conversation has the whole height; its back button leads to the channels of its server.
  expect(await page.locator('.phone-tabs').count()).toBe(0)
  await back(visitor).tap()
  await visitor.sees(page.locator('.sidebar').getByRole('link', { name: 'field-notes' }))
  await shootThemes(visitor, 'phone-channels')
  expect(await faultsOf(visitor)).toEqual([])
  await tabOf(visitor, 'Home').tap()
  await visitor.sees(page.locator('.sidebar').getByRole('link', { name: 'Bob' }))
  await shootThemes(visitor, 'phone-home')
  expect(await faultsOf(visitor)).toEqual([])
  await tabOf(visitor, 'Inbox').tap()
  await visitor.sees(page.locator('.phone-page').getByText('See you'))
  await shootThemes(visitor, 'phone-inbox')
  expect(await faultsOf(visitor)).toEqual([])
  await tabOf(visitor, 'You').tap()
  await visitor.sees(page.locator('.phone-page').getByText('Alice Winter'))
  await shootThemes(visitor, 'phone-you')
  expect(await faultsOf(visitor)).toEqual([])
  await visitor.button('Appearance').tap()
  await visitor.sees(page.getByRole('dialog').getByText('Theme'))
  await shootThemes(visitor, 'phone-settings')
  await page.keyboard.press('Escape')
  await visitor.misses(page.getByRole('dialog'))
  await tabOf(visitor, 'Inbox').tap()
  await page.locator('.phone-page').getByRole('link', { name: /Bob/ }).tap()
  await visitor.misses(page.locator('.phone-tabs'))
  await visitor.sees(visitor.message('See you'))
  await visitor.leave()
})

browserTest(browser, 'a phone lists another server’s channels without leaving the page', async (chromium) => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  const other = await newServer(ann, ben)
  await ann.put(`/api/servers/${other.server_id}`, { name: 'Moths' })
  await ann.post(`/api/servers/${other.server_id}/channels`, { name: 'lamps', type: 'text' })
  const visitor = await Visitor.as(chromium, ben, `/app/servers/${server_id}/channels/${channel_id}`, PHONE)
  await visitor.composer().fill('A half sentence')
  await back(visitor).tap()
  await visitor.page.locator('.server-list').getByRole('link', { name: 'Moths' }).tap()
  await visitor.sees(visitor.link('lamps'))
  await visitor.sees(tabOf(visitor, 'Moths'))
  for (const name of ['Home', 'Inbox', 'You', 'Moths']) await tabOf(visitor, name).tap()
  await visitor.sees(visitor.link('lamps'))
  // The page stays, with its unsent text.
  await visitor.page.keyboard.press('Escape')
  await visitor.misses(visitor.page.locator('.shell.open'))
  expect(await visitor.composer().inputValue()).toBe('A half sentence')
  expect(new URL(visitor.page.url()).pathname).toBe(`/app/servers/${server_id}/channels/${channel_id}`)
  await back(visitor).tap()
  await visitor.page.locator('.server-list').getByRole('link', { name: 'Moths' }).tap()
  await visitor.link('lamps').tap()
  await visitor.misses(visitor.page.locator('.shell.open'))
  await visitor.sees(visitor.page.getByRole('heading', { name: 'lamps', level: 1 }))
  await visitor.leave()
})

browserTest(browser, 'a message that the lists of a phone cover stays unread until they close', async (chromium) => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  await say(ann, channel_id, 'A heron')
  const visitor = await Visitor.as(chromium, ben, `/app/servers/${server_id}/channels/${channel_id}`, PHONE)
  await visitor.sees(visitor.message('A heron'))
  await back(visitor).tap()
  const heron = await say(ann, channel_id, 'Another heron')
  await visitor.sees(tabOf(visitor, /unread messages$/))
  // A read mark would be sent after 600 ms.
  await visitor.page.waitForTimeout(900)
  const markOf = async () => (await ben.get(`/api/unread?channel_ids=${channel_id}`)).body[0]
  expect((await markOf()).newest_id).toBe(heron.id)
  await visitor.page.keyboard.press('Escape')
  await visitor.misses(visitor.page.locator('.shell.open'))
  await visitor.until(async () => (await markOf()).message_id === heron.id)
  await visitor.leave()
})
