import { expect } from 'bun:test'
import { permissions } from '../../src/core/permissions.ts'
import { person, newServer, say, standard } from '../support/harness.ts'
import { befriend, group } from '../support/people.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()
const SHOTS = process.env['SHOTS']
/** Wide and on a phone, light and dark. */
async function shoot({ page }: Visitor, name: string): Promise<void> {
  if (!SHOTS) return
  for (const [size, viewport] of Object.entries({
    wide: { width: 1280, height: 800 },
    phone: { width: 390, height: 800 },
  }))
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: `${SHOTS}/${name}-${size}-${colorScheme}.png` })
    }
  await page.setViewportSize({ width: 1280, height: 800 })
}
/** Opens the menu of a message, and picks an entry. */
async function act(visitor: Visitor, text: string, action: string): Promise<void> {
  await visitor.message(text).last().hover()
  await visitor.button('More').click()
  await visitor.page.getByRole('menuitem', { name: action }).click()
}

browserTest(
  browser,
  'a message is forwarded to a place found by search, with a comment, and links back',
  async (chromium) => {
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    await befriend(ann, ben)
    const { server_id, channel_id } = await newServer(ann, ben)
    await ann.post(`/api/servers/${server_id}/channels`, { name: 'field-notes', type: 'text' })
    const original = await say(ben, channel_id, 'Two **kingfishers**')
    const begun = { name: 'At the weir', message_id: (await say(ben, channel_id, 'The weir')).id }
    const thread = (await ben.post(`/api/channels/${channel_id}/threads`, begun)).body
    const first = await Visitor.as(chromium, ann, `/app/servers/${server_id}/channels/${channel_id}`)
    await first.button('Members').click()
    await act(first, 'kingfishers', 'Forward')
    // Into a thread that the account does not follow.
    await first.field('Search channels and people').fill('weir')
    await first.sees(first.page.locator('.places').getByText('#general · Birdwatchers'))
    await shoot(first, 'forward-thread')
    await first.page.getByRole('radio').check()
    await first.button('Forward').last().click()
    await first.sees('Forwarded.')
    const [inThread] = (await ben.get(`/api/channels/${thread.id}/messages`)).body
    expect(inThread.forwarded).toMatchObject({ message_id: original.id, content: 'Two **kingfishers**' })
    await act(first, 'kingfishers', 'Forward')
    await first.field('Search channels and people').fill('notes')
    await first.page.getByRole('radio').check()
    await first.field('Comment').fill('Look at this')
    expect(await faultsOf(first)).toEqual([])
    await shoot(first, 'forward')
    await first.button('Forward').last().click()
    await first.sees('Forwarded.')
    await first.link('field-notes').click()
    const row = first.message('Look at this')
    await first.sees(row.locator('.forwarded strong', { hasText: 'kingfishers' }))
    await first.sees(row.locator('.forwarded', { hasText: ben.display_name }))
    await shoot(first, 'forwarded')
    await row.getByRole('link', { name: 'Go to the original' }).click()
    await first.sees(first.page.locator(`.message[data-id="${original.id}"]`))
    await ben.delete(`/api/messages/${original.id}`)
    await first.link('field-notes').click()
    await first.sees(first.message('Look at this').getByText('The original message was deleted'))
    await first.leave()
  },
)

browserTest(browser, 'a forward out of a private channel links back only for its members', async (chromium) => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  const staff = (await ann.post(`/api/servers/${server_id}/channels`, { name: 'staff', type: 'text' })).body.id
  const [everyone] = (await ann.get(`/api/servers/${server_id}/roles`)).body
  const deny = permissions('view_channel')
  await ann.put(`/api/channels/${staff}/permissions/${everyone.id}`, { deny })
  const original = await say(ann, staff, 'An eagle owl')
  const place = `/app/servers/${server_id}/channels/${channel_id}`
  const guest = await Visitor.as(chromium, ben, place)
  await ann.post(`/api/channels/${channel_id}/messages`, { content: 'See', forward_message_id: original.id })
  const quoted = guest.message('See').locator('.forwarded')
  await guest.sees(quoted.getByText('An eagle owl'))
  await shoot(guest, 'forward-unnamed')
  expect(await quoted.getByRole('link').count()).toBe(0)
  expect(await quoted.innerText()).not.toContain(ann.display_name)
  const moderator = await Visitor.as(chromium, ann, place)
  await moderator.sees(moderator.message('See').locator('.forwarded', { hasText: ann.display_name }))
  // The edit event, which goes to all, does not remove the link.
  await ann.put(
    `/api/channels/${channel_id}/pins/${(await ann.get(`/api/channels/${channel_id}/messages`)).body[0].id}`,
  )
  await moderator.sees(moderator.page.getByText('pinned a message'))
  await moderator.message('See').getByRole('link', { name: 'Go to the original' }).click()
  await moderator.sees(moderator.page.locator(`.message[data-id="${original.id}"]`))
  await ann.delete(`/api/messages/${original.id}`)
  await guest.sees(guest.message('See').getByText('The original message was deleted'))
  await guest.leave()
  await moderator.leave()
})

