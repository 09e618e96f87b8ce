import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { say, standard } from '../../support/harness.ts'
import { deleteAccountOf, passersBy, peopleWithPassword } from '../../support/people.ts'
import { place, rank } from '../../support/places.ts'
import { report, reportsOf } from '../../support/reports.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts
const MODERATES = permissions('moderate_members', 'kick_members', 'ban_members')

async function scene() {
  const people = await passersBy(parley, 'alice', 'mod', 'bob', 'eve')
  const [alice, mod, bob, eve] = people
  const at = await place(alice, mod, bob, eve)
  await rank(parley, at.server_id, MODERATES, mod)
  const of = (who: typeof alice, path: string) => `/api/servers/${at.server_id}/members/${who.id}/${path}`
  return { ...at, alice, mod, bob, eve, of }
}

test('a warning reaches the member at once, waits until it is read, and names no moderator', async () => {
  const { server_id, mod, eve, of } = await scene()
  const live = await connect(eve)
  expect(live.frames[0]?.d.unread_warnings).toBe(0)
  const { body, status } = await mod.post(of(eve, 'warnings'), { reason: 'No feathers here' })
  expect([status, body.kind, body.actor.id, body.read_at]).toEqual([201, 'warning', mod.id, null])
  const event = await live.next('warning.created')
  expect(event.d).toMatchObject({ id: body.id, server_id, server_name: 'Birdwatchers', reason: 'No feathers here' })
  expect(JSON.stringify(event.d)).not.toInclude(mod.display_name)
  const again = await connect(eve)
  expect(again.frames[0]?.d.unread_warnings).toBe(1)
  const [own] = (await eve.get('/api/users/@me/warnings')).body
  expect(own).toEqual(event.d)
  for (let n = 0; n < 2; n++) expect((await eve.post(`/api/users/@me/warnings/${body.id}/read`)).status).toBe(204)
  const read = await live.next('warning.read')
  expect(live.of('warning.read')).toHaveLength(1)
  const [row] = (await mod.get(of(eve, 'cases'))).body
  expect(row).toMatchObject({ id: body.id, read_at: read.d.read_at })
  expect((await mod.post(`/api/users/@me/warnings/${body.id}/read`)).status).toBe(404)
  for (const socket of [live, again]) socket.close()
})

test('timeouts, kicks, bans and resolved reports are cases with their reasons', async () => {
  const { server_id, channel_id, alice, mod, bob, eve, of } = await scene()
  const { id } = await say(eve, channel_id, 'Buy feathers')
  await report(bob, id)
  const [{ id: reportId }] = await reportsOf(mod, server_id)
  await mod.put(`/api/reports/${reportId}`, { state: 'resolved', note: 'Sold feathers' })
  const until = new Date(Date.now() + 3_600_000).toISOString()
  await mod.put(`/api/servers/${server_id}/members/${eve.id}`, { timed_out_until: until, reason: 'Again' })
  await mod.put(`/api/servers/${server_id}/members/${eve.id}`, { timed_out_until: null })
  expect((await mod.delete(`/api/servers/${server_id}/members/${eve.id}`, { reason: 'And again' })).status).toBe(204)
  await mod.put(`/api/servers/${server_id}/bans/${eve.id}`, { reason: 'Enough' })
  await alice.put(`/api/servers/${server_id}/bans/${eve.id}`, { reason: 'Quite enough' })
  const rows = (await mod.get(`/api/servers/${server_id}/cases`)).body
  expect(rows.map(({ kind, reason, actor }: any) => [kind, reason, actor.id])).toEqual([
    ['ban', 'Quite enough', alice.id],
    ['kick', 'And again', mod.id],
    ['timeout', 'Again', mod.id],
    ['report', 'Sold feathers', mod.id],
  ])
  expect(rows[2].until).toBe(until)
  expect(rows[3].report_id).toBe(reportId)
  expect((await mod.get(`/api/servers/${server_id}/cases?kind=kick&user_id=${eve.id}`)).body).toHaveLength(1)
  await mod.put(`/api/reports/${reportId}`, { state: 'open' })
  expect((await mod.get(`/api/servers/${server_id}/cases?kind=report`)).body).toEqual([])
  // Somebody who has left can still get a note.
  expect((await mod.post(of(eve, 'notes'), { text: 'Came back twice' })).status).toBe(201)
  expect((await mod.post(of(eve, 'warnings'), { reason: 'Too late' })).status).toBe(404)
})

