import { expect, test } from 'bun:test'
import { boot, person, newServer, standard, stop } from '../../support/harness.ts'
import { befriend, write } from '../../support/people.ts'
import { Page } from '../../support/page.ts'
import { freePort } from '../../support/ports.ts'

const parley = await standard()

test('two people find each other, become friends, write, read, and block', async () => {
  const [ann, ben] = [await person(parley, 'find.ann'), await person(parley, 'find.ben')]
  const [first, second] = [await Page.as(ann), await Page.as(ben)]
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
  await second.sees(second.locator('.people .person', { hasText: ann.display_name }))
  await second.link(`Write to ${ann.display_name}`).click()
  await second.say('Hello Ann')

  const unread = first.locator('.sidebar .unread', { hasText: ben.display_name })
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
  await first.sees(first.locator('.pending.refused'))
  await first.button('Delete').click()
  await first.misses(first.locator('.pending'))
  await first.goto(`${parley.url}/app`)
  await first.sees('No friends yet')
  for (const page of [first, second]) await page.leave()
})

test('a friend’s row opens the conversation, its menu ends the friendship; the people search has focus', async () => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  await befriend(ann, ben)
  const page = await Page.as(ann)
  const row = page.locator('.people .person', { hasText: ben.display_name })
  await page.sees(page.getByRole('heading', { name: 'Offline · 1' }))
  // Selecting a name is no click.
  await row.getByText('Offline').evaluate((line) => getSelection()?.selectAllChildren(line))
  await row.evaluate((element: HTMLElement) => element.click())
  await page.sees(row)
  await page.evaluate(() => getSelection()?.empty())
  await row.getByText('Offline').click()
  await page.sees(page.composer())
  await page.goBack()
  const menu = page.button(`Menu for ${ben.display_name}`)
  expect(await menu.getAttribute('aria-expanded')).toBe('false')
  await menu.click()
  await page.until(async () => (await menu.getAttribute('aria-expanded')) === 'true')
  await page.getByRole('menuitem', { name: 'Remove friend' }).click()
  await page.misses(row)
  await page.button('Find people').first().click()
  await page.until(() => page.field('Username or display name').evaluate((it) => it === document.activeElement))
  await page.leave()
})

test('people found by search can be messaged, and have a menu, a friend and a stranger alike', async () => {
  const [ann, ben, eve] = [await person(parley, 'found'), await person(parley, 'found'), await person(parley, 'found')]
  await befriend(ann, ben)
  await newServer(ann, eve)
  const page = await Page.as(ann)
  await page.button('Find people').first().click()
  for (const [who, name] of [
    [ben, 'Remove friend'],
    [eve, 'Add friend'],
  ] as const) {
    const row = page.locator('.people .person', { hasText: who.display_name })
    await page.field('Username or display name').fill(who.username)
    await page.button('Search').click()
    await page.sees(row.getByRole('link', { name: `Write to ${who.display_name}` }))
    expect(await row.getByRole('button', { name: /^Remove friend/ }).count()).toBe(0)
    await row.click({ button: 'right' })
    await page.sees(page.getByRole('menuitem', { name }))
    await page.keyboard.press('Escape')
  }
  await page.link(`Write to ${eve.display_name}`).last().click()
  await page.sees(page.composer())
  await page.leave()
})

test('a hidden conversation comes back with a new message', async () => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  await newServer(ann, ben)
  await befriend(ann, ben)
  await write(ben, ann, 'one')
  const page = await Page.as(ann)
  const row = page.locator('.sidebar li', { hasText: ben.display_name })
  await row.hover()
  await page.button(`Hide the conversation with ${ben.display_name}`).click()
  await page.misses(row)
  await write(ben, ann, 'two')
  await page.sees(row)
  await row.getByRole('link').click()
  await page.sees(page.message('one'))
  await page.leave()
})

test('the page waits for a restarting server, and no message is lost', async () => {
  const first = await boot({ PORT: String(freePort()) })
  const { port } = new URL(first.url)
  const { DATABASE_URL = '', DATA_DIR } = first.parts.environment
  const [ann, ben] = [await person(first, 'ann'), await person(first, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  const page = await Page.as(ann, `/app/servers/${server_id}/channels/${channel_id}`)
  await page.say('before')
  await page.sees(page.locator('.message:not(.pending)', { hasText: 'before' }))
  await stop(first)
  await page.sees('Connection lost. Reconnecting…')
  await page.say('meanwhile')
  await page.sees(page.locator('.message.pending', { hasText: 'meanwhile' }))
  const second = await boot({ PORT: port, DATABASE_URL, DATA_DIR })
  const message = await ben.post(`/api/channels/${channel_id}/messages`, { content: 'from elsewhere' })
  expect(message.status).toBe(201)
  await page.sees(page.message('from elsewhere'))
  await page.sees(page.locator('.message:not(.pending)', { hasText: 'meanwhile' }))
  await page.misses(page.getByText('Connection lost'))
  expect(await page.locator('.message').count()).toBe(3)
  await page.leave()
  await stop(second)
})
