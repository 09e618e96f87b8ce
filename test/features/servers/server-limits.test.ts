import { expect, test } from 'bun:test'
import { person, newServer, standard } from '../../support/harness.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]

/** Raises the account's count of servers. */
const pretend = (userId: number, more: number) =>
  sql`update users set server_count = server_count + ${more} where id = ${userId}`

test('a server name has 1 to 100 code points, a description up to 1,024', async () => {
  const create = (body: object) => alice.post('/api/servers', body)
  expect((await create({ name: '🦜'.repeat(100), description: '🪶'.repeat(1024) })).status).toBe(201)
  for (const body of [
    { name: '🦜'.repeat(101) },
    { name: '' },
    { name: ' \u200b ' },
    { name: 'two\nlines' },
    { name: 'nul\0' },
    { name: 'lone \ud83e' },
    { name: 7 },
    { description: 'nameless' },
    { name: 'Birds', description: 'd'.repeat(1025) },
    { name: 'Birds', owner_id: 1 },
  ])
    expect([body, (await create(body)).body.code]).toEqual([body, 'validation_failed'])
})

test('an update obeys the rules of a new server, and an empty one is refused', async () => {
  const { server_id } = await newServer(alice)
  for (const body of [
    {},
    { name: null },
    { name: 'n'.repeat(101) },
    { description: 'd'.repeat(1025) },
    { member_count: 5 },
  ])
    expect([body, (await alice.put(`/api/servers/${server_id}`, body)).status]).toEqual([body, 422])
  expect((await alice.put(`/api/servers/${server_id}`, { name: '🦜'.repeat(100) })).status).toBe(200)
})

test('every rule that a body breaks is named at once', async () => {
  const refused = await alice.post('/api/servers', { name: '', description: 'd'.repeat(1025), colour: 'red' })
  const paths = refused.body.errors.map((error: any) => error.path)
  expect(paths).toEqual(expect.arrayContaining(['body.name', 'body.description', 'body.colour']))
})

test('a name is stored in NFC and otherwise unchanged', async () => {
  const name = 'Cafe\u0301 <b>&amp;</b> " \\'
  const created = await alice.post('/api/servers', { name })
  expect(created.body.name).toBe('Café <b>&amp;</b> " \\')
})

test('racing creations stop at 100 servers a user', async () => {
  const [row] = await sql`select server_count from users where id = ${alice.id}`
  const more = 98 - row?.server_count
  await pretend(alice.id, more)
  const racing = await Promise.all(Array.from({ length: 5 }, () => alice.post('/api/servers', { name: 'One more' })))
  expect(racing.map((answer) => answer.status).sort()).toEqual([201, 201, 409, 409, 409])
  for (const answer of racing) if (answer.status === 409) expect(answer.body.code).toBe('too_many_servers')
  await pretend(alice.id, -more)
})

test('a join beyond 100 servers is refused and uses no invite; leaving a server makes room', async () => {
  const { server_id } = await newServer(alice)
  const home = await newServer(bob)
  const away = await newServer(alice, bob)
  const invite = await alice.post('/api/invites', { server_id, max_uses: 1 })
  await pretend(bob.id, 98)
  const refused = await bob.post(`/api/invites/${invite.body.code}/join`)
  expect([refused.status, refused.body.code]).toEqual([409, 'too_many_servers'])
  expect((await alice.get(`/api/servers/${server_id}/invites`)).body[0].uses).toBe(0)
  expect((await alice.get(`/api/servers/${server_id}`)).body.member_count).toBe(1)
  expect((await bob.delete(`/api/servers/${away.server_id}/members/@me`)).status).toBe(204)
  expect((await bob.post(`/api/invites/${invite.body.code}/join`)).status).toBe(201)
  expect((await bob.delete(`/api/servers/${home.server_id}`)).status).toBe(204)
  await pretend(bob.id, -98)
  const [row] = await sql`select server_count from users where id = ${bob.id}`
  expect(row?.server_count).toBe(1)
})
