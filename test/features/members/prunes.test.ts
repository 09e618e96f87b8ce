import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { person, say, standard } from '../../support/harness.ts'
import { passersBy } from '../../support/people.ts'
import { passerBy, place, rank } from '../../support/places.ts'
import { connect } from '../../support/socket.ts'
import { until } from '../../support/until.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob] = [await person(parley, 'alice'), await passerBy(parley, 'bob')]
type Who = typeof bob
const codeOf = ({ status, body }: { status: number; body: any }) => [status, body.code]
const PAST = '2026-01-01T00:00:00.000Z'

async function birds(bits = permissions('kick_members', 'ban_members')) {
  const people = await passersBy(parley, 'a', 'b', 'c', 'd')
  const home = await place(alice, bob, ...people)
  await rank(parley, home.server_id, bits, bob)
  await sql`update members set joined_at = '2020-01-01' where server_id = ${home.server_id} and user_id = ${bob.id}`
  const prune = (who: Who, body: object) => who.post(`/api/servers/${home.server_id}/members/prune`, body)
  const dry = (who: Who, more: object = {}) =>
    prune(who, { joined_after: PAST, action: 'kick', dry_run: true, ...more })
  const ids = async () =>
    (await sql<{ user_id: number }[]>`select user_id from members where server_id = ${home.server_id}`)
      .map(({ user_id }) => user_id)
      .toSorted((x, y) => x - y)
  const removed = (who: Who[]) =>
    until(async () => {
      await parley.sweep()
      const remainingIds = await ids()
      return who.every(({ id }) => !remainingIds.includes(id))
    })
  return { ...home, people, prune, dry, ids, removed }
}

test('a removal takes the members of the dry run and no others, and tells them', async () => {
  const { server_id, people, prune, dry, ids, removed } = await birds()
  const [a, b, c, d] = people
  await rank(parley, server_id, 0, d)
  const { status, body } = await dry(bob)
  expect([status, body.count]).toEqual([200, 3])
  const late = await passerBy(parley, 'late')
  const { code } = (await alice.post('/api/invites', { server_id })).body
  await late.post(`/api/invites/${code}/join`)
  const live = await connect(a)
  const begun = await prune(bob, { dry_run: false, token: body.token })
  expect([begun.status, begun.body.count]).toEqual([202, 3])
  await removed([a, b, c])
  expect((await live.next('membership.ended')).d).toMatchObject({ server_id, cause: 'kicked' })
  live.close()
  expect(await ids()).toEqual([alice.id, bob.id, d.id, late.id].toSorted((x, y) => x - y))
  expect(codeOf(await prune(bob, { dry_run: false, token: body.token }))).toEqual([410, 'link_gone'])
  const [entry] = (await alice.get(`/api/servers/${server_id}/audit-log?action=members.pruned`)).body
  expect([entry.actor.id, entry.changes.members.after, entry.changes.act.after]).toEqual([bob.id, 3, 'kick'])
})

test('the filters narrow the set: time, messages and roles', async () => {
  const { server_id, channel_id, people, dry } = await birds()
  const [a, b] = people
  await say(a, channel_id, 'Hello')
  await sql`update members set joined_at = '2026-02-02' where server_id = ${server_id} and user_id = ${b.id}`
  const count = async (more: object) => (await dry(bob, more)).body.count
  expect(await count({})).toBe(4)
  expect(await count({ never_wrote: true })).toBe(3)
  expect(await count({ joined_after: '2026-03-01T00:00:00.000Z' })).toBe(3)
  expect(await count({ joined_before: '2026-03-01T00:00:00.000Z' })).toBe(1)
  await sql`update roles set position = position + 1 where server_id = ${server_id} and position > 0`
  await rank(parley, server_id, 0, a)
  await sql`update roles set position = 1 where id = (select max(id) from roles where server_id = ${server_id})`
  expect([await count({}), await count({ with_roles: true })]).toEqual([3, 4])
})

test('a ban bans, and who may not kick or ban prunes nobody', async () => {
  const { server_id, people, prune, dry, removed } = await birds(permissions('kick_members'))
  const [a] = people
  expect(codeOf(await dry(a))).toEqual([403, 'missing_permission'])
  expect(codeOf(await dry(bob, { action: 'ban' }))).toEqual([403, 'missing_permission'])
  const stranger = await passerBy(parley, 'stranger')
  expect(codeOf(await dry(stranger))).toEqual([404, 'not_found'])
  for (const bad of [{ joined_after: 'x' }, { action: 'warn' }, { dry_run: 1 }, { extra: 1 }])
    expect(codeOf(await dry(alice, bad))).toEqual([422, 'validation_failed'])
  const { token } = (await dry(alice, { action: 'ban', reason: 'Raid' })).body
  expect(codeOf(await prune(bob, { dry_run: false, token }))).toEqual([410, 'link_gone'])
  expect((await prune(alice, { dry_run: false, token })).status).toBe(202)
  await removed(people)
  const { body: bans } = await alice.get(`/api/servers/${server_id}/bans`)
  expect(bans.filter(({ reason }: any) => reason === 'Raid')).toHaveLength(4)
})

test('a moderator who loses the permission meanwhile removes nobody more', async () => {
  const { server_id, people, prune, dry, ids } = await birds()
  const { token } = (await dry(bob)).body
  await prune(bob, { dry_run: false, token })
  await sql`delete from member_roles where server_id = ${server_id} and user_id = ${bob.id}`
  await until(async () => {
    await parley.sweep()
    return (await sql`select 1 from prunes where server_id = ${server_id}`).length === 0
  })
  expect(await ids()).toEqual(expect.arrayContaining(people.map(({ id }) => id)))
})
