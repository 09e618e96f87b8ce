import { expect, test } from 'bun:test'
import { ALL_PERMISSIONS, EVERYONE_PERMISSIONS, permissions } from '../../../src/core/permissions.ts'
import { person, say, standard } from '../../support/harness.ts'
import { passerBy, place, rank } from '../../support/places.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob, mallory, carol, dave] = [
  await person(parley, 'alice'),
  await passerBy(parley, 'bob'),
  await passerBy(parley, 'mallory'),
  await passerBy(parley, 'carol'),
  await passerBy(parley, 'dave'),
]

/** Ranks from low to high: carol's, mallory's (manages roles, kicks and bans), bob's. */
async function court(bits = permissions('manage_roles', 'kick_members', 'ban_members')) {
  const home = await place(alice, bob, mallory, carol)
  const { server_id } = home
  const low = await rank(parley, server_id, 0, carol)
  const own = await rank(parley, server_id, bits, mallory)
  const high = await rank(parley, server_id, permissions('administrator'), bob)
  const roles = (userId: number, roleId: number) => `/api/servers/${server_id}/members/${userId}/roles/${roleId}`
  return { ...home, low, own, high, roles }
}

const forbidden = async (...answers: Promise<{ status: number; body: any }>[]) => {
  for (const { status, body } of await Promise.all(answers)) expect([status, body.code]).toEqual([403, 'forbidden'])
}
const lacking = async (...answers: Promise<{ status: number; body: any }>[]) => {
  for (const { status, body } of await Promise.all(answers))
    expect([status, body.code]).toEqual([403, 'missing_permission'])
}

test('a manager of roles cannot touch its own role, an equal one, or one above it', async () => {
  const { own, high, roles } = await court()
  for (const role of [own, high]) {
    await forbidden(
      mallory.put(`/api/roles/${role}`, { name: 'mine' }),
      mallory.put(`/api/roles/${role}`, { permissions: 0 }),
      mallory.put(`/api/roles/${role}`, { position: 1 }),
      mallory.delete(`/api/roles/${role}`),
      mallory.post(roles(carol.id, role)),
      mallory.post(roles(mallory.id, role)),
      mallory.delete(roles(bob.id, role)),
    )
  }
})

test('a manager of roles cannot give to or take from itself, an equal, a higher one or the owner', async () => {
  const { server_id, low, own, high, roles } = await court()
  await sql`insert into member_roles values (${server_id}, ${mallory.id}, ${low}), (${server_id}, ${bob.id}, ${low})`
  await forbidden(
    mallory.delete(roles(mallory.id, low)),
    mallory.delete(roles(bob.id, low)),
    mallory.post(roles(alice.id, low)),
    mallory.post(roles(bob.id, low)),
    bob.post(roles(alice.id, own)),
  )
  await sql`insert into member_roles values (${server_id}, ${carol.id}, ${own})`
  await forbidden(mallory.post(roles(carol.id, low)), mallory.delete(roles(carol.id, low)))
  expect((await bob.delete(roles(carol.id, own))).status).toBe(204)
  expect((await alice.post(roles(alice.id, high))).status).toBe(200)
})

test('nobody moves a role to their own position or above, by any position in the request', async () => {
  const { low, own, high } = await court()
  await forbidden(...[2, 3, 4, 9_007_199_254_740_991].map((position) => mallory.put(`/api/roles/${low}`, { position })))
  expect((await mallory.put(`/api/roles/${low}`, { position: 0 })).body.position).toBe(1)
  const positions = await sql<{ id: number }[]>`
    select id from roles where id = any(${[low, own, high]}) order by position`
  expect(positions.map(({ id }) => id)).toEqual([low, own, high])
})

