import { test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { person, newServer, standard } from '../../support/harness.ts'
import { rank } from '../../support/places.ts'
import { Page } from '../../support/page.ts'

const parley = await standard()

test('nicknames, timeouts and roles that are listed separately show at once', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id, channel_id } = await newServer(alice, bob)
  await rank(parley, server_id, permissions('view_channel'), bob)
  const path = `/app/servers/${server_id}/channels/${channel_id}`
  const [keeper, reader] = [await Page.as(alice, path), await Page.as(bob, path)]
  await reader.say('Good morning')
  await keeper.sees(keeper.message('Good morning').getByText(bob.display_name))
  const inList = (name: string) => keeper.locator('.members li', { hasText: name })
  await inList(bob.display_name).getByRole('button').click()
  await keeper.field('Nickname in this server').fill('Heron')
  await keeper.button('Save').click()
  await keeper.sees(keeper.message('Good morning').getByText('Heron'))
  await reader.sees(reader.message('Good morning').getByText('Heron'))
  await keeper.button('Time out').click()
  await keeper.field('Duration').selectOption('1 hour')
  await keeper.getByRole('dialog', { name: 'Time out' }).getByRole('button', { name: 'Time out' }).click()
  await reader.sees(/^You are timed out until .*\. You can read, but not write\.$/)
  await keeper.sees(/^Timed out until/)
  await keeper.button('End timeout').click()
  await reader.sees(reader.composer())
  await keeper.button('Close').click()

  await keeper.inServerMenu('Server settings')
  await keeper.button('Roles').click()
  await keeper.field('Show members separately').check()
  await keeper.button('Save').click()
  await keeper.button('Close').click()
  await keeper.sees(keeper.locator('.members section', { hasText: 'Rank · 1' }).getByText('Heron'))
  await keeper.sees(keeper.locator('.members section', { hasText: 'Online · 1' }))
  for (const page of [keeper, reader]) await page.leave()
})
