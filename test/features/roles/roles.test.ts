import { expect, test } from 'bun:test'
import { ALL_PERMISSIONS, EVERYONE_PERMISSIONS, permissions } from '../../../src/core/permissions.ts'
import { place, passerBy, rank } from '../../support/places.ts'
import { person, type Person, standard } from '../../support/harness.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob, mallory] = [
  await person(parley, 'alice'),
  await passerBy(parley, 'bob'),
  await passerBy(parley, 'mallory'),
]

const rolesOf = async (who: Person, server_id: number) =>
  (await who.get<any[]>(`/api/servers/${server_id}/roles`)).body.map(({ id, position }) => [id, position])
const created = async (server_id: number, body: object) => {
  const answer = await alice.post(`/api/servers/${server_id}/roles`, body)
  expect(answer.status).toBe(201)
  return answer.body
}

test('a role is created at position 1 with its defaults, read, listed, changed and deleted', async () => {
  const { server_id, everyone } = await place(alice, bob)
  const plain = await created(server_id, { name: 'Plain' })
  expect(plain).toMatchObject({ name: 'Plain', color: null, permissions: 0, position: 1, is_everyone: false })
  const color = await created(server_id, { name: 'Cafe\u0301', color: '#AABBCC', permissions: ALL_PERMISSIONS })
  expect(color).toMatchObject({ name: 'Café', color: '#aabbcc', permissions: ALL_PERMISSIONS, position: 1 })
  expect(await rolesOf(bob, server_id)).toEqual([
    [everyone, 0],
    [color.id, 1],
    [plain.id, 2],
  ])
  expect((await bob.get(`/api/roles/${color.id}`)).body).toEqual(color)
  const changed = await alice.put(`/api/roles/${color.id}`, { color: null })
  expect(changed.status).toBe(200)
  expect(changed.body).toEqual({ ...color, color: null, updated_at: changed.body.updated_at })
  expect((await alice.delete(`/api/roles/${color.id}`)).status).toBe(204)
  expect((await alice.get(`/api/roles/${color.id}`)).status).toBe(404)
  expect(await rolesOf(bob, server_id)).toEqual([
    [everyone, 0],
    [plain.id, 1],
  ])
})

test('the list of roles is paginated', async () => {
  const { server_id, everyone } = await place(alice)
  const { id } = await created(server_id, { name: 'Second' })
  const first = await alice.get(`/api/servers/${server_id}/roles?limit=1`)
  expect(first.body.map((role: { id: number }) => role.id)).toEqual([everyone])
  expect(first.headers.get('link')).toContain('offset=1')
  const second = await alice.get(`/api/servers/${server_id}/roles?limit=1&offset=1`)
  expect(second.body.map((role: { id: number }) => role.id)).toEqual([id])
  expect(second.headers.get('link')).toBeNull()
})

test('an invalid role is refused with every rule that it breaks, and changes nothing', async () => {
  const { server_id } = await place(alice)
  const { id } = await created(server_id, { name: 'Good' })
  const bad: [object, string[]][] = [
    [{ name: '' }, ['body.name']],
    [{ name: 'x'.repeat(101) }, ['body.name']],
    [{ name: ' \u200b ' }, ['body.name']],
    [{ color: 'red' }, ['body.color']],
    [{ color: '#12345' }, ['body.color']],
    [{ permissions: 2 ** 8 }, ['body.permissions']],
    [{ permissions: ALL_PERMISSIONS + 2 ** 32 }, ['body.permissions']],
    [{ permissions: 2 ** 52 }, ['body.permissions']],
    [{ permissions: 2 ** 53 }, ['body.permissions']],
    [{ permissions: -1 }, ['body.permissions']],
    [{ permissions: 1.5 }, ['body.permissions']],
    [{ permissions: '8' }, ['body.permissions']],
    [{ name: '', color: '', permissions: 2 ** 8 }, ['body.name', 'body.color', 'body.permissions']],
    [{ is_everyone: true }, ['body.is_everyone']],
    [{ server_id: 1 }, ['body.server_id']],
  ]
  for (const [body, paths] of bad) {
    const draft = await alice.post(`/api/servers/${server_id}/roles`, { name: 'Bad', ...body })
    const patch = await alice.put(`/api/roles/${id}`, body)
    for (const answer of [draft, patch]) {
      expect(answer.status).toBe(422)
      const named = answer.body.errors.map(({ path }: { path: string }) => path)
      expect(named).toEqual(expect.arrayContaining(paths))
    }
  }
  expect((await alice.post(`/api/servers/${server_id}/roles`, {})).status).toBe(422)
  for (const body of [{}, { position: 1.5 }, { name: null }])
    expect((await alice.put(`/api/roles/${id}`, body)).status).toBe(422)
  expect((await rolesOf(alice, server_id)).length).toBe(2)
  expect((await alice.get(`/api/roles/${id}`)).body).toMatchObject({ name: 'Good', permissions: 0 })
})

