import { afterAll, expect, test } from 'bun:test'
import { botOf } from '../../support/bots.ts'
import { boot, call, type CallOptions, cheapHash, PASSWORD, person, stop } from '../../support/harness.ts'
import { Gateway, gatewayUrl } from '../../support/socket.ts'

// The tests act as a trusted proxy, each with its own client addresses.
const parley = await boot({ RATE_LIMITS: 'on', TRUSTED_PROXIES: '127.0.0.1' })
afterAll(() => stop(parley))

let blocks = 0
/** A block of 256 addresses that no other test uses. */
const block = () => {
  const number = ++blocks
  return (host: number) => `10.0.${number}.${host}`
}
const from = (ip: string, method: string, path: string, options: CallOptions = {}) =>
  call(parley, method, path, { ...options, headers: { ...options.headers, 'x-forwarded-for': ip } })

let names = 0
const register = (ip: string, body: Record<string, unknown> = {}) => {
  const username = `limit.alice${++names}`
  const account = { username, email: `${username}@example.org`, password: PASSWORD, ...body }
  return from(ip, 'POST', '/api/auth/register', { body: account })
}
const WRONG = 'Wrong-Horse-77!'
const login = (ip: string, username: string, password = WRONG) =>
  from(ip, 'POST', '/api/auth/login', { body: { username, password } })
const loginByMail = (ip: string, username: string, password = WRONG) =>
  from(ip, 'POST', '/api/auth/login', { body: { email: `${username}@example.org`, password } })

/** Registers an account from the address, which is then known to the account. */
async function account(ip: string) {
  const { status, body } = await register(ip)
  expect(status).toBe(201)
  // A cheap hash, because the tests try its password a hundred times.
  await parley.parts.sql`update users set password_hash = ${await cheapHash} where id = ${body.user.id}`
  return { id: body.user.id as number, username: body.user.username as string, token: body.token as string }
}

const count = (answers: { status: number }[]) =>
  Object.fromEntries([...Map.groupBy(answers, (answer) => answer.status)].map(([status, of]) => [status, of.length]))

test('an address can register three accounts an hour, and the refusal says when the next is allowed', async () => {
  const at = block()
  const answers = [await register(at(1)), await register(at(1)), await register(at(1))]
  expect(answers.map((answer) => answer.headers.get('ratelimit'))).toEqual(
    [2, 1, 0].map((remaining) => `"register";r=${remaining};t=3600`),
  )
  expect(answers[0]?.headers.get('ratelimit-policy')).toBe('"register";q=3;w=3600')
  const { status, headers, body } = await register(at(1))
  expect([status, body.code]).toEqual([429, 'rate_limited'])
  const wait = Number(headers.get('retry-after'))
  expect(wait).toBeWithin(3500, 3601)
  expect(body.retry_after).toBe(wait)
  expect(headers.get('ratelimit')).toBe(`"register";r=0;t=${wait}`)
  expect((await register(at(2))).status).toBe(201)
})

test('concurrent registrations from one address create three accounts', async () => {
  const at = block()
  const answers = await Promise.all(Array.from({ length: 12 }, () => register(at(1))))
  expect(count(answers)).toEqual({ 201: 3, 429: 9 })
})

test('a failed registration does not count as one, but an address has thirty attempts an hour', async () => {
  const at = block()
  const { username } = await account(at(1))
  const answers = []
  for (let round = 0; round < 29; round++) answers.push(await register(at(1), { username }))
  expect(count(answers)).toEqual({ 409: 29 })
  const refused = await register(at(1))
  expect(refused.headers.get('ratelimit-policy')).toBe('"register-attempts";q=30;w=3600')
  expect(refused.status).toBe(429)
})

test('a name and address have five login attempts per 15 minutes, successful ones included', async () => {
  const at = block()
  const alice = await account(at(1))
  expect((await login(at(1), alice.username, PASSWORD)).headers.get('ratelimit')).toBe('"login";r=4;t=900')
  const answers = await Promise.all(Array.from({ length: 8 }, () => login(at(1), alice.username)))
  expect(count(answers)).toEqual({ 401: 4, 429: 4 })
  const refused = await login(at(1), alice.username, PASSWORD)
  expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
  expect(refused.headers.get('ratelimit-policy')).toBe('"login";q=5;w=900')
  expect(Number(refused.headers.get('retry-after'))).toBeWithin(800, 901)
  expect((await login(at(1), alice.username.toUpperCase(), PASSWORD)).status).toBe(429)
  expect((await login(at(2), alice.username, PASSWORD)).status).toBe(200)
})

