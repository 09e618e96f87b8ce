import { createHmac } from 'node:crypto'
import { expect, test } from 'bun:test'
import { call, type Person, person, newServer, say, standard, until } from '../support/harness.ts'
import { rank } from '../support/places.ts'
import { RawSocket } from '../support/raw-socket.ts'
import { connect, Gateway, gatewayUrl } from '../support/socket.ts'

const parley = await standard()

/** The code of the problem that refuses an upgrade. */
async function refused(query: string, headers: Record<string, string> = {}) {
  const raw = new RawSocket(parley, query, headers)
  await until(() => raw.rest.endsWith('}'))
  raw.destroy()
  const [, status] = /^HTTP\/1.1 (\d+)/.exec(raw.head) ?? []
  expect(raw.head.toLowerCase()).toContain('content-type: application/problem+json')
  const body = JSON.parse(raw.rest)
  expect(body.status).toBe(Number(status))
  return body.code as string
}

const ticketOf = async (who: Person): Promise<string> => {
  const answer = await who.post('/api/auth/ws-ticket')
  expect(answer.status).toBe(201)
  return answer.body.ticket
}

/** The person's token with other claims, signed with the server's key. */
function resigned(who: Person, claims: Record<string, unknown>): string {
  const [header, payload] = who.token.split('.') as [string, string]
  const changed = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), ...claims }
  const signed = `${header}.${Buffer.from(JSON.stringify(changed)).toString('base64url')}`
  return `${signed}.${createHmac('sha256', parley.parts.secrets.jwt).update(signed).digest('base64url')}`
}

test('a connection begins with ready, then a snapshot of each server, then synced', async () => {
  const alice = await person(parley, 'alice')
  const one = await newServer(alice)
  const two = await newServer(alice)
  const live = await connect(alice)
  // Her own arrival may be announced meanwhile.
  const types = live.frames.map(({ t }) => t).filter((t) => t !== 'presence.updated')
  expect(types).toEqual(['ready', 'server.snapshot', 'server.snapshot', 'synced'])
  const { d: ready } = live.frames[0]!
  expect(ready.resumed).toBe(false)
  const { updated_at: _, operator_since: __, guest_until: ___, ...user } = (await alice.get('/api/auth/me')).body
  expect(ready.user).toEqual(user)
  expect(ready.servers).toEqual(
    [one, two].map(({ server_id, channel_id }) => ({ id: server_id, channel_ids: [channel_id] })),
  )
  expect(ready.session).toMatchObject({ heartbeat_ms: 15_000, resume_window_s: 86_400 })
  const snapshot = live.of('server.snapshot')[0]!.d
  expect(snapshot.server).toEqual((await alice.get(`/api/servers/${one.server_id}`)).body)
  expect(snapshot.channels).toEqual((await alice.get(`/api/servers/${one.server_id}/channels`)).body)
  expect(snapshot.me.user.id).toBe(alice.id)
  expect(snapshot).toMatchObject({ part: 1, parts: 1 })
  live.close()
})

test('each snapshot says the same of the account’s own membership as the list of members', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const homes = [await newServer(alice, bob), await newServer(alice, bob), await newServer(alice, bob)]
  const [named, ranked, out] = homes.map(({ server_id }) => server_id) as [number, number, number]
  await alice.put(`/api/servers/${named}/members/${bob.id}`, { nickname: 'The "builder"' })
  for (const server_id of [ranked, ranked, out]) await rank(parley, server_id, 0, bob)
  const timed_out_until = new Date(Date.now() + 86_400_000).toISOString()
  await alice.put(`/api/servers/${out}/members/${bob.id}`, { timed_out_until })
  const live = await connect(bob)
  const snapshots = live.of('server.snapshot').map(({ d }) => d.me)
  expect(snapshots.map(({ server_id, role_ids }) => [server_id, role_ids.length])).toEqual([
    [named, 0],
    [ranked, 2],
    [out, 1],
  ])
  for (const me of snapshots) {
    const { body } = await alice.get(`/api/servers/${me.server_id}/members`)
    expect(me).toEqual(body.find(({ user }: { user: { id: number } }) => user.id === bob.id))
  }
  expect([snapshots[0].nickname, snapshots[2].timed_out_until]).toEqual(['The "builder"', timed_out_until])
  live.close()
})

test('a missing, forged, expired or revoked token is refused before the upgrade', async () => {
  const mallory = await person(parley, 'mallory')
  expect(await refused('')).toBe('unauthorized')
  expect(await refused('token=')).toBe('unauthorized')
  expect(await refused(`token=${mallory.token.slice(0, -4)}AAAA`)).toBe('unauthorized')
  expect(await refused(`token=${resigned(mallory, { exp: 1_000_000 })}`)).toBe('token_expired')
  await mallory.post('/api/auth/logout')
  expect(await refused(`token=${mallory.token}`)).toBe('token_revoked')
})

