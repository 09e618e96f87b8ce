import { expect, test } from 'bun:test'
import { PASSWORD, person, newServer, say, standard } from '../../support/harness.ts'
import { Page } from '../../support/page.ts'

const parley = await standard()

test('a role is created, given and explained; a channel is hidden from members without permission', async () => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  const path = `/app/servers/${server_id}/channels/${channel_id}`
  const [owner, member] = [await Page.as(ann, path), await Page.as(ben, path)]
  await owner.inServerMenu('Server settings')
  await owner.button('Roles').click()
  await owner.button('New role').click()
  await owner.field('Role name').fill('Wardens')
  await owner.locator('summary', { hasText: 'Messages' }).click()
  await owner.field(/^Manage messages/).check()
  await owner.button('Save').click()
  await owner.sees('Saved')
  await owner.button('Close').click()
  await owner.locator('.members button', { hasText: ben.display_name }).click()
  await owner.field('Wardens').check()
  const rolesOfBen = async () => (await ann.get(`/api/servers/${server_id}/members/${ben.id}/roles`)).body
  await owner.until(async () => (await rolesOfBen()).some(({ name }: { name: string }) => name === 'Wardens'))
  await owner.button('Close').click()

  await owner.inServerMenu('Server settings')
  await owner.button('Explain permissions').click()
  await owner.field('Person').selectOption({ label: ben.display_name })
  await owner.sees(owner.locator('.checks .yes', { hasText: 'Manage messages' }).getByText('role Wardens'))
  await owner.button('Close').click()

  await owner.button('New text channel').click()
  await owner.field('Channel name').fill('secret')
  await owner.button('Create channel').click()
  await member.sees(member.link('secret'))
  await owner.button('Settings of #secret').click()
  await owner.button('Permissions').click()
  await owner.getByRole('radiogroup', { name: 'View channels' }).getByRole('radio', { name: 'Deny' }).check()
  await owner.button('Save').click()
  await member.misses(member.link('secret'))
  for (const page of [owner, member]) await page.leave()
})

test('invites are listed, made and deleted, bans are added and lifted, and the audit log shows it', async () => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  const path = `/app/servers/${server_id}/channels/${channel_id}`
  const [owner, member] = [await Page.as(ann, path), await Page.as(ben, path)]
  await owner.inServerMenu('Server settings')
  await owner.button('Invites').click()
  await owner.sees(/used 1 time/)
  await owner.button('Create link').click()
  await owner.until(async () => (await owner.field('Invite link').inputValue()) !== '')
  await owner.keyboard.press('Escape')
  // The dialog has already made one.
  await owner.until(async () => (await owner.button('Delete invite').count()) === 2)
  await owner.button('Delete invite').first().click()
  await owner.until(async () => (await owner.button('Delete invite').count()) === 1)
  await owner.button('Delete invite').click()
  await owner.sees('No active invites')
  await owner.button('Close').click()
  await owner.locator('.members button', { hasText: ben.display_name }).click()
  await owner.button('Ban').click()
  await owner.field(/^Reason/).fill('too loud')
  await owner.getByRole('dialog', { name: 'Ban' }).getByRole('button', { name: 'Ban' }).click()
  await member.sees(/^Welcome, /)
  await owner.inServerMenu('Server settings')
  await owner.button('Bans').click()
  await owner.sees(/too loud/)
  await owner.button('Unban').click()
  await owner.sees('Nobody is banned')
  await owner.button('Audit log').click()
  const log = owner.locator('.audit li')
  await owner.sees(log.filter({ hasText: 'too loud' }).first())
  await owner.sees(log.filter({ hasText: 'unbanned' }))
  for (const page of [owner, member]) await page.leave()
})

test('a person limits who may write, exports their data, and deletes the account', async () => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { channel_id } = await newServer(ben, ann)
  await say(ann, channel_id, 'I was here')
  const page = await Page.as(ann)
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await page.button('Privacy').click()
  await page.field('Who can message you').selectOption('friends')
  await page.sees('Saved')
  const refused = await ben.post('/api/dm/messages', { recipient_id: ann.id, content: 'Hello' })
  expect(refused.body.code).toBe('cannot_contact')
  await page.button('Your data').click()
  const downloading = page.download()
  await page.link('Download your data').click()
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await proof.getByLabel('Password').fill(PASSWORD)
  await proof.getByRole('button', { name: 'Continue' }).click()
  expect(JSON.parse((await downloading).text)).toMatchObject({
    account: { username: ann.username, privacy: { dms_from: 'friends' } },
  })
  await page.field('Current password').fill(PASSWORD)
  await page.button('Delete account').click()
  await page.sees(page.getByRole('heading', { name: 'Welcome back' }))
  expect((await ann.get('/api/auth/me')).status).toBe(401)
  await page.leave()
})