test('a member grants and revokes only bits that it holds, in every way', async () => {
  const { server_id, everyone, low, roles } = await court()
  const kick = permissions('kick_members')
  await lacking(
    mallory.post(`/api/servers/${server_id}/roles`, { name: 'x', permissions: permissions('administrator') }),
    mallory.post(`/api/servers/${server_id}/roles`, { name: 'x', permissions: ALL_PERMISSIONS }),
    mallory.put(`/api/roles/${low}`, { permissions: permissions('manage_server') }),
    mallory.put(`/api/roles/${everyone}`, { permissions: EVERYONE_PERMISSIONS + permissions('manage_messages') }),
  )
  expect((await mallory.put(`/api/roles/${low}`, { permissions: kick })).status).toBe(200)
  await alice.put(`/api/roles/${low}`, { permissions: kick + permissions('manage_server') })
  await lacking(
    mallory.put(`/api/roles/${low}`, { permissions: kick }),
    mallory.post(roles(carol.id, low)),
    mallory.delete(roles(carol.id, low)),
  )
  const response = await mallory.put(`/api/roles/${low}`, { permissions: permissions('manage_server'), name: 'kept' })
  expect(response.body).toMatchObject({ permissions: permissions('manage_server'), name: 'kept' })
})

test('a manager whose manage_roles comes from everyone creates and changes no role', async () => {
  const { server_id, everyone, low } = await court()
  await sql`update roles set permissions = permissions | ${permissions('manage_roles')} where id = ${everyone}`
  await sql`insert into members ${sql({ server_id, user_id: dave.id })}`
  await forbidden(
    dave.post(`/api/servers/${server_id}/roles`, { name: 'x' }),
    dave.put(`/api/roles/${low}`, { name: 'x' }),
    dave.put(`/api/roles/${everyone}`, { permissions: 0 }),
    dave.delete(`/api/roles/${low}`),
  )
})

test('an administrator who is not the owner holds every bit and keeps its rank', async () => {
  const { server_id, own, high, roles } = await court()
  expect((await bob.put(`/api/roles/${own}`, { permissions: ALL_PERMISSIONS })).status).toBe(200)
  expect((await mallory.post(`/api/servers/${server_id}/roles`, { name: 'x', permissions: 8 })).status).toBe(201)
  await forbidden(
    mallory.delete(`/api/servers/${server_id}/members/${bob.id}`),
    mallory.put(`/api/servers/${server_id}/bans/${bob.id}`, {}),
    mallory.delete(roles(bob.id, high)),
    bob.delete(`/api/servers/${server_id}/members/${alice.id}`),
    bob.put(`/api/servers/${server_id}/bans/${alice.id}`, {}),
    bob.delete(`/api/servers/${server_id}`),
    bob.post(`/api/servers/${server_id}/transfer`, { user_id: bob.id }),
  )
})

test('giving, taking or deleting a role with overwrites takes their bits in those channels', async () => {
  const { server_id, channel_id, everyone, own, low, roles } = await court()
  const send = permissions('send_messages')
  await alice.put(`/api/channels/${channel_id}/permissions/${everyone}`, { deny: send })
  // Mallory lacks send_messages in the channel, so she may neither give nor take the role that allows it.
  await alice.put(`/api/channels/${channel_id}/permissions/${low}`, { allow: send })
  await lacking(
    mallory.post(roles(carol.id, low)),
    mallory.delete(roles(carol.id, low)),
    mallory.delete(`/api/roles/${low}`),
    mallory.delete(`/api/channels/${channel_id}/permissions/${low}`),
    mallory.put(`/api/channels/${channel_id}/permissions/${everyone}`, { allow: send }),
  )
  // Nor may she remove a denial that applies to herself.
  await alice.put(`/api/channels/${channel_id}/permissions/${low}`, { deny: send })
  await lacking(mallory.delete(`/api/roles/${low}`), mallory.delete(roles(carol.id, low)))
  await alice.put(`/api/channels/${channel_id}/permissions/${own}`, { allow: send })
  expect((await mallory.delete(roles(carol.id, low))).status).toBe(204)
  expect((await mallory.delete(`/api/roles/${low}`)).status).toBe(204)
  expect((await carol.get(`/api/servers/${server_id}`)).status).toBe(200)
})