test('positions stay dense: moves are clamped, and members get an event for each role that shifts', async () => {
  const { server_id, everyone } = await place(alice, bob)
  const three = (await created(server_id, { name: 'three' })).id
  const two = (await created(server_id, { name: 'two' })).id
  const one = (await created(server_id, { name: 'one' })).id
  const live = await connect(bob)
  /** Runs the change. @returns the roles and positions in the events */
  const eventsOf = async (change: Promise<{ status: number }>) => {
    live.frames.length = 0
    expect((await change).status).toBeLessThan(300)
    await live.settled()
    return live
      .of('role.updated')
      .map(({ d }) => `${d.id} at ${d.position}`)
      .toSorted()
  }
  const at = (...order: number[]) => order.map((id, index) => `${id} at ${index + 1}`).toSorted()
  const move = (id: number, position: number) => alice.put(`/api/roles/${id}`, { position })

  expect(await eventsOf(move(one, 9_000_000_000))).toEqual(at(two, three, one))
  expect(await rolesOf(bob, server_id)).toEqual([
    [everyone, 0],
    [two, 1],
    [three, 2],
    [one, 3],
  ])
  expect(await eventsOf(move(one, 0))).toEqual(at(one, two, three))
  expect(await eventsOf(move(two, 2))).toEqual([`${two} at 2`])
  expect(await eventsOf(alice.delete(`/api/roles/${one}`))).toEqual(at(two, three))
  expect(live.of('role.deleted').map(({ d }) => d)).toEqual([{ id: one, server_id, created_at: expect.any(String) }])
  const creation = alice.post(`/api/servers/${server_id}/roles`, { name: 'new' })
  expect(await eventsOf(creation)).toEqual([`${two} at 2`, `${three} at 3`].toSorted())
  expect(live.of('role.created').map(({ d }) => d)).toEqual([(await creation).body])
  live.close()
})

test('racing creations, moves and deletions of roles leave dense positions', async () => {
  const { server_id, everyone } = await place(alice)
  const newRoles = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => created(server_id, { name })))
  const racing = newRoles.flatMap(({ id }, at) => [
    alice.put(`/api/roles/${id}`, { position: 5 - at }),
    at % 2 ? alice.delete(`/api/roles/${id}`) : alice.post(`/api/servers/${server_id}/roles`, { name: `new ${at}` }),
  ])
  for (const { status } of await Promise.all(racing)) expect([200, 201, 204, 404]).toContain(status)
  const roles = await rolesOf(alice, server_id)
  expect(roles[0]).toEqual([everyone, 0])
  expect(roles.map(([, position]: number[]) => position)).toEqual([0, 1, 2, 3, 4, 5, 6])
})

test('everyone is changed in its bits and color, but never deleted, given, taken, renamed or moved', async () => {
  const { server_id, everyone } = await place(alice, bob)
  const other = (await created(server_id, { name: 'Other' })).id
  const rolePath = `/api/servers/${server_id}/members/${bob.id}/roles/${everyone}`
  const refused = [
    await alice.delete(`/api/roles/${everyone}`),
    await alice.post(rolePath),
    await alice.delete(rolePath),
    await alice.put(`/api/roles/${everyone}`, { name: 'all' }),
    await alice.put(`/api/roles/${everyone}`, { position: 1 }),
    await alice.put(`/api/roles/${everyone}`, { position: 0, permissions: 0 }),
  ]
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403])
  expect((await alice.put(`/api/roles/${other}`, { position: 0 })).body.position).toBe(1)
  const changed = await alice.put(`/api/roles/${everyone}`, { permissions: 0, color: '#000000' })
  expect(changed.body).toMatchObject({ name: 'everyone', permissions: 0, color: '#000000', position: 0 })
  expect(EVERYONE_PERMISSIONS).not.toBe(0)
})

