import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { newServer, person, standard } from '../../support/harness.ts'
import { Page } from '../../support/page.ts'
import { until } from '../../support/until.ts'

const parley = await standard()

test('a moderator denies a single member to write, who then has no field, and sees the reason', async () => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  const path = `/app/servers/${server_id}/channels/${channel_id}`
  const his = await Page.as(ben, path)
  await his.sees(his.composer())
  const hers = await Page.as(ann, path)
  await hers.locator('.sidebar .row', { hasText: 'general' }).hover()
  await hers.button('Settings of #general').click()
  await hers.button('Permissions').click()
  await hers.getByRole('combobox', { name: 'Or a single member' }).selectOption({ label: ben.display_name })
  await hers.locator('summary', { hasText: 'Messages' }).click()
  const choices = hers.getByRole('radiogroup', { name: 'Send messages' })
  await choices.getByRole('radio', { name: 'Deny' }).check()
  await hers.button('Save').click()
  const rows = async () => (await ann.get(`/api/channels/${channel_id}/permissions/members`)).body
  await until(async () => (await rows()).length === 1)
  expect((await rows())[0]).toMatchObject({ user: { id: ben.id }, allow: 0, deny: permissions('send_messages') })
  await until(async () => (await his.composer().count()) === 0)
  await hers.sees(`${ben.display_name} · has permissions here`)
  for (const page of [hers, his]) await page.leave()
})

test('one switch lets only moderators write in a channel, and everyone again', async () => {
  const [ann, ben, cat] = [await person(parley, 'ann'), await person(parley, 'ben'), await person(parley, 'cat')]
  const { server_id, channel_id } = await newServer(ann, ben, cat)
  const draft = { name: 'Wardens', permissions: permissions('manage_messages') }
  const role = (await ann.post(`/api/servers/${server_id}/roles`, draft)).body
  await ann.post(`/api/servers/${server_id}/members/${ben.id}/roles/${role.id}`)
  const hers = await Page.as(ann, `/app/servers/${server_id}/channels/${channel_id}`)
  await hers.locator('.sidebar .row', { hasText: 'general' }).hover()
  await hers.button('Settings of #general').click()
  await hers.button('Permissions').click()
  const mayWrite = async (who: typeof ann) =>
    (await who.post(`/api/channels/${channel_id}/messages`, { content: 'Hello' })).status === 201
  const all = async () => [await mayWrite(ann), await mayWrite(ben), await mayWrite(cat)].join()
  const closed = hers.getByRole('switch', { name: /Only moderators can write/ })
  /** Clicks, and waits until everything is done and the page shows it. */
  const flip = async (isClosed: boolean) => {
    await closed.click()
    await until(async () => {
      const { body } = await ann.get(`/api/channels/${channel_id}/permissions`)
      return body.length > 0 === isClosed && !(await closed.isDisabled()) && (await closed.isChecked()) === isClosed
    })
  }
  await flip(true)
  expect(await all()).toBe('true,true,false')
  await flip(false)
  expect(await all()).toBe('true,true,true')
  await hers.leave()
})
