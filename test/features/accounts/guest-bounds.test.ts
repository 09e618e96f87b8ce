import { expect, test } from 'bun:test'
import {
  ALL_PERMISSIONS,
  GUEST_PERMISSIONS,
  holds,
  permissionBits,
  permissionNames,
  permissions,
} from '../../../src/core/permissions.ts'
import { guestRoutes } from '../../../src/features/sessions/guests.ts'
import { person, type Person, standard } from '../../support/harness.ts'
import { guest, guestInvite } from '../../support/guests.ts'
import { passerBy, place, rank } from '../../support/places.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob] = [await person(parley, 'alice'), await passerBy(parley, 'bob')]
const codeOf = ({ status, body }: { status: number; body: any }) => [status, body?.code]

async function aviary() {
  const home = await place(alice, bob)
  const heron = await guest(parley, await guestInvite(alice, home.server_id))
  return { ...home, path: `/api/servers/${home.server_id}`, heron }
}
const namesOf = (sum: number) => permissionNames.filter((name) => holds(sum, name))
const MASK = namesOf(GUEST_PERMISSIONS)

test('the mask has the bits 6, 9, 10, 11, 15, 16, 18, 20, 21 and 38, in SQL and in TypeScript', async () => {
  expect(MASK.map((name) => permissionBits[name])).toEqual([6, 9, 10, 11, 15, 16, 18, 20, 21, 38])
  expect(await sql`select guest_permissions() as bits`).toEqual([{ bits: GUEST_PERMISSIONS }] as never)
})

test('a guest never has more than the mask: by everyone, an overwrite, a category or a thread', async () => {
  const { server_id, channel_id, everyone, heron } = await aviary()
  const [category] = await sql<{ id: number }[]>`insert into channels (server_id, name, type, position)
    values (${server_id}, 'Birds', 'category', 1) returning id`
  await sql`update channels set parent_id = ${category?.id ?? 0} where id = ${channel_id}`
  const thread = (await bob.post(`/api/channels/${channel_id}/threads`, { name: 'Terns' })).body.id
  const all = ALL_PERMISSIONS - permissions('administrator')
  const sums = async () => {
    const rows = await sql<{ held: number }[]>`
      select permissions as held from member_permissions where user_id = ${heron.id}
      union all select permissions from resolved_permissions where user_id = ${heron.id}
      union all select permissions from channel_permissions where user_id = ${heron.id}
      union all select permissions from channel_access(${channel_id}, ${heron.id})
      union all select permissions from channel_access(${thread}, ${heron.id})`
    expect(rows.length).toBe(7)
    return [...new Set(rows.map(({ held }) => namesOf(held).join(' ')))]
  }
  for (const bits of [all, ALL_PERMISSIONS]) {
    await sql`update roles set permissions = ${bits} where id = ${everyone}`
    expect(await sums()).toEqual([MASK.join(' ')])
  }
  await sql`update roles set permissions = ${permissions('view_channel')} where id = ${everyone}`
  await alice.put(`/api/channels/${category?.id}/permissions/${everyone}`, { allow: all })
  expect((await sums()).toSorted()).toEqual(['view_channel', MASK.join(' ')].toSorted())
  const { bits } = (await alice.get(`/api/channels/${channel_id}/permissions/explain?user_id=${heron.id}`)).body
  const reasons = new Map(bits.map((bit: any) => [bit.name, [bit.allowed, bit.because]]))
  expect(reasons.get('manage_messages')).toEqual([false, 'guest'])
  expect(reasons.get('send_messages')).toEqual([true, { overwrite: everyone, at: category?.id }])
})

test('a role that reaches a guest by SQL gives it no more than the mask', async () => {
  const { server_id, heron } = await aviary()
  await rank(parley, server_id, ALL_PERMISSIONS, heron)
  const [row] = await sql<{ held: number }[]>`select permissions as held from member_permissions
    where user_id = ${heron.id}`
  expect(namesOf(row?.held ?? 0)).toEqual(MASK)
})