test('a role is given and taken; giving it twice changes nothing and sends one event', async () => {
  const { server_id, everyone } = await place(alice, bob, mallory)
  const role = await created(server_id, { name: 'Seers' })
  const path = `/api/servers/${server_id}/members/${bob.id}/roles`
  const live = await connect(mallory)
  const response = await alice.post(`${path}/${role.id}`)
  expect(response.status).toBe(200)
  expect(response.body).toMatchObject({ server_id, user: { id: bob.id }, role_ids: [role.id] })
  expect((await alice.post(`${path}/${role.id}`)).body).toEqual(response.body)
  expect((await mallory.get(path)).body.map(({ id }: { id: number }) => id)).toEqual([everyone, role.id])
  expect((await alice.delete(`${path}/${role.id}`)).status).toBe(204)
  expect((await alice.delete(`${path}/${role.id}`)).status).toBe(404)
  expect((await mallory.get(path)).body.map(({ id }: { id: number }) => id)).toEqual([everyone])
  await live.settled()
  expect(live.of('member.updated').map(({ d }) => [d.user.id, d.role_ids, d.member_count])).toEqual([
    [bob.id, [role.id], 3],
    [bob.id, [], 3],
  ])
  live.close()
})

test('a role of another server and an account that is no member answer 404', async () => {
  const [here, there] = [await place(alice, bob), await place(alice)]
  const [mine, foreign] = [
    (await created(here.server_id, { name: 'Mine' })).id,
    (await created(there.server_id, { name: 'Foreign' })).id,
  ]
  const members = `/api/servers/${here.server_id}/members`
  expect((await alice.post(`${members}/${bob.id}/roles/${foreign}`)).status).toBe(404)
  expect((await alice.delete(`${members}/${bob.id}/roles/${foreign}`)).status).toBe(404)
  expect((await alice.post(`${members}/${mallory.id}/roles/${mine}`)).status).toBe(404)
  expect((await alice.get(`${members}/${mallory.id}/roles`)).status).toBe(404)
  expect((await bob.get(`/api/roles/${foreign}`)).status).toBe(404)
  expect((await bob.put(`/api/roles/${foreign}`, { name: 'x' })).status).toBe(404)
  expect((await bob.delete(`/api/roles/${foreign}`)).status).toBe(404)
  expect((await alice.put(`/api/channels/${here.channel_id}/permissions/${foreign}`, { deny: 1024 })).status).toBe(404)
  // 404 comes before 403.
  expect((await bob.post(`${members}/${bob.id}/roles/${foreign}`)).status).toBe(404)
  expect((await bob.delete(`${members}/${mallory.id}/roles/${mine}`)).status).toBe(404)
  expect((await bob.put(`/api/channels/${here.channel_id}/permissions/${foreign}`, { deny: 1024 })).status).toBe(404)
  expect((await bob.delete(`/api/channels/${here.channel_id}/permissions/${mine}`)).status).toBe(404)
  for (const odd of ['1e1', '+1', '0x1', '-1', '1.0', '9007199254740993'])
    expect((await alice.get(`/api/roles/${odd}`)).status).toBe(422)
})

test('a server has 250 roles, and racing requests do not pass the limit together', async () => {
  const { server_id } = await place(alice)
  await sql`insert into roles (server_id, name, permissions, position)
    select ${server_id}, 'Role ' || n, 0, n from generate_series(1, 248) n`
  const racing = await Promise.all(
    Array.from({ length: 4 }, (_, at) => alice.post(`/api/servers/${server_id}/roles`, { name: `last ${at}` })),
  )
  expect(racing.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409])
  expect(racing.find(({ status }) => status === 409)?.body.code).toBe('too_many_roles')
  const [{ count }] = await sql<[{ count: number }]>`
    select count(*)::int as count from roles where server_id = ${server_id}`
  expect(count).toBe(250)
  const [first] = (await alice.get(`/api/servers/${server_id}/roles?limit=1&offset=5`)).body
  expect((await alice.delete(`/api/roles/${first.id}`)).status).toBe(204)
  expect((await alice.post(`/api/servers/${server_id}/roles`, { name: 'again' })).status).toBe(201)
})

test('deleting a role takes it from its holders, and its overwrites with it', async () => {
  const { server_id, channel_id } = await place(alice, bob)
  const role = await rank(parley, server_id, permissions('kick_members'), bob)
  await alice.put(`/api/channels/${channel_id}/permissions/${role}`, { deny: permissions('send_messages') })
  expect((await bob.post(`/api/channels/${channel_id}/messages`, { content: 'muted' })).status).toBe(403)
  expect((await alice.delete(`/api/roles/${role}`)).status).toBe(204)
  expect((await bob.post(`/api/channels/${channel_id}/messages`, { content: 'heard' })).status).toBe(201)
  expect((await bob.get(`/api/channels/${channel_id}/permissions`)).body).toEqual([])
  const me = (await bob.get(`/api/servers/${server_id}/members`)).body.find((one: any) => one.user.id === bob.id)
  expect(me.role_ids).toEqual([])
  expect((await bob.delete(`/api/servers/${server_id}/members/${alice.id}`)).body.code).toBe('missing_permission')
})
