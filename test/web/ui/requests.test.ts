import { expect, test } from 'bun:test'
import { person, standard } from '../../support/harness.ts'
import { Page } from '../../support/page.ts'
import { write } from '../../support/people.ts'
import { until } from '../../support/until.ts'

const parley = await standard()

test('a person turns message requests on, and ignores one, which still waits below the others', async () => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const hers = await Page.as(ann)
  await hers.button('Settings').first().click()
  await hers.button('Privacy').click()
  await hers.sees(hers.getByRole('combobox', { name: 'Who can message you' }))
  await hers.getByRole('checkbox', { name: /Messages from strangers wait as requests/ }).check()
  await until(async () => (await ann.get('/api/auth/privacy')).body.requests)
  await until(async () => (await hers.getByRole('combobox', { name: 'Who can message you' }).count()) === 0)
  await hers.goto('/app')
  await write(ben, ann, 'Buy feathers')
  await hers.button('1 message request').click()
  const dialog = hers.getByRole('dialog', { name: 'Message requests' })
  await dialog.getByRole('button', { name: `Ignore: ${ben.display_name}` }).click()
  await hers.sees(dialog.getByText('Ignored'))
  const [conversation] = (await ann.get('/api/dm/conversations')).body
  expect(conversation.request).toBe('ignored')
  await hers.leave()
})

test('a request has no composer until it is accepted, and counts as nothing unread', async () => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  await ann.put('/api/auth/privacy', { requests: true })
  const { channel_id } = await write(ben, ann, 'Buy feathers')
  const hers = await Page.as(ann, `/c/${channel_id}`)
  await hers.sees(`${ben.display_name} wants to write to you, and cannot tell whether you have read this.`)
  await hers.sees('Buy feathers')
  expect(await hers.composer().count()).toBe(0)
  expect(await hers.locator('.badge').count()).toBe(0)
  await hers.button(`Accept: ${ben.display_name}`).click()
  await hers.sees(hers.composer())
  await write(ben, ann, 'Thanks')
  await hers.sees('Thanks')
  await hers.leave()
})
