import { expect, test } from 'bun:test'
import { PRESENCE_MEMBERS_MAX } from '../../../src/features/members/model.ts'
import { LARGE_MEMBERS } from '../../../src/web/state/member-lists.ts'
import { newServer, standard } from '../../support/harness.ts'
import { persons } from '../../support/people.ts'
import { promote } from '../../support/ranks.ts'
import { connect } from '../../support/socket.ts'
import { until } from '../../support/until.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob, carol, dave, mallory] = await persons(parley, 'alice', 'bob', 'carol', 'dave', 'mallory')

const online = (who: typeof alice, server_id: number, query = '') =>
  who.get(`/api/servers/${server_id}/members/online${query}`)
const idsOf = (rows: { user: { id: number } }[]) => rows.map((row) => row.user.id)

test('who is online is listed by the highest role that is listed apart, then by nickname or name', async () => {
  const { server_id } = await newServer(alice, bob, carol, dave)
  const [low, high] = [await promote(bob, server_id, { bits: [] }), await promote(carol, server_id, { bits: [] })]
  await sql`update roles set hoist = true where id = any(${[low, high]})`
  const position = async (id: number) => (await sql`select position from roles where id = ${id}`)[0]?.['position']
  const isHighest = (await position(high)) > (await position(low))
  const [upper, lower] = isHighest ? [carol, bob] : [bob, carol]
  const [upperRole, lowerRole] = isHighest ? [high, low] : [low, high]
  // The member of the higher role also has the lower one.
  await sql`insert into member_roles (server_id, user_id, role_id) values (${server_id}, ${upper.id}, ${lowerRole})`
  await sql`update members set nickname = 'Ägir' where server_id = ${server_id} and user_id = ${dave.id}`
  const sockets = await Promise.all([alice, bob, carol, dave].map((who) => connect(who)))
  await until(async () => (await online(alice, server_id)).body.online_count === 4)
  const { body: listed } = await online(alice, server_id)
  // Without accents, the nickname comes before the owner's name.
  expect(idsOf(listed.members)).toEqual([upper.id, lower.id, ...[dave, alice].map(({ id }) => id)])
  expect(listed.groups).toEqual([
    { role_id: upperRole, count: 1 },
    { role_id: lowerRole, count: 1 },
    { role_id: null, count: 2 },
  ])
  expect(listed).toMatchObject({ online_count: 4, offline_count: 0, from: 0 })
  expect(listed.members[2]).toMatchObject({ nickname: 'Ägir', status: 'online' })
  for (const socket of sockets) socket.close()
})

test('a member who is invisible counts as offline, and one who leaves is gone from the list', async () => {
  const { server_id } = await newServer(alice, bob, carol)
  const sockets = await Promise.all([alice, bob, carol].map((who) => connect(who)))
  expect((await bob.put('/api/auth/status', { status: 'invisible' })).status).toBe(200)
  await until(async () => {
    const { body } = await online(alice, server_id)
    return body.online_count === 2 && body.offline_count === 1 && !idsOf(body.members).includes(bob.id)
  })
  expect((await carol.delete(`/api/servers/${server_id}/members/@me`)).status).toBe(204)
  await until(async () => {
    const { body } = await online(alice, server_id)
    return body.online_count === 1 && body.offline_count === 1
  })
  await bob.put('/api/auth/status', { status: 'online' })
  for (const socket of sockets) socket.close()
})

test('the client takes a server for large where the server stops announcing presence', () => {
  expect(LARGE_MEMBERS).toBe(PRESENCE_MEMBERS_MAX)
})

test('strangers cannot list who is online, and a page begins at a multiple of 100', async () => {
  const { server_id } = await newServer(alice)
  expect((await online(mallory, server_id)).body.code).toBe('not_found')
  for (const from of ['1', '-100', '99999999999', 'x'])
    expect((await online(alice, server_id, `?from=${from}`)).body.code).toBe('validation_failed')
  expect((await online(alice, server_id, '?from=9999900')).body.members).toEqual([])
})

test('members are listed by id, those who are no members are left out, and 101 ids are refused', async () => {
  const { server_id } = await newServer(alice, bob)
  const list = (ids: string) => alice.get(`/api/servers/${server_id}/members?${ids}`)
  const query = (ids: unknown[]) => ids.map((id) => `ids=${id}`).join('&')
  for (const ids of [query([bob.id, mallory.id, 999999999]), `ids=${bob.id},${mallory.id}`, query([bob.id])]) {
    const { status, body } = await list(ids)
    expect(status).toBe(200)
    expect(idsOf(body)).toEqual([bob.id])
  }
  const many = Array.from({ length: 101 }, (_, n) => n + 1)
  for (const ids of [query(['x']), query([1, -1]), query(many)])
    expect((await list(ids)).body.code).toBe('validation_failed')
  expect((await list(query(many.slice(0, 99).concat(bob.id)))).status).toBe(200)
})
