import { expect, test } from 'bun:test'
import { botOf } from '../../support/bots.ts'
import { standard } from '../../support/harness.ts'
import { passersBy } from '../../support/people.ts'
import { place } from '../../support/places.ts'
import { Page } from '../../support/page.ts'

const parley = await standard()
const { sql } = parley.parts

/** Bots of the owner's in a server, made by SQL: their names, in the order of their ids. */
async function manyBots(owner_id: number, server_id: number, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, n) => `Owl ${n + 1}`)
  for (const display_name of names) {
    const username = `bot:${crypto.randomUUID()}`
    const account = { username, email: username, password_hash: 'none', display_name, kind: 'bot' }
    const [{ id }] = await sql<[{ id: number }]>`insert into users ${sql(account)} returning id`
    await sql`insert into applications ${sql({ id, owner_id })}`
    await sql`insert into members ${sql({ server_id, user_id: id })}`
  }
  return names
}

test('the bots of a server are listed page by page, and one of the second page is removed', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { server_id, channel_id } = await place(alice)
  const names = await manyBots(bob.id, server_id, 53)
  const visitor = await Page.as(alice, `/app/servers/${server_id}/channels/${channel_id}`)
  await visitor.inServerMenu('Server settings')
  const dialog = visitor.getByRole('dialog').first()
  await dialog.getByRole('button', { name: 'Bots', exact: true }).click()
  const rows = dialog.locator('li.application')
  const visibleNames = () => rows.locator('bdi').allInnerTexts()
  const more = dialog.getByRole('button', { name: 'Show more' })
  await visitor.until(async () => (await rows.count()) === 50)
  expect(await visibleNames()).toEqual(names.slice(0, 50))
  await more.click()
  await visitor.misses(more)
  expect(await visibleNames()).toEqual(names)

  await rows.last().getByRole('button', { name: 'Remove' }).click()
  const question = visitor.getByRole('dialog', { name: 'Remove Owl 53?' })
  await question.getByRole('button', { name: 'Remove' }).click()
  await visitor.misses(question)
  await visitor.until(async () => (await rows.count()) === 52)
  expect(await visibleNames()).toEqual(names.slice(0, -1))
  const remaining = (await alice.get(`/api/servers/${server_id}/applications?limit=100`)).body
  expect(remaining.at(-1).application.bot.display_name).toBe('Owl 52')
  await visitor.leave()
})

test('the link of one’s own application is copied, and opens its page', async () => {
  const [alice] = await passersBy(parley, 'alice')
  const { id } = await botOf(alice, 'Dice')
  const visitor = await Page.as(alice)
  const page = visitor
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await page.getByRole('button', { name: 'Applications', exact: true }).click()
  await visitor.button('Copy link').click()
  await visitor.sees('Copied')
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toBe(`${parley.url}/apps/${id}`)
  await page.goto(link)
  await visitor.sees(page.getByRole('heading', { name: 'Dice' }))
  await visitor.leave()
})
