import { expect, test } from 'bun:test'
import { PARTNERS_AT_ONCE } from '../../../src/features/accounts/profile.ts'
import { Person, standard, until } from '../../support/harness.ts'
import { deleteAccountOf, passersBy, peopleWithPassword } from '../../support/people.ts'
import { session } from '../../support/places.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts

/** Gives the account a conversation with this many others. @returns the one with the greatest id */
async function partners(who: Person, count: number): Promise<Person> {
  const name = `${who.username}-partner`
  await sql.begin(async (tx) => {
    const others = await tx<{ id: number }[]>`
      insert into users (username, email, password_hash, display_name)
      select ${name} || n, ${name} || n || '@example.org', 'none', 'Partner' from generate_series(1, ${count}) n
      returning id`
    const ids = others.map(({ id }) => id)
    // The channels are identified by their names until all have their participants.
    await tx`insert into channels (name, type, position) select id::text, 'dm', 0 from unnest(${ids}::bigint[]) id`
    await tx`insert into participants (channel_id, user_id, other_id)
      select c.id, ${who.id}, c.name::bigint from channels c where c.type = 'dm' and c.name <> ''
      union all select c.id, c.name::bigint, ${who.id} from channels c where c.type = 'dm' and c.name <> ''`
    await tx`update channels set name = '' where type = 'dm' and name <> ''`
  })
  await sql`analyze participants`
  const [{ id }] = await sql<[{ id: number }]>`select max(other_id) as id from participants where user_id = ${who.id}`
  return new Person(parley, id, `${name}${count}`, '', '', await session(parley, id))
}

const rename = async (who: Person, display_name: string) =>
  expect((await who.put('/api/auth/display-name', { display_name })).status).toBe(200)
const announcements = () => sql`select 1 from profile_announcements`
/** The recipients of the newest `user.updated` about the account, by display name. */
const announced = (who: Person) => sql<{ name: string; count: number }[]>`
  select name, count(*)::int as count from (
    select distinct on (topic) topic, body ->> 'display_name' as name from events
    where type = 'user.updated' and resource = ${`user:${who.id}`} order by topic, id desc) newest
  group by name`

test('a rename with 10,000 conversations is answered after a bounded part of the work, and reaches all', async () => {
  const [alice] = await passersBy(parley, 'alice')
  const last = await partners(alice, 10_000)
  const live = await connect(last)
  const began = performance.now()
  await rename(alice, 'Otter')
  const took = performance.now() - began
  const [{ rows }] = await sql<[{ rows: number }]>`select count(*)::int as rows from events
    where type = 'user.updated' and resource = ${`user:${alice.id}`}`
  if (process.env['MEASURE']) console.log({ took, rows })
  await live.next('user.updated', ({ d }) => d.display_name === 'Otter')
  await until(async () => (await announcements()).length === 0)
  expect([...(await announced(alice))]).toEqual([{ name: 'Otter', count: 10_001 }])
  const [{ largest }] = await sql<[{ largest: number }]>`select max(rows)::int as largest from (
    select count(*) as rows from events
    where type = 'user.updated' and resource = ${`user:${alice.id}`} group by xid) each`
  expect(largest).toBe(PARTNERS_AT_ONCE + 1)
  live.close()
})

test('after several renames in a row, everyone’s last event carries the last name', async () => {
  const [alice] = await passersBy(parley, 'alice')
  await partners(alice, 2 * PARTNERS_AT_ONCE)
  for (const name of ['One', 'Two', 'Three', 'Four']) await rename(alice, name)
  await until(async () => (await announcements()).length === 0)
  expect([...(await announced(alice))]).toEqual([{ name: 'Four', count: 2 * PARTNERS_AT_ONCE + 1 }])
})

test('an acknowledged change is certain to be announced: the announcement is stored with the change', async () => {
  const [alice] = await passersBy(parley, 'alice')
  await partners(alice, PARTNERS_AT_ONCE + 1)
  let due = 0
  await sql.begin(async (tx) => {
    // Another node holds the job.
    await tx`select pg_advisory_xact_lock(7201508, hashtext('profiles'))`
    await rename(alice, 'Otter')
    due = (await announcements()).length
    await Bun.sleep(1200)
    expect(await announcements()).toHaveLength(1)
  })
  expect(due).toBe(1)
  await until(async () => (await announcements()).length === 0)
  expect([...(await announced(alice))]).toEqual([{ name: 'Otter', count: PARTNERS_AT_ONCE + 2 }])
})

test('everyone learns of a deleted account too', async () => {
  const [alice] = await peopleWithPassword(parley, 'alice')
  const last = await partners(alice, PARTNERS_AT_ONCE + 1)
  const live = await connect(last)
  expect((await deleteAccountOf(alice)).status).toBe(204)
  expect((await live.next('user.updated', ({ d }) => d.id === alice.id)).d.display_name).not.toBe('alice')
  await until(async () => (await announcements()).length === 0)
  live.close()
})