test('an account and address have five login attempts by both names, and further ones reveal nothing', async () => {
  const at = block()
  const alice = await account(at(1))
  for (const [first, second] of [
    [login, loginByMail],
    [loginByMail, login],
  ] as const) {
    const ip = at(first === login ? 2 : 3)
    for (let round = 0; round < 5; round++) expect((await first(ip, alice.username)).status).toBe(401)
    // The right password gets the answer to a wrong one.
    const right = await second(ip, alice.username, PASSWORD)
    expect([right.status, right.body.code]).toEqual([401, 'invalid_credentials'])
    expect(right.headers.get('ratelimit')).toBe('"login";r=4;t=900')
  }
  // Attempts of an address beyond its five do not count as failures of the account: fifteen of the 21 answered ones do.
  for (const ip of [at(2), at(3)]) for (let round = 0; round < 4; round++) await loginByMail(ip, alice.username)
  for (let round = 0; round < 5; round++) await loginByMail(at(4), alice.username)
  expect((await loginByMail(at(5), alice.username, PASSWORD)).status).toBe(200)
  expect((await login(at(6), alice.username, PASSWORD)).status).toBe(200)
})

test('logins to an unknown account are limited like those to an existing one', async () => {
  const at = block()
  const answers = []
  for (let round = 0; round < 6; round++) answers.push(await login(at(1), 'nobody.here'))
  expect(answers.map((answer) => answer.status)).toEqual([401, 401, 401, 401, 401, 429])
  expect(answers[0]?.headers.get('ratelimit')).toBe('"login";r=4;t=900')
})

/** The answer to a login without the remaining seconds. */
const summary = ({ status, headers, body }: Awaited<ReturnType<typeof login>>) => [
  status,
  body.code,
  body.detail.replace(/\d+/g, ''),
  [...headers.keys()].toSorted().join(),
  headers.get('ratelimit')?.replace(/;t=.*/, ''),
  headers.get('ratelimit-policy'),
]

test('after ten tries by one name, ten by the other do not reveal their common account', async () => {
  const at = block()
  const alice = await account(at(1))
  for (const [first, second] of [
    [login, loginByMail],
    [loginByMail, login],
  ] as const) {
    const [own, strange] = first === login ? [at(2), at(3)] : [at(4), at(5)]
    for (let round = 0; round < 10; round++) {
      const answers = [await first(own, alice.username), await first(strange, alice.username)]
      expect(answers.map(({ status }) => status)).toEqual(Array(2).fill(round < 5 ? 401 : 429))
    }
    for (let round = 0; round < 10; round++) {
      const real = summary(await second(own, alice.username))
      expect(real).toEqual(summary(await second(strange, `nobody.${first === login ? 1 : 2}`)))
      expect(real.slice(0, 2)).toEqual(round < 5 ? [401, 'invalid_credentials'] : [429, 'rate_limited'])
      expect(real[4]).toBe(`"login";r=${Math.max(0, 4 - round)}`)
    }
  }
})

test('an account locked by one name does not show it by the other, and opens to known addresses', async () => {
  const at = block()
  const alice = await account(at(1))
  for (let round = 0; round < 20; round++) await login(at(10 + Math.floor(round / 5)), alice.username)
  expect((await login(at(20), alice.username)).status).toBe(429)
  // From separate addresses: twenty failures by the second name lock that name as they lock a stranger's.
  for (let round = 0; round < 25; round++) {
    const real = summary(await loginByMail(at(30 + Math.floor(round / 5)), alice.username))
    expect(real).toEqual(summary(await loginByMail(at(40 + Math.floor(round / 5)), 'nobody.locked')))
    expect(real[0]).toBe(round < 20 ? 401 : 429)
  }
  const bob = await account(at(2))
  for (let round = 0; round < 20; round++) await login(at(50 + Math.floor(round / 5)), bob.username)
  expect(summary(await loginByMail(at(60), bob.username, PASSWORD)).slice(0, 2)).toEqual([401, 'invalid_credentials'])
  expect((await loginByMail(at(2), bob.username, PASSWORD)).status).toBe(200)
})