browserTest(
  browser,
  'a moderator selects several messages and deletes them; slowmode counts down',
  async (chromium) => {
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    const { server_id, channel_id } = await newServer(ann, ben)
    for (const text of ['Spam one', 'Spam two', 'Ham']) await say(ben, channel_id, text)
    const path = `/app/servers/${server_id}/channels/${channel_id}`
    const first = await Visitor.as(chromium, ann, path)
    await first.button('Members').click()
    await act(first, 'Spam one', 'Select messages')
    await first.message('Spam two').getByRole('checkbox', { name: 'Select this message' }).check()
    await first.sees('2 messages selected')
    await shoot(first, 'selecting')
    await first.button('Delete 2 messages').click()
    await first.page.locator('dialog').getByRole('button', { name: 'Delete message' }).click()
    await first.misses(first.message('Spam two'))
    await first.sees(first.message('Ham'))
    await first.sees(first.composer())

    await first.page.locator('.sidebar li', { hasText: 'general' }).hover()
    await first
      .button(/Settings of|Channel settings/)
      .first()
      .click()
    await first.field('Slowmode').selectOption({ label: 'One message every 1 minute' })
    await shoot(first, 'slowmode-setting')
    await first.button('Save').click()
    await first.sees('Saved')
    const second = await Visitor.as(chromium, ben, path)
    await second.say('Hello')
    await second.sees(second.message('Hello'))
    await second.sees(/Slowmode: you can write again in \d+ seconds?\./)
    expect(await second.button('Send').isDisabled()).toBe(true)
    // Screen readers announce the beginning and the end; the draft stays.
    const status = second.page.locator('.composer [role=status]')
    await second.until(async () => /^Slowmode: you can write again in \d+ seconds?\.$/.test(await status.innerText()))
    const firstTold = await status.innerText()
    await shoot(second, 'slowmode')
    await second.say('More')
    const countdown = second.page.getByRole('timer')
    await second.until(async () => (await countdown.textContent()) !== firstTold)
    expect(await status.innerText()).toBe(firstTold)
    expect([await second.composer().inputValue(), await second.message('More').count()]).toEqual(['More', 0])
    expect((await ann.put(`/api/channels/${channel_id}`, { slowmode_seconds: 1 })).status).toBe(200)
    await second.until(async () => (await status.innerText()) === 'You can write again.')
    await second.composer().press('Enter')
    await second.sees(second.message('More'))
    for (const visitor of [first, second]) await visitor.leave()
  },
)

browserTest(
  browser,
  'a group shows who comes and goes, and loses its name again; a server announces new members',
  async (chromium) => {
    const [ann, ben, cat] = [await person(parley, 'ann'), await person(parley, 'ben'), await person(parley, 'cat')]
    const id = await group(ann, ben, cat)
    const first = await Visitor.as(chromium, ann, `/c/${id}`)
    await first.button('Group settings').click()
    await first.field('Group name').fill('Owls')
    await first.button('Save').click()
    await first.sees('Saved')
    await first.field('Group name').fill('')
    await first.button('Save').click()
    await shoot(first, 'group-settings')
    await first.button(`Remove ${cat.display_name} from the group`).click()
    await first.button('Close').click()
    for (const text of ['named the group Owls', 'removed the group name', `removed ${cat.display_name}`])
      await first.sees(first.page.locator('.notice', { hasText: text }))
    await first.sees(first.page.locator('h1', { hasText: ben.display_name }))
    await shoot(first, 'notices')
    await first.leave()

    const { server_id } = await newServer(ann)
    const owner = await Visitor.as(chromium, ann, `/app/servers/${server_id}`)
    await owner.inServerMenu('Server settings')
    await owner.field('Announce new members in').selectOption({ label: '#general' })
    await shoot(owner, 'server-settings')
    await owner.button('Save').first().click()
    await owner.sees('Saved')
    await owner.button('Close').click()
    const { code } = (await ann.post('/api/invites', { server_id })).body
    await ben.post(`/api/invites/${code}/join`)
    await owner.sees(owner.page.locator('.notice', { hasText: `${ben.display_name} joined the server.` }))
    await owner.leave()
  },
)
