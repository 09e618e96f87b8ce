import { afterAll, expect } from 'bun:test'
import { faultsOf } from '../support/browser/axe.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'
import { boot, PASSWORD, person, stop } from '../support/harness.ts'
import { EXPORT, imports } from '../support/imports.ts'
import { databaseOf, done } from '../support/operator.ts'
import { peopleWithPassword } from '../support/people.ts'

const parley = await boot()
const browser = await openBrowser()
afterAll(() => stop(parley))

browserTest(
  browser,
  'imported messages, and the page that gives them to a person, have no accessibility fault',
  async (chromium) => {
    const alice = await person(parley, 'alice')
    const [ann] = await peopleWithPassword(parley, 'ann')
    const { sql } = parley.parts
    await imports(parley, EXPORT, '--owner', String(alice.id))
    const [channel] = await sql<{ id: number; server_id: number }[]>`
      select id, server_id from channels where topic = 'All birds'`
    const path = `/app/servers/${channel?.server_id}/channels/${channel?.id}`
    const [author] = await sql<{ id: number }[]>`
      select id from users where kind = 'imported' and display_name = 'Ann of the Marsh'`
    const owner = await Visitor.as(chromium, alice, path)
    const marked = owner.page.locator('.message', { hasText: 'Ann of the Marsh' }).first()
    await owner.sees(marked.getByText('imported', { exact: true }))
    expect(await faultsOf(owner)).toEqual([])

    const { link } = await done(databaseOf(parley), 'claim-link', String(author?.id), String(ann?.id))
    const { pathname, hash } = new URL(link)
    const visitor = await Visitor.stranger(chromium, parley, pathname + hash)
    await visitor.field('Username or e-mail').fill(ann?.username ?? '')
    await visitor.field('Password').fill(PASSWORD)
    await visitor.field('Password').press('Enter')
    await visitor.sees(visitor.page.getByRole('heading', { name: 'Claim your messages' }))
    expect(await faultsOf(visitor)).toEqual([])
    await owner.leave()
    await visitor.leave()
  },
)
