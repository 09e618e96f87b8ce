import { afterAll, expect, test } from 'bun:test'
import { boot, PASSWORD, person, stop } from '../../support/harness.ts'
import { EXPORT, imports } from '../../support/imports.ts'
import { databaseOf, done } from '../../support/operator.ts'
import { peopleWithPassword } from '../../support/people.ts'
import { Page } from '../../support/page.ts'

const parley = await boot()
afterAll(() => stop(parley))

test('imported messages are marked, and a link gives them to a person, logged in or not', async () => {
  const alice = await person(parley, 'alice')
  const [ann] = await peopleWithPassword(parley, 'ann')
  const { sql } = parley.parts
  await imports(parley, EXPORT, '--owner', String(alice.id))
  const [channel] = await sql<{ id: number; server_id: number }[]>`
      select id, server_id from channels where topic = 'All birds'`
  const path = `/app/servers/${channel?.server_id}/channels/${channel?.id}`
  const [author] = await sql<{ id: number }[]>`
      select id from users where kind = 'imported' and display_name = 'Ann of the Marsh'`
  const owner = await Page.as(alice, path)
  const marked = owner.locator('.message', { hasText: 'Ann of the Marsh' }).first()
  await owner.sees(marked.getByText('imported', { exact: true }))

  const { link } = await done(databaseOf(parley), 'claim-link', String(author?.id), String(ann?.id))
  const { pathname, hash } = new URL(link)
  await owner.goto(parley.url + pathname + hash)
  await owner.button('These are mine').click()
  await owner.sees('The link has expired, was already used, or is for another account.')

  const page = await Page.stranger(parley, pathname + hash)
  await page.field('Username or e-mail').fill(ann?.username ?? '')
  await page.field('Password').fill(PASSWORD)
  await page.field('Password').press('Enter')
  await page.sees(page.getByRole('heading', { name: 'Claim your messages' }))
  await page.button('These are mine').press('Enter')
  await page.sees('The messages will be yours within minutes.')
  await page.until(async () => {
    await parley.sweep()
    const [importedUser] = await sql`select 1 from users where id = ${author?.id ?? 0} and deleted_at is null`
    return importedUser === undefined
  })
  await owner.goto(parley.url + path)
  const moved = owner.locator('.message', { hasText: ann?.display_name ?? '' }).first()
  await owner.sees(moved)
  expect(await moved.getByText('imported', { exact: true }).count()).toBe(0)
  await owner.leave()
  await page.leave()
})
