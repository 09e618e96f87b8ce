import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { person, standard } from '../../support/harness.ts'
import { walk } from '../../support/pages.ts'
import { passerBy, place, rank } from '../../support/places.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob, mallory] = [
  await person(parley, 'alice'),
  await passerBy(parley, 'bob'),
  await passerBy(parley, 'mallory'),
]
const [view, send, history] = [
  permissions('view_channel'),
  permissions('send_messages'),
  permissions('read_history'),
] as const

test('an overwrite is set, listed, replaced and deleted, with events to those who see the channel', async () => {
  const { server_id, channel_id, everyone } = await place(alice, bob)
  const path = `/api/channels/${channel_id}/permissions`
  const live = await connect(bob)
  expect((await bob.get(path)).body).toEqual([])
  const set = await alice.put(`${path}/${everyone}`, { deny: send })
  expect([set.status, set.body]).toEqual([200, { channel_id, role_id: everyone, allow: 0, deny: send }])
  const role = await rank(parley, server_id, 0, bob)
  expect((await alice.put(`${path}/${role}`, { allow: send, deny: history })).status).toBe(200)
  const both = [set.body, { channel_id, role_id: role, allow: send, deny: history }]
  expect((await bob.get(path)).body).toEqual(both)
  expect((await alice.put(`${path}/${everyone}`, {})).body).toEqual({ ...set.body, deny: 0 })
  expect((await alice.delete(`${path}/${everyone}`)).status).toBe(204)
  expect((await alice.delete(`${path}/${everyone}`)).status).toBe(404)
  await live.settled()
  expect(live.of('channel.permissions_updated').map(({ d }) => d)).toEqual([
    { id: channel_id, server_id, overwrites: [set.body] },
    { id: channel_id, server_id, overwrites: both },
    { id: channel_id, server_id, overwrites: [{ ...set.body, deny: 0 }, both[1]] },
    { id: channel_id, server_id, overwrites: [both[1]] },
  ])
  live.close()
})

test('a role’s overwrites are listed for the channels that the caller sees, page by page', async () => {
  const { server_id, channel_id, everyone } = await place(alice, bob)
  const hidden = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'nests', type: 'text' })).body
  const of = (id: number, deny: number) => ({ channel_id: id, role_id: everyone, allow: 0, deny })
  for (const [id, deny] of [
    [channel_id, send],
    [hidden.id, view],
  ] as const)
    await alice.put(`/api/channels/${id}/permissions/${everyone}`, { deny })
  const path = `/api/roles/${everyone}/overwrites`
  const both = [of(channel_id, send), of(hidden.id, view)]
  expect((await alice.get(path)).body).toEqual(both)
  expect((await alice.get(`${path}?limit=1&after=${channel_id}`)).body).toEqual(both.slice(1))
  expect((await bob.get(path)).body).toEqual(both.slice(0, 1))
  expect((await mallory.get(path)).status).toBe(404)
  expect((await alice.get('/api/roles/999999999/overwrites')).status).toBe(404)
})

test('unknown bits, and bits both allowed and denied, are refused', async () => {
  const { channel_id, everyone } = await place(alice)
  const path = `/api/channels/${channel_id}/permissions/${everyone}`
  const bad = [
    { allow: send, deny: send },
    { allow: send + view, deny: send + history },
    { allow: 2 ** 8 },
    { deny: 2 ** 39 },
    { allow: 2 ** 51, deny: 2 ** 51 },
    { deny: -1 },
    { allow: 0.5 },
    { allow: '1024' },
    { allow: null },
    { role_id: 1 },
    [],
  ]
  for (const body of bad) expect((await alice.put(path, body)).status).toBe(422)
  expect((await alice.get(`/api/channels/${channel_id}/permissions`)).body).toEqual([])
})

test('a role’s allow beats another role’s deny, which beats everyone’s allow', async () => {
  const { server_id, channel_id, everyone } = await place(alice, bob)
  const [low, high] = [await rank(parley, server_id, 0, bob), await rank(parley, server_id, 0, bob)]
  const path = `/api/channels/${channel_id}/permissions`
  const speaks = async () => (await bob.post(`/api/channels/${channel_id}/messages`, { content: 'hi' })).status
  await alice.put(`${path}/${everyone}`, { deny: send })
  expect(await speaks()).toBe(403)
  await alice.put(`${path}/${everyone}`, { allow: send })
  await alice.put(`${path}/${high}`, { deny: send })
  expect(await speaks()).toBe(403)
  await alice.put(`${path}/${low}`, { allow: send })
  expect(await speaks()).toBe(201)
  await sql`update roles set permissions = ${permissions('administrator')} where id = ${low}`
  await alice.put(`${path}/${low}`, { deny: send + view })
  expect(await speaks()).toBe(201)
})