test('an address has thirty login attempts over all accounts', async () => {
  const at = block()
  const answers: Awaited<ReturnType<typeof login>>[] = []
  // On a busy machine thirty concurrent hashes take longer than a request may.
  for (let pair = 0; pair < 17; pair++)
    answers.push(...(await Promise.all([0, 1].map((name) => login(at(1), `spray.${pair}.${name}`)))))
  expect(count(answers)).toEqual({ 401: 30, 429: 4 })
  expect(count([await login(at(2), 'spray.1')])).toEqual({ 401: 1 })
})

test('twenty failed logins lock an account for new addresses, not for known ones', async () => {
  const at = block()
  const alice = await account(at(1))
  const answers = await Promise.all(
    Array.from({ length: 28 }, (_, round) => login(at(100 + Math.floor(round / 4)), alice.username)),
  )
  expect(count(answers)).toEqual({ 401: 20, 429: 8 })
  const refused = await login(at(200), alice.username, PASSWORD)
  expect(refused.status).toBe(429)
  expect(refused.headers.get('ratelimit-policy')).toBe('"login-failures";q=20;w=900')
  expect((await login(at(1), alice.username, PASSWORD)).status).toBe(200)
})

test('successful and rate-limited logins do not count as failed', async () => {
  const at = block()
  const alice = await account(at(1))
  for (let address = 10; address < 34; address++)
    expect((await login(at(address), alice.username, PASSWORD)).status).toBe(200)
  // Attempts of one address beyond its five do not lock out other addresses.
  await Promise.all(Array.from({ length: 30 }, () => login(at(50), alice.username)))
  expect((await login(at(51), alice.username, PASSWORD)).status).toBe(200)
})

test("typing an account's public id as a user name uses up nothing of the account's", async () => {
  const at = block()
  const alice = await account(at(1))
  const typed = String(alice.id).padStart(2, '0')
  for (let round = 0; round < 5; round++) await login(at(2), typed)
  expect((await login(at(2), typed)).status).toBe(429)
  expect((await login(at(2), alice.username, PASSWORD)).status).toBe(200)
})

test('IPv6 addresses of one /64 share a limit and are known together', async () => {
  const net = (host: string) => `2001:db8:0:1::${host}`
  const alice = await account(net('1'))
  expect(count([await register(net('2')), await register(net('ffff:2')), await register(net('3'))])).toEqual({
    201: 2,
    429: 1,
  })
  expect((await register('2001:db8:0:2::1')).status).toBe(201)
  for (let address = 1; address <= 4; address++)
    for (let round = 0; round < 5; round++) await login(`2001:db8:1:${address}::${round}`, alice.username)
  expect((await login('2001:db8:1:9::1', alice.username, PASSWORD)).status).toBe(429)
  expect((await login(net('abcd'), alice.username, PASSWORD)).status).toBe(200)
})

test('wrong current passwords count as login attempts', async () => {
  const at = block()
  const alice = await account(at(1))
  const change = () =>
    from(at(1), 'PUT', '/api/auth/password', {
      token: alice.token,
      body: { current_password: 'Wrong-Horse-77!', new_password: 'New-Horse-77-Battery!' },
    })
  const answers = []
  for (let round = 0; round < 6; round++) answers.push(await change())
  expect(count(answers)).toEqual({ 401: 5, 429: 1 })
  expect((await login(at(1), alice.username, PASSWORD)).status).toBe(401)
  expect((await login(at(2), alice.username, PASSWORD)).status).toBe(200)
})

test('an account has a burst of fifty requests over all addresses, and more a second later', async () => {
  const at = block()
  const [alice, bob] = [await account(at(1)), await account(at(2))]
  const me = (token: string, ip: string) => from(ip, 'GET', '/api/auth/me', { token })
  const began = performance.now()
  const answers = await Promise.all(Array.from({ length: 120 }, (_, round) => me(alice.token, at(round))))
  const { 200: letIn = 0, 429: refused = 0 } = count(answers)
  // 50, and 20 for each second that the burst took.
  expect(letIn).toBeWithin(50, 52 + (20 * (performance.now() - began)) / 1000)
  expect(letIn + refused).toBe(120)
  const limited = answers.find((answer) => answer.status === 429)
  expect(limited?.headers.get('retry-after')).toBe('1')
  expect(limited?.headers.get('ratelimit-policy')).toBe('"general";q=50;w=3')
  expect((await me(bob.token, at(1))).status).toBe(200)
  await Bun.sleep(1000)
  expect((await me(alice.token, at(1))).status).toBe(200)
})

