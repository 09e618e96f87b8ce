import { expect, test } from 'bun:test'
import { person, newServer, standard } from '../../support/harness.ts'

import { Page } from '../../support/page.ts'

const parley = await standard()

test('a person who is kicked or banned sees so, and gets no offer to join', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id, channel_id } = await newServer(alice, bob)
  const hide = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'Hide', type: 'voice' })).body
  const invite = (await alice.post('/api/invites', { server_id })).body
  const path = `/app/servers/${server_id}/channels/${channel_id}`
  const page = await Page.as(bob, path)
  await page.sees(page.composer())
  const moderator = await Page.as(alice, path)
  await moderator.locator('.members').getByText(bob.display_name).click({ button: 'right' })
  await moderator.getByRole('menuitem', { name: 'Kick' }).click()
  await moderator.field(/^Reason/).fill('Loud at night')
  await moderator.locator('dialog').getByRole('button', { name: 'Kick' }).click()
  await page.sees(/A moderator has removed you from Birdwatchers.*Reason: Loud at night/)
  await moderator.leave()
  await bob.post(`/api/invites/${invite.code}/join`)
  await page.sees(page.link('Birdwatchers'))
  await bob.delete(`/api/servers/${server_id}/members/@me`)
  await page.sees('You have left Birdwatchers.')
  await bob.post(`/api/invites/${invite.code}/join`)
  await page.sees(page.link('Birdwatchers'))
  await alice.put(`/api/servers/${server_id}/bans/${bob.id}`, { reason: 'spam' })
  await page.sees('A moderator has banned you from Birdwatchers. Reason: spam')
  await page.goto(`${parley.url}/invite/${invite.code}`)
  await page.sees('You cannot join this server')
  expect(await page.button('Join server').count()).toBe(0)
  await page.leave()

  // The audit log is in words; voice channels have no #.
  const owner = await Page.as(alice, `/app/servers/${server_id}/channels/${hide.id}`)
  await owner.sees(owner.getByRole('heading', { name: 'Hide', level: 1 }))
  expect(await owner.locator('body').textContent()).not.toContain('#Hide')
  expect(await owner.composer().getAttribute('placeholder')).toBe('Message Hide')
  await owner.inServerMenu('Server settings')
  await owner.button('Audit log').click()
  await owner.sees(owner.locator('.audit').getByText('kicked').first())
  // The page requests names of former members.
  await owner.sees(owner.locator('.audit').getByText(bob.display_name).first())
  const log = (await owner.locator('.audit').textContent()) ?? ''
  for (const raw of [/\bowner_id|role_ids|creator_id|_id\b/, /\[\]|true|false|null/, new RegExp(`#${bob.id}\\b`)])
    expect(log).not.toMatch(raw)
  await owner.leave()
})
