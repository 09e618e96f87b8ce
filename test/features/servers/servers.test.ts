import { expect, test } from 'bun:test'
import { EVERYONE_PERMISSIONS } from '../../../src/core/permissions.ts'
import { call, person, newServer, say, standard, until } from '../../support/harness.ts'
import { race } from '../../support/races.ts'
import { promote } from '../../support/ranks.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob, mallory] = await Promise.all(['alice', 'bob', 'mallory'].map((name) => person(parley, name)))
if (!alice || !bob || !mallory) throw new Error('registration failed')

test('the creator of a server owns it and is a member; it has an everyone role and the channel general', async () => {
  const live = await connect(alice)
  const created = await alice.post('/api/servers', { name: 'Birdwatchers', description: 'Herons first' })
  expect(created.status).toBe(201)
  expect(created.body).toMatchObject({ owner_id: alice.id, member_count: 1, description: 'Herons first' })
  expect(created.body.icon_file_id).toBeNull()
  const path = `/api/servers/${created.body.id}`
  expect((await live.next('server.created', ({ d }) => d.id === created.body.id)).d).toEqual(created.body)
  const snapshot = await live.next('server.snapshot', ({ d }) => d.server.id === created.body.id)
  expect(snapshot.d.roles).toMatchObject([{ is_everyone: true, position: 0, permissions: EVERYONE_PERMISSIONS }])
  expect((await alice.get(`${path}/channels`)).body).toMatchObject([{ name: 'general', type: 'text', position: 0 }])
  expect((await alice.get(`${path}/members`)).body.map((member: any) => member.user.id)).toEqual([alice.id])
  expect((await alice.get(path)).body).toEqual(created.body)
  live.close()
})

test("a list of servers holds the caller's own, ordered by id", async () => {
  const [carol, shared] = [await person(parley, 'carol'), await newServer(alice)]
  const first = await newServer(carol)
  const second = await newServer(carol, bob)
  const ids = (await carol.get('/api/servers')).body.map((server: any) => server.id)
  expect(ids).toEqual([first.server_id, second.server_id])
  expect(ids).not.toContain(shared.server_id)
})

test('an update changes only the given fields, and members get an event', async () => {
  const { server_id } = await newServer(alice, bob)
  const live = await connect(bob)
  const path = `/api/servers/${server_id}`
  const renamed = await alice.put(path, { name: 'Heron club' })
  expect(renamed.body).toMatchObject({ name: 'Heron club', description: '', member_count: 2 })
  expect((await live.next('server.updated')).d).toEqual(renamed.body)
  const described = await alice.put(path, { description: 'Only grey ones' })
  expect(described.body).toMatchObject({ name: 'Heron club', description: 'Only grey ones' })
  expect((await alice.put(path, { icon_file_id: null })).body.icon_file_id).toBeNull()
  live.close()
})

test('updating a server takes manage_server, and the refusal names it', async () => {
  const { server_id } = await newServer(alice, bob)
  const refused = await bob.put(`/api/servers/${server_id}`, { name: 'Mine' })
  expect(refused.status).toBe(403)
  expect(refused.body).toMatchObject({ code: 'missing_permission', detail: 'The permission manage_server is missing' })
  await promote(bob, server_id, { bits: ['manage_server'] })
  expect((await bob.put(`/api/servers/${server_id}`, { name: 'Ours' })).status).toBe(200)
})

test('a deleted server is gone for everyone, with its messages', async () => {
  const { server_id, channel_id } = await newServer(alice, bob)
  const message = await say(bob, channel_id, 'A secret nest')
  const live = await connect(bob)
  expect((await bob.delete(`/api/servers/${server_id}`)).body.code).toBe('forbidden')
  expect((await mallory.delete(`/api/servers/${server_id}`)).status).toBe(404)
  expect((await alice.delete(`/api/servers/${server_id}`)).status).toBe(204)
  const deletion = await live.next('server.deleted')
  expect(deletion.d).toEqual({ id: server_id })
  expect(deletion.s).toBeInteger()
  for (const path of [`/api/servers/${server_id}`, `/api/channels/${channel_id}`, `/api/messages/${message.id}`])
    for (const who of [alice, bob]) expect((await who.get(path)).status).toBe(404)
  await until(async () => (await sql`select 1 from servers where id = ${server_id}`).length === 0)
  const events = await sql`select type from events where server_id = ${server_id} and body is not null`
  expect(events.map((event) => event.type)).toEqual(['server.deleted'])
  expect(await sql`select 1 from events where body::text like '%A secret nest%'`).toHaveLength(0)
  expect((await alice.delete(`/api/servers/${server_id}`)).status).toBe(404)
  live.close()
})