test('kicks and bans reach only members strictly below, never the caller', async () => {
  const { server_id, own } = await court()
  const kick = (id: number) => mallory.delete(`/api/servers/${server_id}/members/${id}`)
  const ban = (id: number) => mallory.put(`/api/servers/${server_id}/bans/${id}`, {})
  await forbidden(kick(bob.id), kick(alice.id), ban(bob.id), ban(alice.id))
  for (const { status, body } of [await kick(mallory.id), await ban(mallory.id)])
    expect([status, body.code]).toEqual([422, 'cannot_target_self'])
  await sql`insert into member_roles values (${server_id}, ${carol.id}, ${own})`
  await forbidden(kick(carol.id), ban(carol.id))
  await sql`delete from member_roles where user_id = ${carol.id} and role_id = ${own}`
  expect((await kick(carol.id)).status).toBe(204)
  expect((await ban(carol.id)).status).toBe(200)
})

/** A member who loses its rank while its request waits is refused. */
const WAITING: Record<string, (home: Awaited<ReturnType<typeof court>> & { invite: number }) => Promise<any>> = {
  'create a role': ({ server_id }) => mallory.post(`/api/servers/${server_id}/roles`, { name: 'x' }),
  'change a role': ({ low }) => mallory.put(`/api/roles/${low}`, { name: 'x' }),
  'delete a role': ({ low }) => mallory.delete(`/api/roles/${low}`),
  'give a role': ({ low, roles }) => mallory.post(roles(carol.id, low)),
  'take a role': ({ low, roles }) => mallory.delete(roles(carol.id, low)),
  overwrite: ({ channel_id, low }) => mallory.put(`/api/channels/${channel_id}/permissions/${low}`, { deny: 2048 }),
  kick: ({ server_id }) => mallory.delete(`/api/servers/${server_id}/members/${carol.id}`),
  ban: ({ server_id }) => mallory.put(`/api/servers/${server_id}/bans/${carol.id}`, {}),
  'lift a ban': ({ server_id }) => mallory.delete(`/api/servers/${server_id}/bans/${dave.id}`),
  'change the server': ({ server_id }) => mallory.put(`/api/servers/${server_id}`, { name: 'x' }),
  'create a channel': ({ server_id }) =>
    mallory.post(`/api/servers/${server_id}/channels`, { name: 'x', type: 'text' }),
  'change a channel': ({ channel_id }) => mallory.put(`/api/channels/${channel_id}`, { name: 'x' }),
  'delete a channel': ({ channel_id }) => mallory.delete(`/api/channels/${channel_id}`),
  invite: ({ server_id }) => mallory.post('/api/invites', { server_id }),
  'delete an invite': ({ invite }) => mallory.delete(`/api/invites/${invite}`),
}

for (const [what, attempt] of Object.entries(WAITING)) {
  test(`a member who loses its rank while waiting to ${what} is refused`, async () => {
    const home = await court(ALL_PERMISSIONS - permissions('administrator'))
    await sql`update roles set permissions = ${permissions('view_channel')} where id = ${home.everyone}`
    await alice.put(`/api/servers/${home.server_id}/bans/${dave.id}`, {})
    const { body } = await alice.post('/api/invites', { server_id: home.server_id })
    const waiting = await sql.begin(async (tx) => {
      await tx`select 1 from servers where id = ${home.server_id} for update`
      const answer = attempt({ ...home, invite: body.id })
      // The request has passed the guard and waits for the lock.
      for (let blocked = 0; blocked === 0; await Bun.sleep(2))
        [{ blocked }] = await sql<[{ blocked: number }]>`select count(*)::int as blocked from pg_stat_activity
          where wait_event_type = 'Lock' and datname = current_database()`
      await tx`delete from member_roles where user_id = ${mallory.id} and role_id = ${home.own}`
      return { answer }
    })
    expect((await waiting.answer).status).toBe(403)
  })
}

test('deleting messages while roles and channels change never deadlocks', async () => {
  const { channel_id, low } = await court(permissions('manage_messages'))
  const messages = []
  for (let at = 0; at < 12; at++) messages.push(await say(carol, channel_id, `message ${at}`))
  const answers = await Promise.all(
    messages.flatMap(({ id }, at) => [
      mallory.delete(`/api/messages/${id}`),
      alice.put(`/api/roles/${low}`, { name: `name ${at}` }),
      alice.put(`/api/channels/${channel_id}`, { topic: `topic ${at}` }),
    ]),
  )
  expect(answers.filter(({ status }) => status !== 200 && status !== 204)).toEqual([])
})
