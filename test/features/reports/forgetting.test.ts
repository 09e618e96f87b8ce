import { expect, test } from 'bun:test'
import { say, standard } from '../../support/harness.ts'
import { deleteAccountOf, peopleWithPassword } from '../../support/people.ts'
import { place } from '../../support/places.ts'
import { promote } from '../../support/ranks.ts'
import { report, reportsOf } from '../../support/reports.ts'

const parley = await standard()
const { sql } = parley.parts

async function scene() {
  const people = await peopleWithPassword(parley, 'alice', 'mod', 'bob', 'eve')
  const [alice, mod, bob, eve] = people
  const at = await place(alice, mod, bob, eve)
  await promote(mod, at.server_id, { bits: ['moderate_members'] })
  return { ...at, alice, mod, bob, eve }
}

test('the deletion of the reported account keeps the text without the name', async () => {
  const { server_id, channel_id, mod, bob, eve } = await scene()
  await report(bob, (await say(eve, channel_id, 'Buy feathers')).id)
  await bob.post(`/api/users/${eve.id}/reports`, { reason: 'impersonation', server_id })
  expect((await deleteAccountOf(eve)).status).toBe(204)
  const [profile, message] = await reportsOf(mod, server_id)
  const author = { id: eve.id, display_name: 'Deleted user' }
  expect(message).toMatchObject({ content: 'Buy feathers', author })
  expect(profile).toMatchObject({ content: '', is_deleted: true, author })
})

test('the deletion of the reporter keeps the report without the note', async () => {
  const { server_id, channel_id, mod, bob, eve } = await scene()
  await report(bob, (await say(eve, channel_id, 'Buy feathers')).id, 'spam', 'Bob from Bath saw it')
  expect((await deleteAccountOf(bob)).status).toBe(204)
  const [row] = await reportsOf(mod, server_id)
  const { reporters } = (await mod.get(`/api/reports/${row.id}`)).body
  expect(reporters).toMatchObject([{ user: { display_name: 'Deleted user' }, reason: 'spam', note: '' }])
})

test('a new owner cannot reach the reports about themselves, and the operator gets them', async () => {
  const { server_id, channel_id, alice, mod, bob } = await scene()
  await report(bob, (await say(mod, channel_id, 'Buy feathers')).id)
  const [row] = await reportsOf(alice, server_id)
  expect(await reportsOf(mod, server_id)).toEqual([])
  expect((await alice.post(`/api/servers/${server_id}/transfer`, { user_id: mod.id })).status).toBe(200)
  for (const who of [alice, mod]) expect((await who.get(`/api/reports/${row.id}`)).status).toBe(404)
  const [outcome] = await sql`select for_operator from reports where id = ${row.id}`
  expect(outcome?.for_operator).toBeTrue()
})

test('the reports of a deleted server go with it, except those for the operator', async () => {
  const { server_id, channel_id, alice, bob, eve } = await scene()
  const { id } = await say(eve, channel_id, 'Buy feathers')
  await report(bob, id)
  await report(bob, id, 'minor_safety')
  expect((await alice.delete(`/api/servers/${server_id}`)).status).toBe(204)
  await parley.sweep()
  const rows = await sql`select for_operator from reports where server_id = ${server_id}`
  expect(rows.map(({ for_operator }) => for_operator)).toEqual([true])
})
