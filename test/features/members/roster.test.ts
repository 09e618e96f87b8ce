import { expect, test } from 'bun:test'
import { bitOf } from '../../../src/core/permissions.ts'
import { type Answer, newServer, type Person, person, standard } from '../../support/harness.ts'
import { promote } from '../../support/ranks.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts

/** Alice's server: bob moderates it, carol and dave are members, and erin ranks above bob. */
async function stage() {
  const names = ['alice', 'bob', 'carol', 'dave', 'erin']
  const people = await Promise.all(names.map((name) => person(parley, name)))
  const [alice, bob, carol, dave, erin] = people as [Person, Person, Person, Person, Person]
  const { server_id } = await newServer(alice, bob, carol, dave, erin)
  const bits = ['moderate_members', 'kick_members', 'ban_members', 'manage_roles', 'view_audit_log'] as const
  await promote(bob, server_id, { position: 5, bits: [...bits] })
  await promote(erin, server_id, { position: 7, bits: [] })
  const path = `/api/servers/${server_id}`
  const roster = async (query = '', who = bob) => (await who.get(`${path}/roster${query}`)).body
  const act = (body: object, who = bob) => who.post(`${path}/members/acts`, body)
  return { alice, bob, carol, dave, erin, server_id, path, roster, act }
}

const idsOf = (rows: { user: { id: number } }[]) => rows.map(({ user }) => user.id)

test('moderators list members by the time of joining, page by page, and filter by name and role', async () => {
  const { alice, bob, carol, dave, erin, server_id, path, roster } = await stage()
  // Two joined in the same millisecond: the page between them repeats and misses nobody.
  for (const [minutes, who] of [alice, bob, carol, dave].entries())
    await sql`update members set
        joined_at = date_trunc('hour', now()) - interval '1 hour' + ${minutes} * interval '1 minute'
      where server_id = ${server_id} and user_id = ${who.id}`
  await sql`update members set joined_at = (
      select joined_at from members where server_id = ${server_id} and user_id = ${dave.id})
    where server_id = ${server_id} and user_id = ${erin.id}`
  const together = [erin, dave].toSorted((a, b) => b.id - a.id)
  const expected = [...together, carol, bob, alice].map(({ id }) => id)
  expect(idsOf(await roster())).toEqual(expected)
  expect(idsOf(await roster('?sort=oldest'))).toEqual(expected.toReversed())
  let url: string | undefined = `${path}/roster?limit=1`
  const paged: number[] = []
  while (url) {
    const answer: Answer = await bob.get(url)
    expect(answer.status).toBe(200)
    paged.push(...idsOf(answer.body))
    url = answer.headers.get('link')?.match(/<(.+)>/)?.[1]
  }
  expect(paged).toEqual(expected)
  expect(idsOf(await roster(`?q=${encodeURIComponent(carol.display_name)}`))).toContain(carol.id)
  const { role_ids } = (await roster()).find(({ user }: { user: { id: number } }) => user.id === bob.id)
  expect(idsOf(await roster(`?role_id=${role_ids[0]}`))).toEqual([bob.id])
  for (const cursor of ['1', '99999999999999.1', `'.1`, '1.1;'])
    expect((await bob.get(`${path}/roster?cursor=${encodeURIComponent(cursor)}`)).status).toBe(422)
})

test('the roster counts only the cases that the moderator sees', async () => {
  const { alice, carol, erin, path, roster } = await stage()
  for (const { id } of [carol, carol, erin])
    expect((await alice.post(`${path}/members/${id}/warnings`, { reason: 'Owl' })).status).toBe(201)
  const casesOf = async (who?: Person) =>
    Object.fromEntries((await roster('', who)).map((row: any) => [row.user.id, row.cases]))
  expect(await casesOf()).toMatchObject({ [carol.id]: 2, [erin.id]: 0 })
  expect(await casesOf(alice)).toMatchObject({ [carol.id]: 2, [erin.id]: 1 })
  expect((await carol.get(`${path}/roster`)).body.code).toBe('missing_permission')
})

