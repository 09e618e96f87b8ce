import { expect } from 'bun:test'
import { newServer, person, say, standard } from '../support/harness.ts'
import { befriend, write } from '../support/people.ts'
import { reportsOf } from '../support/reports.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()

browserTest(
  browser,
  'a message and a profile are reported from their menus, and the form says who reads it',
  async (chromium) => {
    const [alice, bob, eve] = [await person(parley, 'alice'), await person(parley, 'bob'), await person(parley, 'eve')]
    const { server_id, channel_id } = await newServer(alice, bob, eve)
    await say(eve, channel_id, 'Buy feathers')
    await say(bob, channel_id, 'My own')
    const visitor = await Visitor.as(chromium, bob, `/app/servers/${server_id}/channels/${channel_id}`)
    await visitor.message('My own').hover()
    await visitor.button('More actions').click()
    await visitor.misses(visitor.page.getByRole('menuitem', { name: 'Report message' }))
    await visitor.page.keyboard.press('Escape')

    await visitor.message('Buy feathers').hover()
    await visitor.act('Report message')
    const readers = visitor.page.getByRole('dialog').locator('form [role=status]')
    await visitor.until(async () => (await readers.innerText()).startsWith('Read by the moderators of Birdwatchers'))
    await visitor.page.getByLabel('Reason').selectOption('Harm to a minor')
    await visitor.until(async () => (await readers.innerText()).startsWith('Read only by the operator'))
    await visitor.page.getByLabel('Reason').selectOption('Spam or advertising')
    await visitor.page.getByLabel('What should they know?').fill('Every day')
    await visitor.button('Send report').click()
    await visitor.sees(visitor.page.getByText('Your report was sent. Thank you.').first())
    const [row] = await reportsOf(alice, server_id)
    expect(row).toMatchObject({ content: 'Buy feathers', reasons: ['spam'] })

    await visitor.page.locator('.members button', { hasText: eve.display_name }).click({ button: 'right' })
    await visitor.page.getByRole('menuitem', { name: 'Report profile' }).click()
    await visitor.button('Send report').click()
    await visitor.until(async () => (await reportsOf(alice, server_id)).length === 2)
    await visitor.leave()
  },
)

browserTest(browser, 'a report from a direct message says that only the operator reads it', async (chromium) => {
  const [alice, eve] = [await person(parley, 'alice'), await person(parley, 'eve')]
  await befriend(alice, eve)
  const { id } = await write(eve, alice, 'Buy feathers')
  const visitor = await Visitor.as(chromium, alice, `/app/dm/${eve.id}`)
  await visitor.message('Buy feathers').hover()
  await visitor.act('Report message')
  const readers = visitor.page.getByRole('dialog').locator('form [role=status]')
  await visitor.until(async () => (await readers.innerText()).startsWith('Read only by the operator'))
  await visitor.button('Send report').click()
  const { sql } = parley.parts
  await visitor.until(
    async () => (await sql`select 1 from reports where subject_id = ${id} and for_operator`).length > 0,
  )
  await visitor.leave()
})
