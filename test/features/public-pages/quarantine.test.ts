import { expect, test } from 'bun:test'
import { boot, type Person, say } from '../../support/harness.ts'
import { deleteAccountOf, peopleWithPassword } from '../../support/people.ts'
import { publicPlace } from '../../support/public-pages.ts'

const parley = await boot()
const { sql } = parley.parts
const [alice, spammer] = (await peopleWithPassword(parley, 'alice', 'spammer')) as [Person, Person]

/** The text of a page. */
const read = async (path: string): Promise<string> => (await fetch(parley.url + path)).text()

test('words of a quarantined account do not become public by its deletion', async () => {
  const { server_id, open_id } = await publicPlace(alice)
  await sql`insert into members ${sql({ server_id, user_id: spammer.id })}`
  await say(spammer, open_id, 'Cheap feathers')
  await sql`update messages set created_at = now() - interval '2 days' where author_id = ${spammer.id}`
  await sql`update members set joined_at = now() - interval '3 days' where user_id = ${spammer.id}`
  await sql`update channels set public_since = now() - interval '3 days' where id = ${open_id}`
  const quarantine = { held_back: 'quarantined' }
  expect((await alice.put(`/api/servers/${server_id}/members/${spammer.id}`, quarantine)).status).toBe(200)
  const path = `/p/${server_id}/${open_id}`
  expect(await read(path)).not.toContain('Cheap')
  expect((await deleteAccountOf(spammer)).status).toBe(204)
  await say(alice, open_id, 'A heron')
  const page = await read(path)
  expect([page.includes('A heron'), page.includes('Cheap')]).toEqual([true, false])
  expect(await read(`${path}/feed.atom`)).not.toContain('Cheap')
  await sql`delete from quarantines where user_id = ${spammer.id}`
  await say(alice, open_id, 'Two herons')
  expect(await read(path)).toContain('Cheap')
})
