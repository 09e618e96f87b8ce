import { expect, test } from 'bun:test'
import { boot, call, person, newServer, standard, stop, until } from '../../support/harness.ts'
import { persons } from '../../support/people.ts'
import { walk } from '../../support/pages.ts'
import { promote } from '../../support/ranks.ts'
import { connect } from '../../support/socket.ts'
import { png, upload } from '../../support/uploads.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob, mallory] = await persons(parley, 'alice', 'bob', 'mallory')

const invite = (who: typeof alice, server_id: number, body: object = {}) =>
  who.post('/api/invites', { server_id, ...body })
const seconds = ({ created_at, expires_at }: any) => (Date.parse(expires_at) - Date.parse(created_at)) / 1000

test('an invite lasts a day without a limit of uses by default; 0 means forever and unlimited', async () => {
  const { server_id } = await newServer(alice)
  const plain = await invite(alice, server_id)
  expect(plain.status).toBe(201)
  expect(plain.body).toMatchObject({ server_id, creator_id: alice.id, max_uses: 0, uses: 0 })
  expect(seconds(plain.body)).toBe(86_400)
  const endless = await invite(alice, server_id, { expires_in: 0, max_uses: 0 })
  expect(endless.body).toMatchObject({ expires_at: null, max_uses: 0 })
  const bounded = await invite(alice, server_id, { expires_in: 2_592_000, max_uses: 1000 })
  expect([seconds(bounded.body), bounded.body.max_uses]).toEqual([2_592_000, 1000])
  for (const body of [
    { expires_in: 2_592_001 },
    { expires_in: -1 },
    { expires_in: 1.5 },
    { expires_in: '60' },
    { expires_in: null },
    { max_uses: 1001 },
    { max_uses: -1 },
    { max_uses: 0.5 },
    { code: 'vanityvany' },
  ])
    expect([body, (await invite(alice, server_id, body)).status]).toEqual([body, 422])
  expect((await alice.post('/api/invites', {})).status).toBe(422)
})

test('a code has ten characters without look-alikes, and codes differ', async () => {
  const { server_id } = await newServer(alice)
  const invites = await Promise.all(Array.from({ length: 20 }, () => invite(alice, server_id)))
  const codes = invites.map(({ body }) => body.code)
  for (const code of codes) expect(code).toMatch(/^[23456789abcdefghjkmnpqrstuvwxyz]{10}$/)
  expect(new Set(codes).size).toBe(20)
})

test('a preview needs no token, is limited by address, and an invalid token does not hinder it', async () => {
  const strict = await boot({ RATE_LIMITS: 'on', TRUSTED_PROXIES: '127.0.0.1' })
  const owner = await person(strict, 'alice')
  const { server_id } = await newServer(owner)
  const { code } = (await owner.post('/api/invites', { server_id })).body
  const look = (ip: string, token?: string, path = code) =>
    call(strict, 'GET', `/api/invites/${path}`, { token, headers: { 'x-forwarded-for': ip } })
  const seen = await look('10.0.0.1')
  expect([seen.status, seen.body.server.name]).toEqual([200, 'Birdwatchers'])
  expect((await look('10.0.0.1', 'x.y.z')).body).toEqual(seen.body)
  expect((await look('10.0.0.1', undefined, 'aaaaaaaaaa')).status).toBe(404)
  const flood = await Promise.all(Array.from({ length: 30 }, () => look('10.0.0.1')))
  expect(flood.filter(({ status }) => status === 429).length).toBeGreaterThan(8)
  // The limit affects neither another address nor an account behind the same address.
  expect([(await look('10.0.0.2')).status, (await look('10.0.0.1', owner.token)).status]).toEqual([200, 200])
  for (const path of [`${code}/join`, '1'])
    expect((await call(strict, path === '1' ? 'DELETE' : 'POST', `/api/invites/${path}`)).status).toBe(401)
  await owner.delete(`/api/invites/${(await owner.get(`/api/servers/${server_id}/invites`)).body[0].id}`)
  expect((await look('10.0.0.3')).body.code).toBe('invite_gone')
  await stop(strict)
})

test('a preview shows the invite’s server, the invite’s creator, and nothing else', async () => {
  const { server_id } = await newServer(alice, bob)
  const { body } = await invite(alice, server_id)
  const preview = await mallory.get(`/api/invites/${body.code}`)
  const none = { icon_file_id: null, icon_url: null }
  const server = { id: server_id, name: 'Birdwatchers', description: '', member_count: 2, ...none }
  const inviter = { ...(await mallory.get(`/api/users/${alice.id}`)).body, avatar_url: null }
  const { code, expires_at } = body
  const kind = { temporary: null, guest: false }
  expect(preview.body).toEqual({ code, server, inviter, online_count: 0, expires_at, ...kind })
  expect((await mallory.get('/api/invites/2222222222')).status).toBe(404)
  expect((await call(parley, 'GET', `/api/invites/${body.code}`)).body).toEqual(preview.body)
})