test('an unsupported version, a malformed s and a request without an upgrade are refused with a problem', async () => {
  const alice = await person(parley, 'alice')
  const token = `token=${alice.token}`
  ;(await connect(alice, '&v=1')).close()
  expect(await refused(`${token}&v=2`)).toBe('bad_request')
  for (const s of ['', '-1', '1e3', '0x1', 'x', '9999999999999999']) {
    expect(await refused(`${token}&s=${encodeURIComponent(s)}`)).toBe('bad_request')
  }
  expect((await call(parley, 'GET', `/ws?${token}`)).body.code).toBe('bad_request')
  expect((await call(parley, 'POST', `/ws?${token}`, { body: {} })).body.code).toBe('method_not_allowed')
})

test('a ticket opens one socket within its lifetime, and no second one', async () => {
  const alice = await person(parley, 'alice')
  const ticket = await ticketOf(alice)
  const live = new Gateway(gatewayUrl(parley, `ticket=${ticket}`))
  expect((await live.next('ready')).d.user.id).toBe(alice.id)
  live.close()
  expect(await refused(`ticket=${ticket}`)).toBe('unauthorized')
  expect(await refused('ticket=')).toBe('unauthorized')
  const late = await ticketOf(alice)
  await parley.parts.sql`update ws_tickets set expires_at = now() - interval '1 second'
    where session_id in (select id from sessions where user_id = ${alice.id})`
  expect(await refused(`ticket=${late}`)).toBe('unauthorized')
})

test('if two sockets race with one ticket, one is opened', async () => {
  const mallory = await person(parley, 'mallory')
  const ticket = await ticketOf(mallory)
  const racers = Array.from({ length: 6 }, () => new RawSocket(parley, `ticket=${ticket}`))
  await until(() => racers.every((racer) => racer.head !== ''))
  expect(racers.filter((racer) => racer.head.startsWith('HTTP/1.1 101'))).toHaveLength(1)
  for (const racer of racers) racer.destroy()
})

test('a ticket of a session that has ended opens nothing', async () => {
  const alice = await person(parley, 'alice')
  const ticket = await ticketOf(alice)
  await alice.post('/api/auth/logout')
  expect(await refused(`ticket=${ticket}`)).toBe('unauthorized')
})

test('the cookie opens a socket for our own pages and no others', async () => {
  const alice = await person(parley, 'alice')
  const cookie = `session=${alice.token}`
  const live = new Gateway(gatewayUrl(parley, ''), { headers: { cookie, origin: parley.url } })
  expect((await live.next('ready')).d.user.id).toBe(alice.id)
  live.close()
  expect(await refused('', { cookie })).toBe('csrf')
  expect(await refused('', { cookie, origin: 'https://mallory.example' })).toBe('csrf')
  expect(await refused('', { cookie, origin: 'null' })).toBe('csrf')
  expect(await refused('', { cookie, origin: `${parley.url}.mallory.example` })).toBe('csrf')
})

test('logging out closes the sockets of that session, and no others', async () => {
  const alice = await person(parley, 'alice')
  const { channel_id } = await newServer(alice)
  const second = await call(parley, 'POST', '/api/auth/login', {
    body: { username: alice.username, password: 'Correct-Horse-7!' },
  })
  const live = await connect(alice)
  const other = new Gateway(gatewayUrl(parley, `token=${second.body.token}`))
  await other.next('synced')
  await alice.post('/api/auth/logout')
  expect(await live.closed).toMatchObject({ code: 4003 })
  alice.token = second.body.token
  const message = await say(alice, channel_id, 'still here')
  await other.next('message.created', (frame) => frame.d.id === message.id)
  expect(live.of('message.created')).toEqual([])
  await alice.post('/api/auth/logout-all')
  expect(await other.closed).toMatchObject({ code: 4003 })
})

test('a socket closes when its token expires', async () => {
  const alice = await person(parley, 'alice')
  const token = resigned(alice, { exp: Math.floor(Date.now() / 1000) + 2 })
  const live = new Gateway(gatewayUrl(parley, `token=${token}`))
  await live.next('synced')
  expect(await live.closed).toMatchObject({ code: 4005 })
})

test('the twenty-first socket of an account is refused until another one closes', async () => {
  const alice = await person(parley, 'alice')
  const live = await Promise.all(Array.from({ length: 20 }, () => connect(alice)))
  const extra = new Gateway(gatewayUrl(parley, `token=${alice.token}`))
  expect(await extra.closed).toMatchObject({ code: 4007 })
  await Promise.all(live.map((socket) => socket.settled()))
  live[0]?.close()
  // The server notices the closed socket a little later.
  let next: Gateway | undefined
  await until(async () => (next = await connect(alice).catch(() => undefined)) !== undefined)
  for (const socket of [...live, next]) socket?.close()
})
