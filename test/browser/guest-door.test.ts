import { expect } from 'bun:test'
import { newServer, person, standard } from '../support/harness.ts'
import { guest, guestInvite } from '../support/guests.ts'
import { inspect, SCREENS } from '../support/browser/screens.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'
import { png, upload } from '../support/uploads.ts'

const parley = await standard()
const browser = await openBrowser()

for (const [where, options] of Object.entries(SCREENS)) {
  const suffix = 'locale' in options ? '-ar' : ''

  browserTest(browser, `the door of guests and what they keep are whole and accessible ${where}`, async (chromium) => {
    const ann = await person(parley, 'ann')
    const { server_id, channel_id } = await newServer(ann)
    const code = await guestInvite(ann, server_id)
    const stranger = await Visitor.stranger(chromium, parley, `/invite/${code}`, options)
    const { page } = stranger
    await stranger.sees(page.locator('.card input').first())
    await inspect(stranger, `guest-door${suffix}`)
    // The field has the focus: a name and Enter are enough, without a pointer.
    await stranger.until(() => page.evaluate(() => document.activeElement instanceof HTMLInputElement))
    await page.keyboard.type('Marsh Harrier')
    await page.keyboard.press('Enter')
    await stranger.sees(page.locator('.composer'))
    await stranger.leave()
    const heron = await guest(parley, code)
    const guestPage = await Visitor.as(chromium, heron, `/app/servers/${server_id}/channels/${channel_id}`, options)
    await guestPage.sees(guestPage.page.locator('.composer'))
    await inspect(guestPage, `guest-channel${suffix}`)
    await guestPage.leave()
  })
}

browserTest(browser, 'a profile with a banner and its form are whole and accessible', async (chromium) => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  const { id: file_id } = await upload(ann, 'sea.png', 'image/png', await png(600, 240))
  expect((await ann.put('/api/auth/banner', { file_id })).status).toBe(200)
  const bio = `Herons and terns, ${'a very long word '.repeat(14)}${'x'.repeat(40)}`
  expect((await ann.put('/api/auth/profile', { bio, pronouns: 'she/her' })).status).toBe(200)
  const path = `/app/servers/${server_id}/channels/${channel_id}`
  const owner = await Visitor.as(chromium, ann, path)
  await owner.sees(owner.page.locator('.composer'))
  await owner.page.getByRole('button', { name: 'Settings', exact: true }).click()
  await owner.sees(owner.page.locator('form img.banner'))
  await owner.page.locator('form textarea').last().scrollIntoViewIfNeeded()
  await inspect(owner, 'about-form')
  await owner.leave()
  await ann.post(`/api/channels/${channel_id}/messages`, { content: 'Look at my profile' })
  const reader = await Visitor.as(chromium, ben, path)
  await reader.page.locator('.message .byline .name, .message .name').first().click()
  await reader.sees(reader.page.locator('dialog.profile img.banner'))
  await reader.sees(reader.page.locator('dialog.profile .bio'))
  await inspect(reader, 'profile')
  await reader.leave()
})