test('requests without a valid token are limited by address, at the gateway too', async () => {
  const at = block()
  const answers = await Promise.all(
    Array.from({ length: 90 }, (_, round) =>
      from(at(1), 'GET', '/api/servers', { token: round % 2 ? 'x.y.z' : undefined }),
    ),
  )
  expect(count(answers)[429]).toBeGreaterThan(5)
  const headers = { 'x-forwarded-for': at(1) }
  const knocks = Array.from({ length: 30 }, () => fetch(`${parley.url}/ws?token=x`, { headers }))
  expect((await Promise.all(knocks)).map((answer) => answer.status)).toContain(429)
  expect((await from(at(2), 'GET', '/api/servers')).status).toBe(401)
})

test('requests with malformed bodies count too', async () => {
  const at = block()
  const garbage = () => from(at(1), 'POST', '/api/auth/login', { body: '{' })
  const answers = await Promise.all(Array.from({ length: 90 }, garbage))
  expect(count(answers)[400]).toBeGreaterThanOrEqual(50)
  expect(count(answers)[429]).toBeGreaterThan(5)
})

test('a forwarded address from an untrusted peer is ignored', async () => {
  const strict = await boot({ RATE_LIMITS: 'on' })
  const spoof = (ip: string, at: number) => {
    const body = { username: `spoof${at}`, email: `spoof${at}@example.org`, password: PASSWORD }
    const headers = { 'x-forwarded-for': ip, forwarded: `for=${ip}`, 'x-real-ip': ip, 'client-ip': ip }
    return call(strict, 'POST', '/api/auth/register', { body, headers })
  }
  const answers = await Promise.all(Array.from({ length: 6 }, (_, at) => spoof(`192.0.2.${at}`, at)))
  expect(count(answers)).toEqual({ 201: 3, 429: 3 })
  await stop(strict)
})

test('with RATE_LIMITS=off there is no limit and no rate limit header', async () => {
  const free = await boot()
  const alice = await person(free, 'alice')
  const answers = await Promise.all(Array.from({ length: 80 }, () => alice.get('/api/auth/me')))
  expect(count(answers)).toEqual({ 200: 80 })
  expect(answers[0]?.headers.has('ratelimit')).toBeFalse()
  const live = new Gateway(gatewayUrl(free, `token=${alice.token}`))
  await live.next('synced')
  await stop(free)
})

test('a bot that floods is refused by its own limits only, and others get answers meanwhile', async () => {
  const at = block()
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const [flood, calm] = [await botOf(alice, 'Flood'), await botOf(alice, 'Calm')]
  const meFrom = (who: { token: string }, ip: string) => from(ip, 'GET', '/api/auth/me', { token: who.token })
  const flooding = Promise.all(Array.from({ length: 300 }, () => meFrom(flood, at(1))))
  const path = '/api/interactions/1/answer'
  const draft = { kind: 'deferred', token: 'x'.repeat(43) }
  const answering = Promise.all(
    Array.from({ length: 100 }, () => from(at(1), 'POST', path, { token: flood.token, body: draft })),
  )
  const others = await Promise.all(
    [alice, bob, calm].flatMap((who) => Array.from({ length: 5 }, () => meFrom(who, at(2)))),
  )
  expect(count(others)).toEqual({ 200: 15 })
  const { 200: accepted = 0, 429: refused = 0, ...rest } = count(await flooding)
  expect(rest).toEqual({})
  expect(accepted).toBeGreaterThanOrEqual(1)
  expect(refused).toBeGreaterThan(0)
  const answered = count(await answering)
  expect(Object.keys(answered).every((status) => status === '410' || status === '429')).toBe(true)
  expect(answered[429]).toBeGreaterThan(0)
})