test('notes are for moderators above the member, and nobody reads those about themselves', async () => {
  const { server_id, alice, mod, eve, of } = await scene()
  expect((await alice.post(of(mod, 'notes'), { text: 'Watch him' })).status).toBe(201)
  const note = (await mod.post(of(eve, 'notes'), { text: 'Sells feathers' })).body
  expect((await eve.get(of(eve, 'cases'))).status).toBe(403)
  expect((await eve.get('/api/users/@me/warnings')).body).toEqual([])
  expect((await mod.get(of(mod, 'cases'))).body).toEqual([])
  expect((await mod.get(`/api/servers/${server_id}/cases`)).body.map(({ id }: any) => id)).toEqual([note.id])
  const [ofMod] = (await alice.get(of(mod, 'cases'))).body
  expect((await mod.delete(`/api/cases/${ofMod.id}`)).status).toBe(404)
  expect((await mod.post(of(mod, 'notes'), { text: 'Me' })).body.code).toBe('cannot_target_self')
  expect((await mod.post(of(alice, 'notes'), { text: 'Her' })).status).toBe(403)
  const [stranger] = await passersBy(parley, 'stranger')
  expect((await mod.post(of(stranger, 'notes'), { text: 'Who?' })).status).toBe(404)
  const log = (await alice.get(`/api/servers/${server_id}/audit-log`)).body
  expect(log.map(({ action }: any) => action)).toEqual(['member.noted', 'member.noted'])
  expect(JSON.stringify(log)).not.toInclude('feathers')
})

test('a warning can be taken back, a ban cannot be deleted from the cases', async () => {
  const { server_id, mod, eve, of } = await scene()
  const live = await connect(eve)
  const { id } = (await mod.post(of(eve, 'warnings'), { reason: 'By mistake' })).body
  expect((await mod.delete(`/api/cases/${id}`)).status).toBe(204)
  expect((await live.next('warning.deleted')).d).toEqual({ id, server_id })
  expect((await eve.get('/api/users/@me/warnings')).body).toEqual([])
  await mod.put(`/api/servers/${server_id}/bans/${eve.id}`, {})
  const [ban] = (await mod.get(`/api/servers/${server_id}/cases`)).body
  expect((await mod.delete(`/api/cases/${ban.id}`)).body.code).toBe('forbidden')
  live.close()
})

test('cases end after two years, those of bans with the ban', async () => {
  const { server_id, mod, eve, bob, of } = await scene()
  await mod.post(of(bob, 'notes'), { text: 'Old' })
  await mod.put(`/api/servers/${server_id}/bans/${eve.id}`, {})
  await sql`update cases set created_at = now() - interval '731 days' where server_id = ${server_id}`
  await parley.sweep()
  const kinds = async () => (await mod.get(`/api/servers/${server_id}/cases`)).body.map(({ kind }: any) => kind)
  expect(await kinds()).toEqual(['ban'])
  await mod.delete(`/api/servers/${server_id}/bans/${eve.id}`)
  await parley.sweep()
  expect(await kinds()).toEqual([])
})

test('the deletion of an account deletes its cases, and of a member the oldest cases go first', async () => {
  const [alice, eve] = await peopleWithPassword(parley, 'alice', 'eve')
  const { server_id } = await place(alice, eve)
  await sql`insert into cases (server_id, user_id, kind, actor_id, reason)
    select ${server_id}, ${eve.id}, 'note', ${alice.id}, 'Note ' || n from generate_series(1, 500) n`
  await alice.post(`/api/servers/${server_id}/members/${eve.id}/notes`, { text: 'Note 501' })
  const [oldest] = (await alice.get(`/api/servers/${server_id}/cases?after=0&limit=1`)).body
  expect(oldest.reason).toBe('Note 2')
  expect((await deleteAccountOf(eve)).status).toBe(204)
  expect((await alice.get(`/api/servers/${server_id}/cases`)).body).toEqual([])
})

test('bans and their ends do not pile up as cases', async () => {
  const { server_id, alice, mod, eve } = await scene()
  await sql`insert into cases (server_id, user_id, kind, actor_id, reason)
    select ${server_id}, ${eve.id}, 'ban', ${alice.id}, 'Ban ' || n from generate_series(1, 600) n`
  await mod.put(`/api/servers/${server_id}/bans/${eve.id}`, { reason: 'Newest' })
  const rows = await sql`select reason from cases where server_id = ${server_id} order by id desc`
  expect(rows).toHaveLength(501)
  expect(rows[0]?.reason).toBe('Newest')
})

test('a moderator does not see the cases about their own bot', async () => {
  const { server_id, alice, mod } = await scene()
  const [bot] = await sql<[{ id: number }]>`insert into users (username, email, password_hash, display_name, kind)
    values (${`bot:${mod.id}`}, ${`bot:${mod.id}`}, 'none', 'Dice', 'bot') returning id`
  await sql`insert into applications ${sql({ id: bot.id, owner_id: mod.id })}`
  await sql`insert into members ${sql({ server_id, user_id: bot.id })}`
  await alice.post(`/api/servers/${server_id}/members/${bot.id}/notes`, { text: 'Rolls loaded dice' })
  for (const path of ['cases', `members/${bot.id}/cases`]) {
    expect((await alice.get(`/api/servers/${server_id}/${path}`)).body).toHaveLength(1)
    expect((await mod.get(`/api/servers/${server_id}/${path}`)).body).toEqual([])
  }
})