test('one act on many members has one reason, an entry for each, and an answer with the refusals', async () => {
  const { bob, carol, dave, erin, path, act } = await stage()
  const stranger = await person(parley, 'stranger')
  const timed_out_until = new Date(Date.now() + 3_600_000).toISOString()
  const user_ids = [carol.id, erin.id, dave.id, bob.id, stranger.id]
  const answer = await act({ action: 'timeout', user_ids, timed_out_until, reason: 'Flooding' })
  expect(answer.status).toBe(200)
  expect(answer.body.done).toEqual([carol.id, dave.id])
  expect(answer.body.failed.map(({ user_id, code }: any) => [user_id, code])).toEqual([
    [erin.id, 'forbidden'],
    [bob.id, 'cannot_target_self'],
    [stranger.id, 'not_found'],
  ])
  const log = (await bob.get(`${path}/audit-log?limit=2`)).body
  expect(log.map((entry: any) => [entry.action, entry.target_id, entry.changes.reason?.after])).toEqual([
    ['member.timed_out', dave.id, 'Flooding'],
    ['member.timed_out', carol.id, 'Flooding'],
  ])
  expect((await bob.get(`${path}/members/${carol.id}/cases`)).body[0]).toMatchObject({
    kind: 'timeout',
    reason: 'Flooding',
  })
})

test('a role is given to many and taken from many; who has or lacks it already counts as done', async () => {
  const { alice, bob, carol, dave, erin, path, act } = await stage()
  const role_id = (await alice.post(`${path}/roles`, { name: 'Warden', color: '#112233', permissions: 0 })).body.id
  const user_ids = [carol.id, dave.id]
  const rolesOf = async (who: Person) => (await bob.get(`${path}/members/${who.id}/roles`)).body.map((r: any) => r.id)
  for (const _ of [1, 2])
    expect((await act({ action: 'add_role', user_ids, role_id })).body).toEqual({ done: user_ids, failed: [] })
  expect(await rolesOf(carol)).toContain(role_id)
  const removal = await act({ action: 'remove_role', user_ids: [...user_ids, erin.id], role_id, reason: 'Over' })
  expect(removal.body.done).toEqual(user_ids)
  expect(removal.body.failed).toMatchObject([{ user_id: erin.id, code: 'forbidden' }])
  expect(await rolesOf(dave)).not.toContain(role_id)
  // A role with bits that bob lacks is refused for everybody.
  const strong = { name: 'Strong', color: '#112233', permissions: bitOf('manage_server') }
  const strongId = (await alice.post(`${path}/roles`, strong)).body.id
  expect((await act({ action: 'add_role', user_ids, role_id: strongId })).body.done).toEqual([])
})

test('kicks and bans of many tell each member, and end with the permission of the moderator', async () => {
  const { alice, bob, carol, dave, path, act } = await stage()
  const live = await connect(carol)
  expect((await act({ action: 'kick', user_ids: [carol.id], reason: 'Out' })).body.done).toEqual([carol.id])
  expect((await live.next('membership.ended')).d).toMatchObject({ cause: 'kicked', reason: 'Out' })
  live.close()
  expect((await act({ action: 'ban', user_ids: [carol.id, dave.id], reason: 'Out' })).body.done).toEqual([
    carol.id,
    dave.id,
  ])
  expect((await bob.get(`${path}/bans`)).body.map(({ reason }: any) => reason)).toEqual(['Out', 'Out'])
  const roles = (await alice.get(`${path}/members/${bob.id}/roles`)).body
  await alice.delete(`${path}/members/${bob.id}/roles/${roles.at(-1).id}`)
  expect((await act({ action: 'ban', user_ids: [alice.id] })).body.code).toBe('missing_permission')
})

test('a request of acts is bounded, and has the fields of its act only', async () => {
  const { carol, act } = await stage()
  const many = Array.from({ length: 51 }, (_, n) => n + 1)
  for (const body of [
    { action: 'kick', user_ids: many },
    { action: 'kick', user_ids: [] },
    { action: 'kick', user_ids: [carol.id, carol.id] },
    { action: 'kick', user_ids: [carol.id], role_id: 1 },
    { action: 'kick', user_ids: [carol.id], reason: 'x'.repeat(513) },
    { action: 'add_role', user_ids: [carol.id] },
    { action: 'timeout', user_ids: [carol.id] },
    { action: 'delete', user_ids: [carol.id] },
  ])
    expect((await act(body)).status).toBe(422)
})
