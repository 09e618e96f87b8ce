import { expect } from 'bun:test'
import { PASSWORD, person, newServer, say, standard } from '../support/harness.ts'
import { png } from '../support/uploads.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()

browserTest(
  browser,
  'a role is created, given and explained; a channel is hidden from members without permission',
  async (chromium) => {
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    const { server_id, channel_id } = await newServer(ann, ben)
    const path = `/app/servers/${server_id}/channels/${channel_id}`
    const [owner, member] = [await Visitor.as(chromium, ann, path), await Visitor.as(chromium, ben, path)]
    await owner.inServerMenu('Server settings')
    await owner.button('Roles').click()
    await owner.button('New role').click()
    await owner.field('Role name').fill('Wardens')
    await owner.page.locator('summary', { hasText: 'Messages' }).click()
    await owner.field(/^Manage messages/).check()
    await owner.button('Save').click()
    await owner.sees('Saved')
    await owner.button('Close').click()
    await owner.page.locator('.members button', { hasText: ben.display_name }).click()
    await owner.field('Wardens').check()
    await owner.until(async () => (await ann.get(`/api/servers/${server_id}/members/${ben.id}/roles`)).body.length > 0)
    await owner.button('Close').click()

    await owner.inServerMenu('Server settings')
    await owner.button('Explain permissions').click()
    await owner.field('Person').selectOption({ label: ben.display_name })
    await owner.sees(owner.page.locator('.checks .yes', { hasText: 'Manage messages' }).getByText('role Wardens'))
    await owner.button('Close').click()

    await owner.button('New text channel').click()
    await owner.field('Channel name').fill('secret')
    await owner.button('Create channel').click()
    await member.sees(member.link('secret'))
    await owner.button('Settings of #secret').click()
    await owner.button('Permissions').click()
    await owner.page.getByRole('radiogroup', { name: 'View channels' }).getByRole('radio', { name: 'Deny' }).check()
    await owner.button('Save').click()
    await member.misses(member.link('secret'))
    for (const visitor of [owner, member]) await visitor.leave()
  },
)

browserTest(
  browser,
  'invites are listed, made and deleted, bans are added and lifted, and the audit log shows it',
  async (chromium) => {
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    const { server_id, channel_id } = await newServer(ann, ben)
    const path = `/app/servers/${server_id}/channels/${channel_id}`
    const [owner, member] = [await Visitor.as(chromium, ann, path), await Visitor.as(chromium, ben, path)]
    await owner.inServerMenu('Server settings')
    await owner.button('Invites').click()
    await owner.sees(/used 1 time/)
    await owner.button('Create link').click()
    await owner.sees(owner.page.getByRole('dialog', { name: 'Invite people' }))
    await owner.page.keyboard.press('Escape')
    // The dialog has already made one.
    await owner.until(async () => (await owner.button('Delete invite').count()) === 2)
    await owner.button('Delete invite').first().click()
    await owner.until(async () => (await owner.button('Delete invite').count()) === 1)
    await owner.button('Delete invite').click()
    await owner.sees('No active invites')
    await owner.button('Close').click()
    await owner.page.locator('.members button', { hasText: ben.display_name }).click()
    await owner.button('Ban').click()
    await owner.field(/^Reason/).fill('too loud')
    await owner.page.getByRole('dialog', { name: 'Ban' }).getByRole('button', { name: 'Ban' }).click()
    await member.sees(/^Welcome, /)
    await owner.inServerMenu('Server settings')
    await owner.button('Bans').click()
    await owner.sees(/too loud/)
    await owner.button('Unban').click()
    await owner.sees('Nobody is banned')
    await owner.button('Audit log').click()
    const log = owner.page.locator('.audit li')
    await owner.sees(log.filter({ hasText: 'too loud' }).first())
    await owner.sees(log.filter({ hasText: 'unbanned' }))
    for (const visitor of [owner, member]) await visitor.leave()
  },
)

