import { expect, test } from 'bun:test'
import { newServer, PASSWORD, person, standard } from '../../support/harness.ts'
import { guest, guestInvite } from '../../support/guests.ts'
import { Page } from '../../support/page.ts'

const parley = await standard()

test('a stranger with a link writes after a name and one click, and others see that it is a guest', async () => {
  const ann = await person(parley, 'ann')
  const { server_id, channel_id } = await newServer(ann)
  const path = `/app/servers/${server_id}/channels/${channel_id}`
  const owner = await Page.as(ann, path)
  await owner.inServerMenu('Invite people')
  const link = () => owner.field('Invite link').inputValue()
  await owner.until(async () => (await link()) !== '')
  const first = await link()
  await owner.field('Let guests join without an account').check()
  await owner.button('Create another link').click()
  await owner.until(async () => (await link()) !== first)
  const { pathname } = new URL(await link())
  await owner.button('Close').click()

  const stranger = await Page.stranger(parley, pathname)
  await stranger.field('Your name').fill(ann.display_name)
  await stranger.button('Join as a guest').click()
  await stranger.sees('A member of this server already has this name')
  await stranger.field('Your name').fill('Marsh Harrier')
  await stranger.button('Join as a guest').click()
  await stranger.waitForUrl(new RegExp(`/app/servers/${server_id}/`))
  await stranger.say('Hello from the reeds')
  await owner.sees(owner.message('Hello from the reeds'))
  await owner.sees(owner.locator('.message .kind-sign', { hasText: 'Guest' }))
  await owner.inServerMenu('Server settings')
  await owner.button('Invites').click()
  await owner.sees(/Let guests join without an account/)
})

test('a guest keeps its account in the settings, where nothing else of the account is', async () => {
  const ann = await person(parley, 'ann')
  const { server_id, channel_id } = await newServer(ann)
  const heron = await guest(parley, await guestInvite(ann, server_id))
  const page = await Page.as(heron, `/app/servers/${server_id}/channels/${channel_id}`)
  await page.say('Keep this')
  await page.button('Settings').click()
  await page.sees(/You are a guest/)
  await page.misses(page.button('Privacy'))
  await page.field('Username').fill(ann.username)
  await page.field('E-mail').fill(`heron${heron.id}@example.org`)
  await page.field('Password').fill(PASSWORD)
  await page.locator('dialog .footer .primary').click()
  await page.sees('Username already taken')
  await page.field('Username').fill(`heron${heron.id}`)
  await page.locator('dialog .footer .primary').click()
  await page.until(async () => (await ann.get(`/api/users/${heron.id}`)).body.kind === 'person')
  expect((await ann.get(`/api/channels/${channel_id}/messages`)).body[0].author.id).toBe(heron.id)
})

test('nobody is offered to write to a guest or to befriend it', async () => {
  const ann = await person(parley, 'ann')
  const { server_id, channel_id } = await newServer(ann)
  const heron = await guest(parley, await guestInvite(ann, server_id), 'Bittern')
  await heron.post(`/api/channels/${channel_id}/messages`, { content: 'Boom' })
  const page = await Page.as(ann, `/app/servers/${server_id}/channels/${channel_id}`)
  await page.locator('button.person', { hasText: 'Bittern' }).click()
  const profile = page.getByRole('dialog', { name: 'Bittern' })
  await page.sees(profile)
  await page.sees(profile.getByText('Guest'))
  await page.misses(profile.getByRole('button', { name: 'Add friend' }))
})