test('racing deletions of servers with the same members all succeed', async () => {
  // Both must decrement mallory's count, and that of somebody that the other has already decremented.
  const [one, other] = [await newServer(alice, mallory, bob), await newServer(bob, mallory, alice)]
  const answers = await race(parley, (tx) => tx`select 1 from users where id = ${mallory.id} for update`, [
    () => alice.delete(`/api/servers/${one.server_id}`),
    () => bob.delete(`/api/servers/${other.server_id}`),
  ])
  expect(answers.map((answer) => answer.status)).toEqual([204, 204])
  const counts = await sql`
    select server_count - (select count(*)::int from members m where m.user_id = u.id) as wrong
    from users u where id = any(${[alice.id, bob.id, mallory.id]})`
  expect(counts.map((row) => row.wrong)).toEqual([0, 0, 0])
})

/** Every route of a server and its content. */
const doors = (server_id: number, channel_id: number, messageId: number, user_id: number, inviteId: number) =>
  [
    ['GET', `/api/servers/${server_id}`],
    ['PUT', `/api/servers/${server_id}`, { name: 'Mine' }],
    ['DELETE', `/api/servers/${server_id}`],
    ['POST', `/api/servers/${server_id}/transfer`, { user_id }],
    ['GET', `/api/servers/${server_id}/members`],
    ['DELETE', `/api/servers/${server_id}/members/@me`],
    ['DELETE', `/api/servers/${server_id}/members/${user_id}`],
    ['GET', `/api/servers/${server_id}/bans`],
    ['PUT', `/api/servers/${server_id}/bans/${user_id}`, {}],
    ['DELETE', `/api/servers/${server_id}/bans/${user_id}`],
    ['GET', `/api/servers/${server_id}/channels`],
    ['POST', `/api/servers/${server_id}/channels`, { name: 'mine', type: 'text' }],
    ['GET', `/api/servers/${server_id}/invites`],
    ['POST', '/api/invites', { server_id }],
    ['DELETE', `/api/invites/${inviteId}`],
    ['GET', `/api/channels/${channel_id}`],
    ['PUT', `/api/channels/${channel_id}`, { name: 'mine' }],
    ['DELETE', `/api/channels/${channel_id}`],
    ['GET', `/api/channels/${channel_id}/messages`],
    ['POST', `/api/channels/${channel_id}/messages`, { content: 'Hello' }],
    ['GET', `/api/messages/${messageId}`],
    ['PUT', `/api/messages/${messageId}`, { content: 'Hello' }],
    ['DELETE', `/api/messages/${messageId}`],
  ] as const

test('a stranger gets the same 404 for everything in a server as for missing things', async () => {
  const { server_id, channel_id } = await newServer(alice, bob)
  const message = await say(alice, channel_id, 'Not for mallory')
  const invite = await alice.post('/api/invites', { server_id })
  const real = doors(server_id, channel_id, message.id, bob.id, invite.body.id)
  const nothing = Number.MAX_SAFE_INTEGER
  const unreal = doors(nothing, nothing, nothing, nothing, nothing)
  for (const [at, [method, path, body]] of real.entries()) {
    const answer = await call(parley, method, path, { token: mallory.token, body })
    const [, nowhere, other] = unreal[at] as (typeof unreal)[number]
    const vain = await call(parley, method, nowhere, { token: mallory.token, body: other })
    expect([path, answer.status, answer.body.code]).toEqual([path, 404, 'not_found'])
    expect({ ...answer.body, request_id: '' }).toEqual({ ...vain.body, request_id: '' })
    const anonymous = await call(parley, method, path, { body })
    expect([path, anonymous.status]).toEqual([path, 401])
  }
})

test('a person who was kicked or banned is a stranger again', async () => {
  const [dave, erin] = [await person(parley, 'dave'), await person(parley, 'erin')]
  const { server_id, channel_id } = await newServer(alice, bob, dave, erin)
  const message = await say(dave, channel_id, 'My last words')
  const invite = await dave.post('/api/invites', { server_id })
  for (const who of [dave, erin]) await promote(who, server_id, { bits: ['administrator'] })
  expect((await alice.delete(`/api/servers/${server_id}/members/${dave.id}`)).status).toBe(204)
  expect((await alice.put(`/api/servers/${server_id}/bans/${erin.id}`, {})).status).toBe(200)
  for (const [method, path, body] of doors(server_id, channel_id, message.id, bob.id, invite.body.id))
    for (const who of [dave, erin])
      expect([path, (await call(parley, method, path, { token: who.token, body })).status]).toEqual([path, 404])
})

test('an invalid id is refused as invalid', async () => {
  for (const id of ['1e1', '+1', '-1', '0x1', '1.0', '%201', '9007199254740992', '99999999999999999999', 'x'])
    expect([id, (await alice.get(`/api/servers/${id}`)).status]).toEqual([id, 422])
  for (const id of ['0', '9007199254740991', '0009007199254740'])
    expect([id, (await alice.get(`/api/servers/${id}`)).status]).toEqual([id, 404])
  for (const server_id of [0, -1, 1.5, 2 ** 53, '1', null])
    expect((await alice.post('/api/invites', { server_id })).status).toBe(422)
})