test('nobody gives a guest a role, and it picks none', async () => {
  const { path, heron } = await aviary()
  const role = (await alice.post(`${path}/roles`, { name: 'Owls', self_assignable: true })).body.id
  expect(codeOf(await alice.post(`${path}/members/${heron.id}/roles/${role}`))).toEqual([403, 'forbidden'])
  expect(codeOf(await heron.put(`${path}/members/@me/roles/${role}`))).toEqual([403, 'not_for_guests'])
  expect(codeOf(await heron.put(`${path}/members/@me/onboarding`, { option_ids: [] }))).toEqual([403, 'not_for_guests'])
})

test('a guest that attacks gets nowhere: dms, friends, other servers, accounts, bots, webhooks, ways in', async () => {
  const { server_id, channel_id, heron } = await aviary()
  const other = await place(bob)
  const { code } = (await bob.post('/api/invites', { server_id: other.server_id })).body
  const { body: message } = await alice.post(`/api/channels/${channel_id}/messages`, { content: 'Hi' })
  const attempts: [keyof Pick<Person, 'get' | 'post' | 'put' | 'delete'>, string, unknown?][] = [
    ['post', '/api/dm/messages', { recipient_id: alice.id, content: 'Hi' }],
    ['get', '/api/dm/conversations'],
    ['post', '/api/channels/direct', { recipient_ids: [alice.id] }],
    ['post', '/api/friends/request', { friend_id: alice.id }],
    ['get', '/api/friends'],
    ['post', `/api/friends/${alice.id}/block`],
    ['get', '/api/users/search?q=alice'],
    ['post', '/api/servers', { name: 'Mine' }],
    ['post', `/api/invites/${code}/join`],
    ['post', '/api/invites', { server_id }],
    ['post', `/api/channels/${channel_id}/threads`, { name: 'Terns' }],
    ['post', `/api/channels/${channel_id}/webhooks`, { name: 'Hook' }],
    ['post', '/api/applications', { name: 'Bot' }],
    ['put', `/api/servers/${server_id}/members/${heron.id}`, { nickname: 'alice' }],
    ['put', '/api/auth/display-name', { display_name: 'alice' }],
    ['put', '/api/auth/avatar', { avatar_file_id: null }],
    ['put', '/api/auth/email', { email: 'mallory@example.org' }],
    ['put', '/api/auth/password', { new_password: 'Correct-Horse-7!' }],
    ['put', '/api/auth/privacy', { dms_from: 'everyone' }],
    ['post', '/api/auth/proof', { password: 'x' }],
    ['post', '/api/auth/passkeys/options'],
    ['post', '/api/auth/totp'],
    ['post', '/api/auth/oidc/link'],
    ['post', '/api/auth/refresh'],
    ['get', '/api/auth/sessions'],
    ['get', '/api/auth/export'],
    ['delete', '/api/auth/me', {}],
    ['post', '/api/push/subscriptions', {}],
    ['put', `/api/saved/${message.id}`, {}],
    ['post', `/api/channels/${channel_id}/scheduled`, {}],
    ['get', '/api/operator/accounts'],
    ['get', `/api/servers/${server_id}/audit-log`],
    ['put', `/api/servers/${server_id}`, { name: 'Mine' }],
    ['post', `/api/servers/${server_id}/transfer`, { user_id: heron.id }],
  ]
  for (const [method, path, body] of attempts)
    expect([path, ...codeOf(await heron[method](path, body))]).toEqual([path, 403, 'not_for_guests'])
  for (const path of [
    `/api/servers/${other.server_id}`,
    `/api/channels/${other.channel_id}/messages`,
    `/api/search?q=hi&server_id=${other.server_id}`,
  ])
    expect([path, ...codeOf(await heron.get(path))]).toEqual([path, 404, 'not_found'])
  expect((await heron.delete(`/api/messages/${message.id}`)).status).toBe(403)
})

test('a guest reads the names of the members of its server, and of no other account', async () => {
  const { heron } = await aviary()
  for (const [who, status] of [
    [alice, 200],
    [heron, 200],
    [await passerBy(parley, 'mallory'), 404],
  ] as const)
    expect((await heron.get(`/api/users/${who.id}`)).status).toBe(status)
  // Profiles are for accounts that stay.
  expect(codeOf(await heron.get(`/api/users/${alice.id}/profile`))).toEqual([403, 'not_for_guests'])
})

