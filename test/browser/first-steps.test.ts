import { expect } from 'bun:test'
import { PASSWORD, person, newServer, standard } from '../support/harness.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { shootThemes } from '../support/browser/shots.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'
import { png, upload } from '../support/uploads.ts'

const parley = await standard()
const browser = await openBrowser()
const PHONE = { viewport: { width: 390, height: 844 } }

/** Checks the page by axe, and takes screenshots of it, wide and on a phone. */
async function inspect(visitor: Visitor, name: string): Promise<void> {
  expect(await faultsOf(visitor)).toEqual([])
  for (const [width, height] of [
    [390, 844],
    [1280, 800],
  ] as const) {
    await visitor.page.setViewportSize({ width, height })
    const overflow = () =>
      visitor.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    await visitor.until(async () => (await overflow()) <= 0)
    await shootThemes(visitor, `first-${name}-${width}`)
  }
}

browserTest(browser, 'a new account chooses a display name, and is led through a first server', async (chromium) => {
  const visitor = await Visitor.stranger(chromium, parley, '/register')
  await visitor.field('What should people call you?').fill('Zoë of the Weir')
  expect(await visitor.field('Username').inputValue()).toBe('zoe.of.the.weir')
  await visitor.field('E-mail').fill('zoe.weir@example.org')
  await visitor.field('Password').fill(PASSWORD)
  await inspect(visitor, 'register')
  await visitor.button('Create account').click()
  await visitor.sees('Welcome, Zoë of the Weir')
  await inspect(visitor, 'home')

  // A dead link says so, and leads back.
  await visitor.field('Invite link or code').fill(`${parley.url}/invite/2222222222`)
  await visitor.button('Open invite').click()
  await visitor.sees('Invite not found')
  await inspect(visitor, 'invite-unknown')
  await visitor.link('Back to your conversations').click()

  await visitor.button(/^Club or community/).click()
  expect(await visitor.page.getByRole('radio', { name: /^Club/ }).isChecked()).toBe(true)
  await visitor.field('Server name').fill('Birdwatchers')
  await inspect(visitor, 'name')
  await visitor.button('Create server').click()
  const choosing = visitor.page.waitForEvent('filechooser')
  await visitor.button('Change picture').click()
  const buffer = Buffer.from(await png(64, 64))
  await (await choosing).setFiles([{ name: 'weir.png', mimeType: 'image/png', buffer }])
  await visitor.sees(visitor.page.locator('.face img'))
  await inspect(visitor, 'picture')
  await visitor.button('Continue').click()
  await visitor.page.getByRole('checkbox', { name: /^introductions/ }).uncheck()
  await visitor.field('Another channel').fill('owls')
  await visitor.page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
  await inspect(visitor, 'channels')
  await visitor.button('Create 4 channels').click()
  await visitor.until(async () => (await visitor.field('Invite link').inputValue()).includes('/invite/'))
  const invite = new URL(await visitor.field('Invite link').inputValue())
  await inspect(visitor, 'link')
  await visitor.button('Open Birdwatchers').click()
  for (const name of ['general', 'news', 'questions', 'owls', 'Meeting place'])
    await visitor.sees(visitor.page.locator('.sidebar').getByRole('link', { name }))
  expect(await visitor.link('introductions').count()).toBe(0)

  const guest = await Visitor.stranger(chromium, parley, invite.pathname)
  await guest.sees(guest.page.getByRole('heading', { name: 'Birdwatchers' }))
  await guest.sees(/Zoë of the Weir invites you to join/)
  await guest.sees('1 online')
  await guest.leave()
  await visitor.leave()
})

browserTest(browser, 'a new channel takes a topic and offers the invite, with create_invite', async (chromium) => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  const path = `/app/servers/${server_id}/channels/${channel_id}`
  const member = await Visitor.as(chromium, ben, path)
  await member.sees(member.page.locator('.beginning').getByRole('button', { name: 'Invite people' }))
  expect(await member.button('Add a topic').count()).toBe(0)
  const owner = await Visitor.as(chromium, ann, path)
  await owner.button('New text channel').click()
  await owner.field('Channel name').fill('owls')
  await inspect(owner, 'new-channel')
  await owner.button('Create channel').click()
  await owner.sees(owner.page.getByRole('heading', { name: 'owls', level: 1 }))
  await owner.sees(owner.page.locator('.beginning').getByRole('button', { name: 'Invite people' }))
  await inspect(owner, 'beginning')
  await owner.button('Add a topic').click()
  await owner.field('Topic').fill('Heard at night')
  await owner.button('Save').click()
  await owner.sees(owner.page.locator('.beginning', { hasText: 'Heard at night' }))
  await owner.misses(owner.button('Add a topic'))
  for (const visitor of [owner, member]) await visitor.leave()
})

browserTest(browser, 'an invite shows its server, its picture and its creator, and is accepted', async (chromium) => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id } = await newServer(ann)
  const icon = await upload(ann, 'heron.png', 'image/png', await png(64, 64))
  await ann.put(`/api/servers/${server_id}`, { icon_file_id: icon.id, description: 'For everyone at the lake.' })
  const { code } = (await ann.post('/api/invites', { server_id })).body
  const stranger = await Visitor.stranger(chromium, parley, `/invite/${code}`, PHONE)
  await stranger.sees(stranger.page.locator('.invited > img'))
  await stranger.sees('For everyone at the lake.')
  await inspect(stranger, 'invite')
  await stranger.leave()
  const guest = await Visitor.as(chromium, ben, `/invite/${code}`)
  await guest.button('Join server').click()
  await guest.sees(guest.page.getByRole('heading', { name: 'general', level: 1 }))
  await guest.page.goto(`${parley.url}/invite/${code}`)
  await guest.link('Open Birdwatchers').click()
  await guest.sees(guest.page.getByRole('heading', { name: 'general', level: 1 }))
  await guest.leave()
})
