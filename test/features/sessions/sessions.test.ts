import { expect, test } from 'bun:test'
import { call, PASSWORD, type Person, person, standard } from '../../support/harness.ts'
import { connect, Gateway, gatewayUrl } from '../../support/socket.ts'

const parley = await standard()
const { sql, bus } = parley.parts

const login = async (who: Person): Promise<string> => {
  const answer = await call(parley, 'POST', '/api/auth/login', { body: { email: who.email, password: PASSWORD } })
  expect(answer.status).toBe(200)
  return answer.body.token
}
const me = async (token: string) => {
  const { status, body } = await call(parley, 'GET', '/api/auth/me', { token })
  return status === 200 ? 'ok' : body.code
}
const post = (path: string, token: string) => call(parley, 'POST', path, { token })
/** The id of the session that a token belongs to. */
const sessionOf = (token: string): number =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sid
/** Dates the last refresh of the session back. */
async function ago(token: string, seconds: number): Promise<void> {
  const id = sessionOf(token)
  await sql`update sessions set refreshed_at = now() - ${seconds} * interval '1 second' where id = ${id}`
  await bus.notify({ kind: 'sessions_refreshed', session_ids: [id] })
}

test('logging out ends only this session, at once', async () => {
  const alice = await person(parley, 'alice')
  const other = await login(alice)
  expect((await post('/api/auth/logout', alice.token)).status).toBe(200)
  expect(await me(alice.token)).toBe('token_revoked')
  expect((await post('/api/auth/logout', alice.token)).body.code).toBe('token_revoked')
  expect((await post('/api/auth/refresh', alice.token)).body.code).toBe('token_revoked')
  expect(await me(other)).toBe('ok')
})

test('logging out everywhere ends every session of the account and no other', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const others = await Promise.all([login(alice), login(alice)])
  expect((await post('/api/auth/logout-all', alice.token)).status).toBe(200)
  for (const token of [alice.token, ...others]) expect(await me(token)).toBe('token_revoked')
  expect(await me(bob.token)).toBe('ok')
})

test('the sockets of a revoked session are closed before the revoking request answers', async () => {
  const alice = await person(parley, 'alice')
  const other = await login(alice)
  const [mine, theirs] = [await connect(alice), new Gateway(gatewayUrl(parley, `token=${other}`))]
  await theirs.next('synced')
  const open = async () => (await parley.parts.metrics.sockets.get()).values[0]?.value ?? 0
  const before = await open()
  await alice.delete(`/api/auth/sessions/${sessionOf(other)}`)
  expect(await open()).toBe(before - 1)
  expect(await theirs.closed).toEqual({ code: 4003, reason: 'session revoked' })
  await mine.settled()
  await alice.post('/api/auth/logout')
  expect((await mine.closed).code).toBe(4003)
})

test('nothing sent after a logout reaches the sockets of that session', async () => {
  const alice = await person(parley, 'alice')
  const listener = await login(alice)
  const live = new Gateway(gatewayUrl(parley, `token=${listener}`))
  await live.next('synced')
  await post('/api/auth/logout', listener)
  await alice.put('/api/auth/display-name', { display_name: 'After the logout' })
  await live.closed
  expect(live.of('user.updated')).toEqual([])
})

test('a session logged out while its socket opens gets no socket', async () => {
  const alice = await person(parley, 'alice')
  for (let round = 0; round < 6; round++) {
    const token = await login(alice)
    const live = new Gateway(gatewayUrl(parley, `token=${token}`))
    await Bun.sleep(round)
    await post('/api/auth/logout', token)
    // 1002 or 1006: refused before the upgrade.
    expect([1002, 1006, 4003]).toContain((await live.closed).code)
  }
})

test('a refresh gives a new token, and the previous one still gets the current for a minute', async () => {
  const alice = await person(parley, 'alice')
  const { body } = await post('/api/auth/refresh', alice.token)
  expect(body.token).not.toBe(alice.token)
  expect(sessionOf(body.token)).toBe(sessionOf(alice.token))
  expect([await me(alice.token), await me(body.token)]).toEqual(['ok', 'ok'])
  await ago(alice.token, 50)
  const again = await post('/api/auth/refresh', alice.token)
  const claims = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  expect(claims(again.body.token)).toMatchObject({ ver: 2, exp: claims(body.token).exp })
  expect([await me(again.body.token), await me(body.token)]).toEqual(['ok', 'ok'])
})

test('a token used long after its refresh ends the session', async () => {
  const alice = await person(parley, 'alice')
  const safe = await login(alice)
  const live = await connect(alice)
  const { body } = await post('/api/auth/refresh', alice.token)
  await ago(alice.token, 61)
  expect(await me(alice.token)).toBe('token_revoked')
  expect(await me(body.token)).toBe('token_revoked')
  expect((await live.closed).code).toBe(4003)
  expect(await me(safe)).toBe('ok')
})

