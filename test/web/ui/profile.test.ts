import { expect, test } from 'bun:test'
import { newServer, person, standard } from '../../support/harness.ts'
import { Page } from '../../support/page.ts'
import { png } from '../../support/uploads.ts'

const parley = await standard()

test('a person writes about themselves with a banner, and a member of their server reads that', async () => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  const hers = await Page.as(ann)
  await hers.button('Settings').click()
  await hers.field('Pronouns').fill('she/her')
  await hers.field('A few words about you').fill('Herons,\nand terns')
  await hers.locator('form', { hasText: 'Choose a banner' }).getByRole('button', { name: 'Save' }).click()
  await hers.sees('Saved')
  const profile = async () => (await ann.get(`/api/users/${ann.id}/profile`)).body
  await hers.until(async () => (await profile()).bio === 'Herons,\nand terns')
  expect((await profile()).pronouns).toBe('she/her')
  const choosing = hers.fileChooser()
  await hers.button('Choose a banner').click()
  await (await choosing).setFiles({ name: 'sea.png', mimeType: 'image/png', buffer: Buffer.from(await png(60, 24)) })
  await hers.sees(hers.button('Remove the banner'))
  const his = await Page.as(ben, `/app/servers/${server_id}/channels/${channel_id}`)
  await his.locator('.members button', { hasText: ann.display_name }).click()
  const dialog = his.getByRole('dialog', { name: ann.display_name })
  await his.sees(dialog.getByText('she/her'))
  expect(await dialog.locator('.bio').textContent()).toBe('Herons,\nand terns')
  const bannerUrl = (await profile()).banner_url
  expect(await dialog.locator('img.banner').getAttribute('src')).toBe(bannerUrl)
  await hers.button('Remove the banner').click()
  await hers.sees(hers.button('Choose a banner'))
  await hers.until(async () => (await profile()).banner_url === null)
})

test('a picture that is none is refused in words, and a text of more than ten lines cannot be entered', async () => {
  const ann = await person(parley, 'ann')
  const page = await Page.as(ann)
  await page.button('Settings').click()
  await page.sees(page.button('Choose a banner'))
  const choosing = page.fileChooser()
  await page.button('Choose a banner').click()
  await (await choosing).setFiles({ name: 'sea.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
  await page.sees('Choose an undamaged PNG, JPEG, WebP or GIF of at most 4 MiB.')
  expect((await ann.get(`/api/users/${ann.id}/profile`)).body.banner_url).toBeNull()
  const bio = page.field('A few words about you')
  await bio.fill('x\n'.repeat(12))
  await page.locator('form', { hasText: 'Choose a banner' }).getByRole('button', { name: 'Save' }).click()
  await page.until(async () => (await ann.get(`/api/users/${ann.id}/profile`)).body.bio === 'x\n'.repeat(9) + 'x')
})
