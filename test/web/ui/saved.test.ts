import { expect, test } from 'bun:test'
import { person, newServer, say, standard } from '../../support/harness.ts'
import { Page } from '../../support/page.ts'

const parley = await standard()
const { sql } = parley.parts

/** Two messages of bob's in a channel that alice looks at. */
async function scene() {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id, channel_id } = await newServer(alice, bob)
  const first = await say(bob, channel_id, 'The kingfisher nests in May')
  const second = await say(bob, channel_id, 'Bring a telescope')
  const visitor = await Page.as(alice, `/app/servers/${server_id}/channels/${channel_id}`)
  return { alice, bob, first, second, visitor }
}

test('S saves a message with a note and a reminder, and the inbox lists it until it is removed', async () => {
  const { alice, first, visitor } = await scene()
  await visitor.message('kingfisher').press('s')
  const dialog = visitor.dialog('Save message')
  await visitor.sees(dialog)
  await visitor.until(async () => (await alice.get('/api/saved')).body.length === 1)
  await dialog.getByRole('button', { name: 'in 1 hour' }).click()
  await visitor.sees(dialog.getByText(/^Reminder/))
  await visitor.field('Note').fill('Tell the others')
  await dialog.getByRole('button', { name: 'Save', exact: true }).press('Enter')
  await visitor.misses(dialog)
  const [entry] = (await alice.get('/api/saved')).body
  expect(entry).toMatchObject({ message_id: first.id, note: 'Tell the others', due: false })
  const ahead = (Date.parse(entry.remind_at) - Date.now()) / 60_000
  expect(ahead).toBeWithin(50, 61)
  await visitor.button('Show inbox').press('Enter')
  await visitor.button('Saved').press('Enter')
  const row = visitor.locator('dialog .message', { hasText: 'kingfisher' })
  await visitor.sees(row.getByText('Tell the others'))
  await row.getByRole('button', { name: 'Remove from saved' }).click()
  await visitor.sees('Nothing saved yet')
  expect((await alice.get('/api/saved')).body).toEqual([])
  await visitor.leave()
})

test('a due reminder is announced and counted at the inbox, which opens at it, until it is done', async () => {
  const { alice, second, visitor } = await scene()
  await alice.put(`/api/saved/${second.id}`, { remind_at: new Date(Date.now() + 3_600_000).toISOString() })
  await sql`update saved_messages set remind_at = now() where user_id = ${alice.id}`
  await parley.sweep()
  await visitor.sees('Reminder of a saved message')
  await visitor.button('Show inbox, 1 unread').click()
  const row = visitor.locator('dialog .message', { hasText: 'telescope' })
  await row.getByRole('button', { name: 'Done' }).click()
  await visitor.misses(row.getByRole('button', { name: 'Done' }))
  await visitor.sees(row)
  await visitor.keyboard.press('Escape')
  await visitor.sees(visitor.getByRole('button', { name: 'Show inbox', exact: true }))
  await visitor.leave()
})

test('the list of saved messages follows edits and deletions', async () => {
  const { alice, bob, first, second, visitor } = await scene()
  for (const { id } of [first, second]) await alice.put(`/api/saved/${id}`, {})
  await visitor.button('Show inbox').click()
  await visitor.button('Saved').click()
  const list = visitor.locator('dialog')
  await visitor.sees(list.getByText('Bring a telescope'))
  await bob.put(`/api/messages/${second.id}`, { content: 'Bring two telescopes' })
  await visitor.sees(list.getByText('Bring two telescopes'))
  await bob.delete(`/api/messages/${first.id}`)
  await visitor.misses(list.getByText('The kingfisher nests in May'))
  await visitor.leave()
})