browserTest(browser, 'a person changes name, picture and password, and ends another session', async (chromium) => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  const path = `/app/servers/${server_id}/channels/${channel_id}`
  const [visitor, other] = [await Visitor.as(chromium, ann, path), await Visitor.as(chromium, ben, path)]
  const elsewhere = await Visitor.stranger(chromium, parley)
  await elsewhere.field('Username or e-mail').fill(ann.email)
  await elsewhere.field('Password').fill(PASSWORD)
  await elsewhere.button('Log in').click()
  await elsewhere.sees('No friends yet')

  await visitor.page.getByRole('button', { name: 'Settings', exact: true }).click()
  await visitor.field('Display name').fill('Ann of the Weir')
  await visitor.button('Save').click()
  await other.sees(other.page.locator('.members').getByText('Ann of the Weir'))
  const choosing = visitor.page.waitForEvent('filechooser')
  await visitor.button('Change picture').click()
  await (await choosing).setFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from(await png(64, 64)) })
  await other.sees(other.page.locator('.members img.picture'))

  // A page whose session has ended does not ask before it closes.
  elsewhere.page.on('dialog', (dialog) => void dialog.dismiss())
  await elsewhere.page.getByRole('button', { name: 'Settings', exact: true }).click()
  await elsewhere.field('Display name').fill('Ann of the Mill')
  await visitor.button('Sessions').click()
  await visitor.button('End session').first().click()
  await elsewhere.sees(elsewhere.page.getByRole('heading', { name: 'Welcome back' }))
  await visitor.button('Security').click()
  const mayLeave = () => visitor.page.evaluate(() => dispatchEvent(new Event('beforeunload', { cancelable: true })))
  // The browser may have filled it in.
  await visitor.field('Current password').fill(PASSWORD)
  expect(await mayLeave()).toBe(true)
  await visitor.field('New password').fill('short')
  expect(await mayLeave()).toBe(false)
  await visitor.button('Change password').click()
  await visitor.sees(visitor.page.locator('dialog .refusal li').first())
  await visitor.field('New password').fill('Another-Horse-8!')
  await visitor.button('Change password').click()
  await visitor.sees('Password changed. You were logged out on all other devices.')
  await visitor.button('Appearance').click()
  await visitor.field('Dark').check()
  const ground = () => visitor.page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  expect(await ground()).toBe('oklch(0.233 0.014 215)')
  await visitor.button('Profile').click()
  await visitor.field('Display name').fill('Ann of the Mill')
  await visitor.button('Log out').click()
  await visitor.button('Discard changes').click()
  await visitor.sees(visitor.page.getByRole('heading', { name: 'Welcome back' }))
  for (const each of [visitor, other, elsewhere]) await each.leave()
})

browserTest(browser, 'a person limits who may write, exports their data, and deletes the account', async (chromium) => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { channel_id } = await newServer(ben, ann)
  await say(ann, channel_id, 'I was here')
  const visitor = await Visitor.as(chromium, ann)
  await visitor.page.getByRole('button', { name: 'Settings', exact: true }).click()
  await visitor.button('Privacy').click()
  await visitor.field('Who can message you').selectOption('friends')
  await visitor.sees('Saved')
  const refused = await ben.post('/api/dm/messages', { recipient_id: ann.id, content: 'Hello' })
  expect(refused.body.code).toBe('cannot_contact')
  await visitor.button('Your data').click()
  const downloading = visitor.page.waitForEvent('download')
  await visitor.link('Download your data').click()
  const proof = visitor.page.getByRole('dialog', { name: 'Confirm that it is you' })
  await proof.getByLabel('Password').fill(PASSWORD)
  await proof.getByRole('button', { name: 'Continue' }).click()
  const file = await (await downloading).path()
  expect(await Bun.file(file).json()).toMatchObject({
    account: { username: ann.username, privacy: { dms_from: 'friends' } },
  })
  await visitor.field('Current password').fill(PASSWORD)
  await visitor.button('Delete account').click()
  await visitor.sees(visitor.page.getByRole('heading', { name: 'Welcome back' }))
  expect((await ann.get('/api/auth/me')).status).toBe(401)
  await visitor.leave()
})

browserTest(
  browser,
  'a microphone that the browser refuses is named in the settings, which go on',
  async (chromium) => {
    const ann = await person(parley, 'ann')
    const visitor = await Visitor.as(chromium, ann)
    // The test's browser allows every device without asking, so the test imitates a browser's refusal.
    await visitor.page.evaluate(() => {
      const { mediaDevices } = navigator
      const allowed = mediaDevices.getUserMedia.bind(mediaDevices)
      mediaDevices.getUserMedia = async () => {
        mediaDevices.getUserMedia = allowed
        throw new DOMException('Permission denied', 'NotAllowedError')
      }
    })
    await visitor.page.getByRole('button', { name: 'Settings', exact: true }).click()
    await visitor.button('Calls').click()
    await visitor.button('Choose microphone, speaker and camera').click()
    await visitor.sees(visitor.page.getByRole('alert').getByText('That did not work: Permission denied'))
    await visitor.button('Choose microphone, speaker and camera').click()
    await visitor.sees(visitor.field('Microphone'))
    await visitor.leave()
  },
)