test('a token of two refreshes ago ends the session, however soon it is used', async () => {
  const alice = await person(parley, 'alice')
  const second = (await post('/api/auth/refresh', alice.token)).body.token
  const third = (await post('/api/auth/refresh', second)).body.token
  expect([await me(second), await me(third)]).toEqual(['ok', 'ok'])
  expect(await me(alice.token)).toBe('token_revoked')
  expect(await me(third)).toBe('token_revoked')
})

test('refreshes that race all get a token that works', async () => {
  const alice = await person(parley, 'alice')
  const answers = await Promise.all(Array.from({ length: 10 }, () => post('/api/auth/refresh', alice.token)))
  for (const { status, body } of answers) expect([status, await me(body.token)]).toEqual([200, 'ok'])
  const [row] = await sql`select ver from sessions where id = ${sessionOf(alice.token)}`
  expect(row?.ver).toBe(2)
})

test('an account sees its own sessions, newest first, and which is the current one', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const headers = { 'user-agent': 'Parrot/1.0 (perch)' }
  const body = { email: alice.email, password: PASSWORD }
  const { body: second } = await call(parley, 'POST', '/api/auth/login', { body, headers })
  const list = await alice.get('/api/auth/sessions')
  expect(list.body.map((session: any) => session.id)).toEqual([sessionOf(second.token), sessionOf(alice.token)])
  expect(list.body.map((session: any) => session.current)).toEqual([false, true])
  expect(list.body[0]).toMatchObject({ user_agent: 'Parrot/1.0 (perch)', ip: '127.0.0.1' })
  const lifetime = Date.parse(list.body[0].expires_at) - Date.parse(list.body[0].created_at)
  expect(lifetime).toBe(30 * 86_400_000)
  expect((await bob.get('/api/auth/sessions')).body).toHaveLength(1)
  const paged = await alice.get('/api/auth/sessions?limit=1')
  expect(paged.headers.get('link')).toBe(`</api/auth/sessions?limit=1&before=${sessionOf(second.token)}>; rel="next"`)
})

test("an account can end its own session by id, not another account's", async () => {
  const [alice, mallory] = [await person(parley, 'alice'), await person(parley, 'mallory')]
  const second = await login(alice)
  const path = `/api/auth/sessions/${sessionOf(second)}`
  expect((await mallory.delete(path)).body.code).toBe('not_found')
  expect(await me(second)).toBe('ok')
  expect((await alice.delete(path)).status).toBe(204)
  expect(await me(second)).toBe('token_revoked')
  expect((await alice.delete(path)).body.code).toBe('not_found')
  for (const id of ['1e1', '+1', '0x1', '-1', '1.0', '9007199254740992', '9223372036854775808', 'a', '%D9%A1', '1%00'])
    expect([id, (await alice.delete(`/api/auth/sessions/${id}`)).status]).toEqual([id, 422])
  expect((await alice.delete('/api/auth/sessions/9007199254740991')).status).toBe(404)
})

test('an account has 50 sessions at most: the oldest one goes, its socket with it', async () => {
  const alice = await person(parley, 'alice')
  const live = await connect(alice)
  await sql`insert into sessions (user_id, expires_at, ip)
    select ${alice.id}, now() + interval '1 day', '127.0.0.1' from generate_series(1, 49)`
  expect(await me(alice.token)).toBe('ok')
  const newest = await login(alice)
  expect(await me(alice.token)).toBe('token_revoked')
  expect((await live.closed).code).toBe(4003)
  const [row] = await sql`select count(*)::int as count from sessions where user_id = ${alice.id}`
  expect(row?.count).toBe(50)
  expect(await me(newest)).toBe('ok')
})

test('logins that race leave no more than 50 sessions', async () => {
  const alice = await person(parley, 'alice')
  await sql`insert into sessions (user_id, expires_at, ip)
    select ${alice.id}, now() + interval '1 day', '127.0.0.1' from generate_series(1, 49)`
  await Promise.all(Array.from({ length: 5 }, () => login(alice)))
  const [row] = await sql`select count(*)::int as count from sessions where user_id = ${alice.id}`
  expect(row?.count).toBe(50)
})

test('when a session was last used is written at most once a minute', async () => {
  const alice = await person(parley, 'alice')
  const id = sessionOf(alice.token)
  const used = async () => Date.parse((await sql`select last_used_at from sessions where id = ${id}`)[0]?.last_used_at)
  await sql`update sessions set last_used_at = now() - interval '2 minutes' where id = ${id}`
  await bus.notify({ kind: 'sessions_refreshed', session_ids: [id] })
  await me(alice.token)
  while (Date.now() - (await used()) > 60_000) await Bun.sleep(5)
  const once = await used()
  await me(alice.token)
  await Bun.sleep(20)
  expect(await used()).toBe(once)
})

test('sessions that have expired are swept away', async () => {
  const alice = await person(parley, 'alice')
  await sql`insert into sessions (user_id, expires_at, ip)
    values (${alice.id}, now() - interval '1 second', '127.0.0.1')`
  await parley.sweep()
  expect((await alice.get('/api/auth/sessions')).body).toHaveLength(1)
})
