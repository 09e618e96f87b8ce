import { expect } from 'bun:test'
import { boot, person, newServer, standard, stop } from '../support/harness.ts'
import { befriend, write } from '../support/people.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()

browserTest(browser, 'two people find each other, become friends, write, read, and block', async (chromium) => {
  const [ann, ben] = [await person(parley, 'find.ann'), await person(parley, 'find.ben')]
  const [first, second] = [await Visitor.as(chromium, ann), await Visitor.as(chromium, ben)]
  await first.button('Find people').click()
  await first.field('Username or display name').fill(ben.username)
  await first.button('Search').click()
  await first.button(/^Add friend/).click()
  await first.button(/^Requests/).click()
  await first.sees('Request sent')
  await second.button(/^Requests/).click()
  await second.sees('wants to be your friend')
  await second.button(/^Accept/).click()
  await second.button('Friends').click()
  await second.sees(second.page.locator('.people .person', { hasText: ann.display_name }))
  await second.link(`Write to ${ann.display_name}`).click()
  await second.say('Hello Ann')

  const unread = first.page.locator('.sidebar .unread', { hasText: ben.display_name })
  await first.sees(unread)
  await unread.getByRole('link').click()
  await first.sees(first.message('Hello Ann'))
  await first.misses(unread)
  await second.sees(second.message('Hello Ann').getByText('Read'))
  await first.composer().pressSequentially('He')
  await second.sees(/is typing/)
  await first.say('Hello Ben')
  await second.sees(second.message('Hello Ben'))

  await second.button('Profile').click()
  await second.button('Block').click()
  await second.button('Close').click()
  await second.sees('You have blocked this person')
  await first.say('Are you there?')
  await first.sees(first.page.locator('.pending.refused'))
  await first.button('Delete').click()
  await first.misses(first.page.locator('.pending'))
  await first.page.goto(`${parley.url}/app`)
  await first.sees('No friends yet')
  for (const visitor of [first, second]) await visitor.leave()
})

browserTest(
  browser,
  'a friend’s row opens the conversation, its menu ends the friendship, and the search for people has the focus',
  async (chromium) => {
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    await befriend(ann, ben)
    const visitor = await Visitor.as(chromium, ann)
    const row = visitor.page.locator('.people .person', { hasText: ben.display_name })
    await visitor.sees(visitor.page.getByRole('heading', { name: 'Offline · 1' }))
    // Selecting a name is no click.
    await row.getByText('Offline').evaluate((line) => getSelection()?.selectAllChildren(line))
    await row.evaluate((element: HTMLElement) => element.click())
    await visitor.sees(row)
    await visitor.page.evaluate(() => getSelection()?.empty())
    await row.getByText('Offline').click()
    await visitor.sees(visitor.composer())
    await visitor.page.goBack()
    const menu = visitor.button(`Menu for ${ben.display_name}`)
    expect(await menu.getAttribute('aria-expanded')).toBe('false')
    await menu.click()
    await visitor.until(async () => (await menu.getAttribute('aria-expanded')) === 'true')
    await visitor.page.getByRole('menuitem', { name: 'Remove friend' }).click()
    await visitor.misses(row)
    await visitor.button('Find people').first().click()
    await visitor.until(() => visitor.field('Username or display name').evaluate((it) => it === document.activeElement))
    await visitor.leave()
  },
)

browserTest(
  browser,
  'people found by search can be messaged, and have a menu, a friend and a stranger alike',
  async (chromium) => {
    const [ann, ben, eve] = [
      await person(parley, 'found'),
      await person(parley, 'found'),
      await person(parley, 'found'),
    ]
    await befriend(ann, ben)
    await newServer(ann, eve)
    const visitor = await Visitor.as(chromium, ann)
    await visitor.button('Find people').first().click()
    for (const [who, name] of [
      [ben, 'Remove friend'],
      [eve, 'Add friend'],
    ] as const) {
      const row = visitor.page.locator('.people .person', { hasText: who.display_name })
      await visitor.field('Username or display name').fill(who.username)
      await visitor.button('Search').click()
      await visitor.sees(row.getByRole('link', { name: `Write to ${who.display_name}` }))
      expect(await row.getByRole('button', { name: /^Remove friend/ }).count()).toBe(0)
      await row.click({ button: 'right', position: { x: 20, y: 20 } })
      await visitor.sees(visitor.page.getByRole('menuitem', { name }))
      await visitor.page.keyboard.press('Escape')
    }
    await visitor.link(`Write to ${eve.display_name}`).last().click()
    await visitor.sees(visitor.composer())
    await visitor.leave()
  },
)

browserTest(browser, 'a hidden conversation comes back with a new message', async (chromium) => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  await newServer(ann, ben)
  await befriend(ann, ben)
  await write(ben, ann, 'one')
  const visitor = await Visitor.as(chromium, ann)
  const row = visitor.page.locator('.sidebar li', { hasText: ben.display_name })
  await row.hover()
  await visitor.button(`Hide the conversation with ${ben.display_name}`).click()
  await visitor.misses(row)
  await write(ben, ann, 'two')
  await visitor.sees(row)
  await row.getByRole('link').click()
  await visitor.sees(visitor.message('one'))
  await visitor.leave()
})

browserTest(browser, 'the page waits for a restarting server, and no message is lost', async (chromium) => {
  const first = await boot()
  const { port } = new URL(first.url)
  const { DATABASE_URL = '', DATA_DIR } = first.parts.environment
  const [ann, ben] = [await person(first, 'ann'), await person(first, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  const visitor = await Visitor.as(chromium, ann, `/app/servers/${server_id}/channels/${channel_id}`)
  await visitor.say('before')
  await visitor.sees(visitor.page.locator('.message:not(.pending)', { hasText: 'before' }))
  await stop(first)
  await visitor.sees('Connection lost. Reconnecting…')
  await visitor.say('meanwhile')
  await visitor.sees(visitor.page.locator('.message.pending', { hasText: 'meanwhile' }))
  const second = await boot({ PORT: port, DATABASE_URL, DATA_DIR })
  const message = await ben.post(`/api/channels/${channel_id}/messages`, { content: 'from elsewhere' })
  expect(message.status).toBe(201)
  await visitor.sees(visitor.message('from elsewhere'))
  await visitor.sees(visitor.page.locator('.message:not(.pending)', { hasText: 'meanwhile' }))
  await visitor.misses(visitor.page.getByText('Connection lost'))
  expect(await visitor.page.locator('.message').count()).toBe(3)
  await visitor.leave()
  await stop(second)
})
