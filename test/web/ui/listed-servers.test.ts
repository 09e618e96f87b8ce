import { expect, test } from 'bun:test'
import { OPENED_AT_START_MAX } from '../../../src/gateway/lazy-servers.ts'
import { say, standard } from '../../support/harness.ts'
import { Page } from '../../support/page.ts'
import { passersBy } from '../../support/people.ts'
import { place } from '../../support/places.ts'

const parley = await standard()
const { sql } = parley.parts

/** The names of servers that a fresh connection opens, then those of two that it only lists. */
const OPEN = Array.from({ length: OPENED_AT_START_MAX }, (_, n) => `Aviary ${n + 1}`)

async function homes() {
  const [ann, ben] = await passersBy(parley, 'ann', 'ben')
  const homesByName = new Map<string, Awaited<ReturnType<typeof place>>>()
  for (const name of [...OPEN, 'Puffinry', 'Heronry']) {
    const home = await place(ann, ben)
    const [channel] = [`nests-of-${name.toLowerCase().replace(' ', '-')}`]
    await sql`update servers set name = ${name} where id = ${home.server_id}`
    await sql`update channels set name = ${channel} where id = ${home.channel_id}`
    homesByName.set(name, home)
  }
  const of = (name: string) => homesByName.get(name) ?? { server_id: 0, channel_id: 0, everyone: 0 }
  return { ann, ben, of }
}

test('a server that is only listed shows its mentions, and opens by its link and its address', async () => {
  const { ann, ben, of } = await homes()
  await say(ann, of('Puffinry').channel_id, `<@${ben.id}>, the puffins are back`)
  await say(ann, of('Heronry').channel_id, 'A heron')
  const page = await Page.as(ben, '/app')
  const rail = page.locator('.server-list')
  await page.sees(rail.getByRole('link', { name: 'Heronry, unread messages' }))
  await rail.getByRole('link', { name: 'Puffinry, 1 unread' }).click()
  await page.sees(page.message(/the puffins are back/))
  await page.sees(page.link(/nests-of-puffinry/))
  await page.sees(rail.getByRole('link', { name: 'Puffinry', exact: true }))
  await page.leave()
  const { server_id, channel_id } = of('Heronry')
  const later = await Page.as(ben, `/app/servers/${server_id}/channels/${channel_id}`)
  await later.sees(later.message('A heron'))
  await later.leave()
})

test('the switcher finds channels of servers that are only listed', async () => {
  const { ben } = await homes()
  const page = await Page.as(ben, '/app')
  await page.keyboard.press('Control+k')
  await page.locator('dialog.switcher').getByRole('combobox').fill('nests-of-heronry')
  await page.sees(page.locator('dialog.switcher').getByRole('option', { name: /nests-of-heronry/ }))
  await page.keyboard.press('Enter')
  await page.sees(page.getByRole('heading', { name: 'nests-of-heronry', level: 1 }))
  await page.leave()
})

test('a message in a server that is only listed is counted at the server until it is read', async () => {
  const { ann, ben, of } = await homes()
  const page = await Page.as(ben, '/app')
  const rail = page.locator('.server-list')
  await page.sees(rail.getByRole('link', { name: 'Heronry', exact: true }))
  await say(ann, of('Heronry').channel_id, `<@${ben.id}>, a heron`)
  await page.sees(rail.getByRole('link', { name: 'Heronry, 1 unread' }))
  // Read on another device.
  expect((await ben.post(`/api/servers/${of('Heronry').server_id}/read-all`)).status).toBe(204)
  await page.sees(rail.getByRole('link', { name: 'Heronry', exact: true }))
  await page.leave()
})
