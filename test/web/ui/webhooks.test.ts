import { expect, test } from 'bun:test'
import { person, newServer, standard, until } from '../../support/harness.ts'
import { post } from '../../support/webhooks.ts'
import { Page } from '../../support/page.ts'

const parley = await standard()

test('a webhook is made, named, renewed and deleted by keyboard, and its messages say so', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id, channel_id } = await newServer(alice, bob)
  const path = `/app/servers/${server_id}/channels/${channel_id}`
  const [maker, reader] = [await Page.as(alice, path), await Page.as(bob, path)]
  await maker.inServerMenu('Server settings')
  await maker.button('Integrations').click()
  await maker.field('Webhook name').fill('Grafana')
  await maker.keyboard.press('Enter')
  const url = maker.getByLabel('Webhook URL')
  await maker.sees(url)
  const first = await url.inputValue()
  expect(first).toMatch(/\/hooks\/\d+\/[\w-]{43}$/)

  await maker.locator('.issued').getByRole('button', { name: 'Copy', exact: true }).click()
  await maker.sees('Copied')
  expect(await maker.copied()).toBe(first)
  const embeds = [
    {
      title: '[FIRING:1] DiskFull',
      description: '98 % of **500 GB**',
      color: 14037554,
      fields: [{ name: 'Host', value: 'db-1' }],
    },
  ]
  expect((await post(alice, first, { content: 'Disk is full', username: 'Night Watch', embeds })).status).toBe(204)
  const message = reader.locator('.message', { hasText: 'Disk is full' })
  await reader.sees(message.locator('.byline', { hasText: 'Night Watch' }))
  await reader.sees(message.locator('.byline .kind-sign', { hasText: 'Webhook' }))
  await reader.sees(message.locator('.embed', { hasText: '[FIRING:1] DiskFull' }))
  // Another name begins another group.
  await post(alice, first, { content: 'by its own name' })
  await reader.sees(reader.locator('.message .byline', { hasText: 'Grafana' }))

  await maker.button('Edit Grafana').focus()
  await maker.keyboard.press('Enter')
  const editor = maker.locator('.webhooks form')
  await editor.getByLabel('Webhook name').fill('Prometheus')
  await maker.keyboard.press('Enter')
  await maker.sees(maker.button('Delete Prometheus'))
  await maker.locator('.webhooks').getByRole('button', { name: 'Reset URL' }).click()
  await maker.locator('dialog.small').getByRole('button', { name: 'Reset URL' }).click()
  await until(async () => (await url.inputValue()) !== first)
  expect((await post(alice, first, { content: 'late' })).status).toBe(404)
  await maker.button('Delete Prometheus').click()
  await maker.locator('dialog.small').getByRole('button', { name: 'Delete Prometheus' }).click()
  await maker.sees(maker.getByText('No webhooks yet'))
  await reader.sees(message)
})