test('a preview counts members online, and its pictures open without a token', async () => {
  const { server_id } = await newServer(alice, bob)
  const { body } = await invite(bob, server_id)
  const picture = await upload(bob, 'weir.png', 'image/png', await png(40, 40))
  await bob.put('/api/auth/avatar', { avatar_file_id: picture.id })
  const icon = await upload(alice, 'heron.png', 'image/png', await png(30, 30))
  await alice.put(`/api/servers/${server_id}`, { icon_file_id: icon.id })
  const look = async () => (await call(parley, 'GET', `/api/invites/${body.code}`)).body
  const socket = await connect(alice)
  await until(async () => (await look()).online_count === 1)
  const { server, inviter } = await look()
  for (const url of [server.icon_url, inviter.avatar_url]) {
    const answer = await fetch(url)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp'])
  }
  socket.close()
})

test('a preview does not name a creator who is no longer a member', async () => {
  const { server_id } = await newServer(alice, bob)
  const { body } = await invite(bob, server_id)
  const inviter = async () => (await mallory.get(`/api/invites/${body.code}`)).body.inviter
  expect((await inviter()).id).toBe(bob.id)
  await bob.delete(`/api/servers/${server_id}/members/@me`)
  expect(await inviter()).toBe(null)
})

test('joining counts one use; a member who joins again counts none', async () => {
  const { server_id } = await newServer(alice)
  const { body } = await invite(alice, server_id)
  const join = () => bob.post(`/api/invites/${body.code}/join`)
  const first = await join()
  expect([first.status, first.body.id, first.body.member_count]).toEqual([201, server_id, 2])
  const again = await join()
  expect([again.status, again.body]).toEqual([200, first.body])
  expect((await alice.post(`/api/invites/${body.code}/join`)).status).toBe(200)
  expect((await alice.get(`/api/servers/${server_id}/invites`)).body).toEqual([{ ...body, uses: 1 }])
})

test('an account that joins twice at once is a member once', async () => {
  const { server_id } = await newServer(alice)
  const { body } = await invite(alice, server_id)
  const racing = await Promise.all(Array.from({ length: 6 }, () => bob.post(`/api/invites/${body.code}/join`)))
  expect(racing.map((answer) => answer.status).toSorted()).toEqual([200, 200, 200, 200, 200, 201])
  expect((await alice.get(`/api/servers/${server_id}/invites`)).body[0].uses).toBe(1)
  expect((await alice.get(`/api/servers/${server_id}`)).body.member_count).toBe(2)
})

test('if joins race by an invite with one use, exactly one succeeds', async () => {
  const { server_id } = await newServer(alice)
  const crowd = await Promise.all(['carol', 'dave', 'erin'].map((name) => person(parley, name)))
  const { body } = await invite(alice, server_id, { max_uses: 1 })
  const racing = await Promise.all([bob, mallory, ...crowd].map((who) => who.post(`/api/invites/${body.code}/join`)))
  expect(racing.map((answer) => answer.status).toSorted()).toEqual([201, 410, 410, 410, 410])
  expect(racing.find((answer) => answer.status === 410)?.body.code).toBe('invite_gone')
  expect((await alice.get(`/api/servers/${server_id}`)).body.member_count).toBe(2)
})

test('an expired, used up or deleted invite answers 410, an unknown one 404', async () => {
  const { server_id } = await newServer(alice)
  const [expired, used, deleted] = [
    (await invite(alice, server_id, { expires_in: 60 })).body,
    (await invite(alice, server_id, { max_uses: 1 })).body,
    (await invite(alice, server_id)).body,
  ]
  await sql`update invites set expires_at = now() - interval '1 second' where id = ${expired.id}`
  expect((await bob.post(`/api/invites/${used.code}/join`)).status).toBe(201)
  expect((await alice.delete(`/api/invites/${deleted.id}`)).status).toBe(204)
  expect((await alice.delete(`/api/invites/${deleted.id}`)).status).toBe(404)
  for (const { code } of [expired, used, deleted]) {
    for (const response of [await mallory.post(`/api/invites/${code}/join`), await mallory.get(`/api/invites/${code}`)])
      expect([response.status, response.body.code]).toEqual([410, 'invite_gone'])
    expect((await bob.post(`/api/invites/${code}/join`)).status).toBe(200)
  }
  const unknown = await mallory.post('/api/invites/3333333333/join')
  expect([unknown.status, unknown.body.code]).toEqual([404, 'not_found'])
  expect((await mallory.post('/api/invites/%27%20or%201=1--/join')).status).toBe(422)
  expect((await alice.delete(`/api/servers/${server_id}`)).status).toBe(204)
  expect((await mallory.post(`/api/invites/${used.code}/join`)).status).toBe(404)
})

