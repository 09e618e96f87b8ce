import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { person, newServer, say, standard } from '../../support/harness.ts'
import { group } from '../../support/people.ts'
import { Page } from '../../support/page.ts'

const parley = await standard()
/** Opens the menu of a message, and picks an entry. */
async function act(visitor: Page, text: string, action: string): Promise<void> {
  await visitor.message(text).last().hover()
  await visitor.button('More').click()
  await visitor.getByRole('menuitem', { name: action }).click()
}

test('a forward out of a private channel links back only for its members', async () => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  const staff = (await ann.post(`/api/servers/${server_id}/channels`, { name: 'staff', type: 'text' })).body.id
  const [everyone] = (await ann.get(`/api/servers/${server_id}/roles`)).body
  const deny = permissions('view_channel')
  await ann.put(`/api/channels/${staff}/permissions/${everyone.id}`, { deny })
  const original = await say(ann, staff, 'An eagle owl')
  const place = `/app/servers/${server_id}/channels/${channel_id}`
  const guest = await Page.as(ben, place)
  await ann.post(`/api/channels/${channel_id}/messages`, { content: 'See', forward_message_id: original.id })
  const quoted = guest.message('See').locator('.forwarded')
  await guest.sees(quoted.getByText('An eagle owl'))
  expect(await quoted.getByRole('link').count()).toBe(0)
  expect(await quoted.innerText()).not.toContain(ann.display_name)
  const moderator = await Page.as(ann, place)
  await moderator.sees(moderator.message('See').locator('.forwarded', { hasText: ann.display_name }))
  // The edit event, which goes to all, does not remove the link.
  await ann.put(
    `/api/channels/${channel_id}/pins/${(await ann.get(`/api/channels/${channel_id}/messages`)).body[0].id}`,
  )
  await moderator.sees(moderator.getByText('pinned a message'))
  await moderator.message('See').getByRole('link', { name: 'Go to the original' }).click()
  await moderator.sees(moderator.locator(`.message[data-id="${original.id}"]`))
  await ann.delete(`/api/messages/${original.id}`)
  await guest.sees(guest.message('See').getByText('The original message was deleted'))
  await guest.leave()
  await moderator.leave()
})

test('a moderator selects several messages and deletes them; slowmode counts down', async () => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  for (const text of ['Spam one', 'Spam two', 'Ham']) await say(ben, channel_id, text)
  const path = `/app/servers/${server_id}/channels/${channel_id}`
  const first = await Page.as(ann, path)
  await first.button('Members').click()
  await act(first, 'Spam one', 'Select messages')
  await first.message('Spam two').getByRole('checkbox', { name: 'Select this message' }).check()
  await first.sees('2 messages selected')
  await first.button('Delete 2 messages').click()
  await first.locator('dialog').getByRole('button', { name: 'Delete message' }).click()
  await first.misses(first.message('Spam two'))
  await first.sees(first.message('Ham'))
  await first.sees(first.composer())

  await first.locator('.sidebar li', { hasText: 'general' }).hover()
  await first
    .button(/Settings of|Channel settings/)
    .first()
    .click()
  await first.field('Slowmode').selectOption({ label: 'One message every 1 minute' })
  await first.button('Save').click()
  await first.sees('Saved')
  const second = await Page.as(ben, path)
  await second.say('Hello')
  await second.sees(second.message('Hello'))
  await second.sees(/Slowmode: you can write again in \d+ seconds?\./)
  expect(await second.button('Send').isDisabled()).toBe(true)
  // Screen readers announce the beginning and the end; the draft stays.
  const status = second.locator('.composer [role=status]')
  await second.until(async () => /^Slowmode: you can write again in \d+ seconds?\.$/.test(await status.innerText()))
  const firstTold = await status.innerText()
  await second.say('More')
  const countdown = second.getByRole('timer')
  await second.until(async () => (await countdown.textContent()) !== firstTold)
  expect(await status.innerText()).toBe(firstTold)
  expect([await second.composer().inputValue(), await second.message('More').count()]).toEqual(['More', 0])
  expect((await ann.put(`/api/channels/${channel_id}`, { slowmode_seconds: 1 })).status).toBe(200)
  await second.until(async () => (await status.innerText()) === 'You can write again.')
  await second.composer().press('Enter')
  await second.sees(second.message('More'))
  for (const visitor of [first, second]) await visitor.leave()
})

test('a group shows who comes and goes, and loses its name again; a server announces new members', async () => {
  const [ann, ben, cat] = [await person(parley, 'ann'), await person(parley, 'ben'), await person(parley, 'cat')]
  const id = await group(ann, ben, cat)
  const first = await Page.as(ann, `/c/${id}`)
  await first.button('Group settings').click()
  await first.field('Group name').fill('Owls')
  await first.button('Save').click()
  await first.sees('Saved')
  await first.field('Group name').fill('')
  await first.button('Save').click()
  await first.button(`Remove ${cat.display_name} from the group`).click()
  await first.button('Close').click()
  for (const text of ['named the group Owls', 'removed the group name', `removed ${cat.display_name}`])
    await first.sees(first.locator('.notice', { hasText: text }))
  await first.sees(first.locator('h1', { hasText: ben.display_name }))
  await first.leave()

  const { server_id } = await newServer(ann)
  const owner = await Page.as(ann, `/app/servers/${server_id}`)
  await owner.inServerMenu('Server settings')
  await owner.field('Announce new members in').selectOption({ label: '#general' })
  await owner.button('Save').first().click()
  await owner.sees('Saved')
  await owner.button('Close').click()
  await owner.misses(owner.locator('dialog'))
  const { code } = (await ann.post('/api/invites', { server_id })).body
  expect((await ben.post(`/api/invites/${code}/join`)).status).toBe(201)
  await owner.sees(owner.locator('.notice', { hasText: `${ben.display_name} joined the server.` }))
  await owner.leave()
})