test('nobody writes to a guest, befriends it, or makes it an owner', async () => {
  const { path, server_id, heron } = await aviary()
  await sql`update users set dms_from = 'everyone', friend_requests_from = 'everyone' where id = ${heron.id}`
  const direct = { recipient_id: heron.id, content: 'Hi' }
  expect(codeOf(await alice.post('/api/dm/messages', direct))).toEqual([403, 'cannot_contact'])
  expect(codeOf(await alice.post('/api/channels/direct', { recipient_ids: [heron.id] }))[0]).toBe(403)
  expect((await alice.post('/api/friends/request', { friend_id: heron.id })).status).toBe(403)
  expect((await alice.get(`/api/users/search?q=${encodeURIComponent(heron.display_name)}`)).body).toEqual([])
  expect((await alice.post(`${path}/transfer`, { user_id: heron.id })).status).toBeGreaterThanOrEqual(403)
  const [row] = await sql<{ owner_id: number }[]>`select owner_id from servers where id = ${server_id}`
  expect(row?.owner_id).toBe(alice.id)
})

test('sharing a server as a guest opens no direct messages', async () => {
  const { heron } = await aviary()
  const body = { username: `kept${heron.id}`, email: `kept${heron.id}@example.org`, password: 'Correct-Horse-7!' }
  const shares = async () =>
    (await sql<{ shares: boolean }[]>`select shares_server(${heron.id}, ${bob.id}) as shares`)[0]?.shares
  expect(await shares()).toBe(false)
  expect((await heron.post('/api/auth/register/claim', body)).status).toBe(200)
  expect(await shares()).toBe(true)
})

test('a guest uploads at most 8 MiB', async () => {
  const { heron } = await aviary()
  const megabytes = 1024 ** 2
  const announce = (size: number) =>
    heron.post('/api/files/upload-url', { filename: 'owl.bin', content_type: 'application/octet-stream', size })
  expect((await announce(8 * megabytes)).status).toBe(201)
  const { status, body } = await announce(8 * megabytes + 1)
  expect([status, body.code]).toEqual([422, 'validation_failed'])
})

test('a guest reports three times a day', async () => {
  const { channel_id, heron } = await aviary()
  const answers = []
  for (let n = 0; n < 4; n++) {
    const { body } = await alice.post(`/api/channels/${channel_id}/messages`, { content: `Spam ${n}` })
    answers.push(codeOf(await heron.post(`/api/messages/${body.id}/reports`, { reason: 'spam' }))[1])
  }
  expect(answers).toEqual([undefined, undefined, undefined, 'too_many_reports'])
  expect(codeOf(await heron.post(`/api/users/${alice.id}/reports`, { reason: 'spam' }))[1]).toBe('too_many_reports')
})

test('a guest can be quarantined and timed out', async () => {
  const { path, channel_id, heron } = await aviary()
  const { body } = await alice.put(`${path}/members/${heron.id}`, { held_back: 'quarantined' })
  expect(body.held_back).toBe('quarantined')
  expect((await heron.post(`/api/channels/${channel_id}/messages`, { content: 'Hi' })).status).toBe(403)
})

test('a moderator’s commands do not obey a guest', async () => {
  const { server_id, heron } = await aviary()
  const live = await connect(heron)
  for (const op of ['voice.mute_member', 'voice.deafen_member', 'voice.disconnect_member'] as const) {
    const { error } = await live.command(op, { server_id, user_id: bob.id, mute: true, deafen: true } as never)
    expect(error).toBeDefined()
  }
  live.close()
})

test('the routes that are open to guests exist, and none is of the account but these', () => {
  const declared = new Set(parley.routes.map(({ method, path }) => `${method} ${path}`))
  expect(guestRoutes.filter((route) => !declared.has(route))).toEqual([])
  expect(guestRoutes.filter((route) => route.includes('/api/auth/'))).toEqual([
    'GET /api/auth/me',
    'POST /api/auth/register/claim',
    'POST /api/auth/logout',
    'POST /api/auth/logout-all',
    'POST /api/auth/ws-ticket',
  ])
})