test('a manager sets overwrites only of roles below it, in bits that it holds in the channel', async () => {
  const { server_id, channel_id, everyone } = await place(alice, bob, mallory)
  const low = await rank(parley, server_id, 0, bob)
  const own = await rank(parley, server_id, permissions('manage_roles'), mallory)
  const path = `/api/channels/${channel_id}/permissions`
  const codes = async (role: number, body: object) => {
    const answer = await mallory.put(`${path}/${role}`, body)
    return answer.body.code ?? answer.status
  }
  expect(await codes(own, { allow: send })).toBe('forbidden')
  expect(await codes(low, { allow: permissions('manage_messages') })).toBe('missing_permission')
  expect(await codes(low, { deny: permissions('administrator') })).toBe('missing_permission')
  expect(await codes(low, { allow: send, deny: history })).toBe(200)
  await alice.put(`${path}/${own}`, { deny: send })
  expect(await codes(low, { allow: send, deny: history + view })).toBe(200)
  for (const body of [{ deny: send }, { allow: 0 }]) expect(await codes(low, body)).toBe('missing_permission')
  expect(await codes(everyone, { allow: send })).toBe('missing_permission')
  expect((await mallory.delete(`${path}/${low}`)).body.code).toBe('missing_permission')
  expect(await codes(everyone, { deny: history })).toBe(200)
  // She now lacks read_history there, and cannot remove the overwrite that denies it.
  expect((await mallory.delete(`${path}/${everyone}`)).body.code).toBe('missing_permission')
  await alice.put(`${path}/${own}`, { deny: permissions('manage_roles') })
  expect(await codes(low, {})).toBe('missing_permission')
})

test('manage_roles from an overwrite counts in that channel only', async () => {
  const { server_id, channel_id } = await place(alice, bob, mallory)
  const low = await rank(parley, server_id, 0, bob)
  const own = await rank(parley, server_id, 0, mallory)
  const other = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'other', type: 'text' })).body.id
  await alice.put(`/api/channels/${channel_id}/permissions/${own}`, { allow: permissions('manage_roles') })
  expect((await mallory.put(`/api/channels/${channel_id}/permissions/${low}`, { deny: send })).status).toBe(200)
  expect((await mallory.put(`/api/channels/${other}/permissions/${low}`, { deny: send })).status).toBe(403)
  expect((await mallory.put(`/api/roles/${low}`, { name: 'x' })).status).toBe(403)
  expect((await mallory.post(`/api/servers/${server_id}/roles`, { name: 'x' })).status).toBe(403)
  const give = { allow: permissions('manage_roles') }
  expect((await mallory.put(`/api/channels/${channel_id}/permissions/${low}`, give)).status).toBe(200)
})

test('the overwrites of a channel that a member does not see answer 404', async () => {
  const { channel_id, everyone } = await place(alice, bob)
  const path = `/api/channels/${channel_id}/permissions`
  await alice.put(`${path}/${everyone}`, { deny: view })
  for (const who of [bob, mallory])
    for (const answer of [
      await who.get(path),
      await who.get(`${path}/explain`),
      await who.put(`${path}/${everyone}`, {}),
      await who.delete(`${path}/${everyone}`),
    ])
      expect(answer.status).toBe(404)
})

test('the overwrites of a channel and the roles of a member are paged', async () => {
  const { server_id, channel_id, everyone } = await place(alice, bob)
  const ids = [everyone]
  for (const name of ['One', 'Two', 'Three']) {
    const { id } = (await alice.post(`/api/servers/${server_id}/roles`, { name })).body
    await alice.post(`/api/servers/${server_id}/members/${bob.id}/roles/${id}`)
    await alice.put(`/api/channels/${channel_id}/permissions/${id}`, {})
    ids.push(id)
  }
  const overwrites = `/api/channels/${channel_id}/permissions?limit=2`
  const roles = `/api/servers/${server_id}/members/${bob.id}/roles?limit=3`
  expect([(await alice.get(overwrites)).body.length, (await alice.get(roles)).body.length]).toEqual([2, 3])
  expect((await walk(alice, overwrites)).map((row) => row.role_id)).toEqual(ids.slice(1))
  expect((await walk(alice, roles)).map((row) => row.id)).toEqual([everyone, ...ids.slice(1).toReversed()])
})
