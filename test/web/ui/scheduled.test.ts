import { expect, test } from 'bun:test'
import { person, newServer, standard } from '../../support/harness.ts'
import { Page } from '../../support/page.ts'

const parley = await standard()
const { sql } = parley.parts

/** Alice, who looks at her channel. */
async function scene() {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id, channel_id } = await newServer(alice, bob)
  const visitor = await Page.as(alice, `/app/servers/${server_id}/channels/${channel_id}`)
  const scheduled = async () => (await alice.get('/api/scheduled')).body
  return { alice, bob, channel_id, visitor, scheduled }
}

test('a written message is sent later, and is changed and cancelled in the inbox', async () => {
  const { visitor, scheduled, channel_id } = await scene()
  await visitor.sees(visitor.composer())
  expect(await visitor.button('Send later').count()).toBe(0)
  await visitor.composer().fill('Good morning, all')
  await visitor.button('Send later').press('Enter')
  await visitor.dialog('Send later').getByRole('button', { name: 'in 1 hour' }).click()
  await visitor.sees(/^Will be sent/)
  expect(await visitor.composer().inputValue()).toBe('')
  const [first] = await scheduled()
  expect(first).toMatchObject({ channel_id, content: 'Good morning, all', state: 'waiting' })
  expect((Date.parse(first.send_at) - Date.now()) / 60_000).toBeWithin(50, 61)
  await visitor.button('Show inbox').click()
  await visitor.button('Scheduled').click()
  const row = visitor.locator('dialog .scheduled', { hasText: 'Good morning' })
  await row.getByRole('button', { name: 'Edit…' }).click()
  await visitor.field('Edit message').fill('Good morning, everybody')
  await visitor.dialog('Edit…').getByRole('button', { name: 'Save' }).click()
  await visitor.sees(visitor.locator('dialog .scheduled', { hasText: 'everybody' }))
  expect(await scheduled()).toMatchObject([{ content: 'Good morning, everybody', send_at: first.send_at }])
  await visitor.locator('dialog .scheduled').getByRole('button', { name: 'Delete' }).click()
  await visitor.sees('Nothing scheduled')
  expect(await scheduled()).toEqual([])
  await visitor.leave()
})

test('the inbox counts returned and held messages, with the reason, until they are dealt with', async () => {
  const { alice, visitor, channel_id, scheduled } = await scene()
  const send_at = new Date(Date.now() + 3_600_000).toISOString()
  for (const content of ['Too late', 'Held back'])
    await alice.post(`/api/channels/${channel_id}/scheduled`, { draft: { content }, send_at })
  const [late] = await scheduled()
  await sql`update scheduled_messages set reply_to_id = 1, send_at = now(), due_at = now() where id = ${late.id}`
  await parley.sweep()
  await visitor.sees(visitor.button('Show inbox, 1 unread'))
  await sql`update scheduled_messages set state = 'held' where author_id = ${alice.id} and state = 'waiting'`
  await visitor.reload()
  await visitor.button('Show inbox, 2 unread').click()
  await visitor.sees(visitor.locator('dialog .scheduled', { hasText: 'Too late' }).getByText(/^Not sent:/))
  await visitor.sees('Held until you confirm')
  await visitor.button('Confirm all').click()
  await visitor.sees(visitor.locator('dialog .scheduled', { hasText: 'Held back' }).getByText(/^Will be sent/))
  await visitor.locator('dialog .scheduled', { hasText: 'Too late' }).getByRole('button', { name: 'Delete' }).click()
  await visitor.keyboard.press('Escape')
  await visitor.sees(visitor.getByRole('button', { name: 'Show inbox', exact: true }))
  await visitor.leave()
})
