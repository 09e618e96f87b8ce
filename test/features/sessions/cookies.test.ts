import { afterAll, expect, test } from 'bun:test'
import { boot, call, PASSWORD, type Person, person, standard, stop } from '../../support/harness.ts'
import { Gateway, gatewayUrl } from '../../support/socket.ts'

const FRIENDLY = 'https://app.example.org'
const plain = await standard()
const secure = await boot({ PUBLIC_URL: 'https://chat.example.org', CORS_ORIGINS: FRIENDLY })
afterAll(() => stop(secure))

const EVIL = [
  'https://evil.example',
  'null',
  'https://chat.example.org.evil.example',
  'https://evil-chat.example.org',
  'http://chat.example.org',
  'https://chat.example.org:8443',
  'https://chat.example.org/',
  'https://user@chat.example.org',
  '',
]

/** A change by cookie, as a browser sends it. */
const change = (who: Person, headers: Record<string, string>, name = '__Host-session') =>
  call(who.parley, 'PUT', '/api/auth/display-name', {
    headers: { cookie: `${name}=${who.token}`, ...headers },
    body: { display_name: 'Wren' },
  })

const cookies = (headers: Headers) => headers.getSetCookie()

test('on plain http the cookie is `session`, kept from scripts and other sites', async () => {
  const alice = await person(plain, 'alice')
  const body = { username: alice.username, password: PASSWORD }
  const login = await call(plain, 'POST', '/api/auth/login', { body })
  expect(cookies(login.headers)).toEqual([
    `session=${login.body.token}; HttpOnly; SameSite=Lax; Path=/; Max-Age=2592000`,
  ])
})

test('behind https the cookie is `__Host-session` with Secure, from registering, login and refresh', async () => {
  const attributes = 'HttpOnly; Secure; SameSite=Lax; Path=/; Max-Age=2592000'
  const body = { username: 'cookie.alice', email: 'cookie.alice@example.org', password: PASSWORD }
  const registered = await call(secure, 'POST', '/api/auth/register', { body })
  expect(cookies(registered.headers)).toEqual([`__Host-session=${registered.body.token}; ${attributes}`])
  const { body: login, headers } = await call(secure, 'POST', '/api/auth/login', {
    body: { email: body.email, password: PASSWORD },
  })
  expect(cookies(headers)).toEqual([`__Host-session=${login.token}; ${attributes}`])
  const refreshed = await call(secure, 'POST', '/api/auth/refresh', { token: login.token })
  expect(cookies(refreshed.headers)).toEqual([`__Host-session=${refreshed.body.token}; ${attributes}`])
})

test('logging out clears the cookie with the attributes that it was set with', async () => {
  for (const path of ['/api/auth/logout', '/api/auth/logout-all']) {
    const alice = await person(secure, 'alice')
    const { headers } = await alice.post(path)
    expect(cookies(headers)).toEqual(['__Host-session=; HttpOnly; Secure; SameSite=Lax; Path=/; Max-Age=0'])
  }
})

test('a failed login sets no cookie', async () => {
  const body = { username: 'nobody', password: PASSWORD }
  expect(cookies((await call(secure, 'POST', '/api/auth/login', { body })).headers)).toEqual([])
})

test('a read needs only the cookie, under its own name', async () => {
  const alice = await person(secure, 'alice')
  const read = (cookie: string) => call(secure, 'GET', '/api/auth/me', { headers: { cookie } })
  expect((await read(`__Host-session=${alice.token}`)).status).toBe(200)
  expect((await read(`theme=dark; __Host-session=${alice.token}; a=b`)).status).toBe(200)
  for (const name of ['session', '__Secure-session', '__host-session', 'x__Host-session', 'session2'])
    expect((await read(`${name}=${alice.token}`)).status).toBe(401)
  expect((await read('__Host-session=')).status).toBe(401)
  const bob = await person(plain, 'bob')
  const other = await call(plain, 'GET', '/api/auth/me', { headers: { cookie: `__Host-session=${bob.token}` } })
  expect(other.status).toBe(401)
})

test('a change by cookie needs the server’s own Origin, or Sec-Fetch-Site: same-origin', async () => {
  const alice = await person(secure, 'alice')
  const status = async (headers: Record<string, string>) => (await change(alice, headers)).status
  expect(await status({ origin: 'https://chat.example.org' })).toBe(200)
  expect(await status({ 'sec-fetch-site': 'same-origin' })).toBe(200)
  expect(await status({ origin: FRIENDLY })).toBe(200)
})

test('a change by cookie from anywhere else is refused as csrf', async () => {
  const alice = await person(secure, 'alice')
  const sites = ['cross-site', 'same-site', 'none'].map((site) => ({ 'sec-fetch-site': site }))
  const lies = { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }
  const referer = { referer: 'https://chat.example.org/' }
  for (const headers of [{}, ...EVIL.map((origin) => ({ origin })), ...sites, lies, referer]) {
    const refused = await change(alice, headers as Record<string, string>)
    expect([headers, refused.status, refused.body.code]).toEqual([headers, 403, 'csrf'])
  }
  expect((await alice.get('/api/auth/me')).body.display_name).toBe(alice.display_name)
})

