import { expect } from 'bun:test'
import { PASSWORD, person, newServer, standard } from '../support/harness.ts'
import { png } from '../support/uploads.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()

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
  const name = visitor.field('Display name')
  await name.fill('Ann of the Weir')
  await visitor.page.locator('form', { has: name }).getByRole('button', { name: 'Save' }).click()
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
  await visitor.until(async () => (await ground()) === 'oklch(0.233 0.014 215)')
  await visitor.button('Profile').click()
  await visitor.field('Display name').fill('Ann of the Mill')
  await visitor.button('Log out').click()
  await visitor.button('Discard changes').click()
  await visitor.sees(visitor.page.getByRole('heading', { name: 'Welcome back' }))
  for (const each of [visitor, other, elsewhere]) await each.leave()
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