test('a banned account cannot join by an invite and uses none of its uses', async () => {
  const { server_id } = await newServer(alice, bob)
  const { body } = await invite(alice, server_id, { max_uses: 1 })
  expect((await alice.put(`/api/servers/${server_id}/bans/${mallory.id}`)).status).toBe(200)
  const refused = await mallory.post(`/api/invites/${body.code}/join`)
  expect([refused.status, refused.body.code]).toEqual([403, 'banned'])
  expect((await alice.get(`/api/servers/${server_id}/invites`)).body[0].uses).toBe(0)
})

test('creating takes create_invite; listing takes manage_server, as does deleting another’s invite', async () => {
  const { server_id } = await newServer(alice, bob, mallory)
  const [his, hers] = [(await invite(bob, server_id)).body, (await invite(mallory, server_id)).body]
  const refused = await mallory.delete(`/api/invites/${his.id}`)
  expect([refused.status, refused.body.detail]).toEqual([403, 'The permission manage_server is missing'])
  expect((await mallory.get(`/api/servers/${server_id}/invites`)).body.code).toBe('missing_permission')
  expect((await mallory.delete(`/api/invites/${hers.id}`)).status).toBe(204)
  await promote(mallory, server_id, { bits: ['manage_server'] })
  expect((await mallory.get(`/api/servers/${server_id}/invites`)).body.map((row: any) => row.id)).toContain(his.id)
  expect((await mallory.delete(`/api/invites/${his.id}`)).status).toBe(204)
  await sql`update roles set permissions = permissions & ~1::bigint where server_id = ${server_id}`
  expect((await invite(bob, server_id)).body.detail).toBe('The permission create_invite is missing')
})

test('a creator who has left deletes no invite of the server any more', async () => {
  const { server_id } = await newServer(alice, bob)
  const { body } = await invite(bob, server_id)
  expect((await bob.delete(`/api/servers/${server_id}/members/@me`)).status).toBe(204)
  expect((await bob.delete(`/api/invites/${body.id}`)).status).toBe(404)
  expect((await bob.post(`/api/invites/${body.code}/join`)).status).toBe(201)
})

test('a server has at most 100 live invites; a dead one makes room', async () => {
  const { server_id } = await newServer(alice)
  await sql`insert into invites (code, server_id, creator_id)
    select 'full' || ${server_id}::int || 'x' || n, ${server_id}, ${alice.id} from generate_series(1, 98) n`
  const racing = await Promise.all(Array.from({ length: 5 }, () => invite(alice, server_id)))
  expect(racing.map((answer) => answer.status).toSorted()).toEqual([201, 201, 409, 409, 409])
  expect(racing.find((answer) => answer.status === 409)?.body.code).toBe('too_many_invites')
  const all = await walk(alice, `/api/servers/${server_id}/invites?limit=40`)
  expect(all).toHaveLength(100)
  expect(all.map((row) => row.id)).toEqual(all.map((row) => row.id).toSorted((a, b) => b - a))
  expect((await alice.delete(`/api/invites/${all[0].id}`)).status).toBe(204)
  expect((await invite(alice, server_id)).status).toBe(201)
  await sql`update invites set expires_at = now() - interval '1 second' where id = ${all[1].id}`
  expect((await invite(alice, server_id)).status).toBe(201)
})

test('events of invites reach members with manage_server, and nobody else', async () => {
  const { server_id } = await newServer(alice, bob, mallory)
  await promote(bob, server_id, { bits: ['manage_server'] })
  const [managing, plain] = [await connect(bob), await connect(mallory)]
  const { body } = await invite(alice, server_id)
  expect((await managing.next('invite.created')).d).toEqual(body)
  const own = await invite(mallory, server_id)
  const carol = await person(parley, 'carol')
  expect((await carol.post(`/api/invites/${own.body.code}/join`)).status).toBe(201)
  expect((await managing.next('invite.created', ({ d }) => d.uses === 1)).d.id).toBe(own.body.id)
  expect((await alice.delete(`/api/invites/${body.id}`)).status).toBe(204)
  expect((await managing.next('invite.deleted')).d).toEqual({ id: body.id, server_id })
  await plain.next('member.joined')
  await plain.settled()
  const inviteEvents = (gateway: typeof plain) =>
    gateway.frames.filter(({ t, d }) => t.startsWith('invite.') && d.server_id === server_id)
  expect(inviteEvents(plain)).toEqual([])
  const { s } = (await plain.next('synced')).d
  const again = await connect(mallory, `&s=${s}`)
  expect(again.frames[0]?.d.resumed).toBe(true)
  expect(inviteEvents(again)).toEqual([])
  for (const gateway of [managing, plain, again]) gateway.close()
})