test('a request that names another account than that of its token is refused, and changes nothing', async () => {
  const [alice, bob] = [await person(secure, 'alice'), await person(secure, 'bob')]
  const ownOrigin = { 'sec-fetch-site': 'same-origin' }
  for (const id of [String(bob.id), '', 'x', `0${alice.id}`]) {
    const refused = await change(alice, { ...ownOrigin, 'x-account-id': id })
    expect([id, refused.status, refused.body.code]).toEqual([id, 401, 'unauthorized'])
  }
  expect((await alice.get('/api/auth/me')).body.display_name).toBe(alice.display_name)
  expect((await change(alice, { ...ownOrigin, 'x-account-id': String(alice.id) })).status).toBe(200)
})

test('every method but GET and HEAD is checked for its origin', async () => {
  const alice = await person(secure, 'alice')
  const headers = { cookie: `__Host-session=${alice.token}`, origin: 'https://evil.example' }
  const needsNoToken = /\/(login|login\/.*|register(\/guest)?|forgot|reset|verify)$/
  const routes = secure.routes.filter(({ path }) => path.startsWith('/api') && !needsNoToken.test(path))
  expect(routes.length).toBeGreaterThan(25)
  for (const { method, path } of routes) {
    if (method === 'GET') continue
    const address = path.replace(/:\w+/g, '1')
    const response = await fetch(secure.url + address, { method, headers })
    expect([method, path, response.status]).toEqual([method, path, 403])
    expect(((await response.json()) as { code: string }).code).toBe('csrf')
  }
})

test('without a public URL the origin must be the host that the request names', async () => {
  const alice = await person(plain, 'alice')
  const status = async (headers: Record<string, string>) => (await change(alice, headers, 'session')).status
  expect(await status({ origin: plain.url })).toBe(200)
  expect(await status({ origin: 'http://chat.local:3000', host: 'chat.local:3000' })).toBe(200)
  for (const origin of ['http://chat.local', 'https://chat.local:3000', 'http://chat.local:3001', 'null'])
    expect(await status({ origin, host: 'chat.local:3000' })).toBe(403)
})

test('a bearer token needs no origin, and wins over the cookie', async () => {
  const [alice, bob] = [await person(secure, 'alice'), await person(secure, 'bob')]
  const both = (authorization: string, method = 'GET', body?: object) =>
    call(secure, method, method === 'GET' ? '/api/auth/me' : '/api/auth/display-name', {
      headers: { authorization, cookie: `__Host-session=${bob.token}`, origin: 'https://evil.example' },
      body,
    })
  expect((await both(`Bearer ${alice.token}`)).body.id).toBe(alice.id)
  expect((await both(`Bearer ${alice.token}`, 'PUT', { display_name: 'Wren' })).body.id).toBe(alice.id)
  expect((await both('Bearer forged')).status).toBe(401)
  expect((await both('Basic YTpi')).status).toBe(401)
})

test('the cookie opens a socket for pages of this server and of an allowed site, and for no other site', async () => {
  const alice = await person(secure, 'alice')
  const cookie = `__Host-session=${alice.token}`
  for (const origin of EVIL.slice(0, 3)) {
    const refused = new Gateway(gatewayUrl(secure, ''), { headers: { cookie, origin } })
    expect((await refused.closed).code).not.toBe(1000)
    expect(refused.frames).toEqual([])
  }
  for (const origin of ['https://chat.example.org', FRIENDLY]) {
    const live = new Gateway(gatewayUrl(secure, ''), { headers: { cookie, origin } })
    expect((await live.next('ready')).d.user.id).toBe(alice.id)
    live.close()
  }
})

test('a refusal as csrf counts against the address, not the account', async () => {
  const limited = await boot({ RATE_LIMITS: 'on' })
  const alice = await person(limited, 'alice')
  const refused = await change(alice, { origin: 'https://evil.example' }, 'session')
  expect(refused.body.code).toBe('csrf')
  expect(refused.headers.get('ratelimit')).toStartWith('"general";r=')
  const remaining = (await alice.get('/api/auth/me')).headers.get('ratelimit')
  expect(remaining).toStartWith('"general";r=49;')
  await stop(limited)
})

test('a page of another site logs nobody in: not by a form, and no browser lets it send JSON', async () => {
  const alice = await person(secure, 'alice')
  const routes = ['login', 'login/second', 'login/passkey', 'register'].map((name) => `/api/auth/${name}`)
  const body = JSON.stringify({ username: alice.username, password: PASSWORD })
  for (const path of routes)
    for (const origin of EVIL.slice(0, 4)) {
      // Fetch §2.2.2: none of the types that a page may send cross-site without a preflight is JSON.
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
        const answer = await call(secure, 'POST', path, { headers: { origin, 'content-type': type }, body })
        expect([path, type, answer.status, cookies(answer.headers)]).toEqual([path, type, 415, []])
      }
      const untyped = await fetch(secure.url + path, {
        method: 'POST',
        headers: { origin },
        body: new Blob([body]),
      })
      expect([path, untyped.status, cookies(untyped.headers)]).toEqual([path, 415, []])
      const asks = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' }
      const { headers } = await fetch(secure.url + path, { method: 'OPTIONS', headers: asks })
      for (const name of ['origin', 'headers', 'credentials'])
        expect([path, name, headers.get(`access-control-allow-${name}`)]).toEqual([path, name, null])
    }
})
