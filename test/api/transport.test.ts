import { afterAll, expect, test } from 'bun:test'
import { connect as connectTcp } from 'node:net'
import { join } from 'node:path'
import type { Parley } from '../../src/parley.ts'
import { boot, call, PASSWORD, person, standard, stop } from '../support/harness.ts'
import { gatewayUrl } from '../support/socket.ts'

const ALLOWED = 'https://app.example.org'
const parley = await standard()
const shared = await boot({ CORS_ORIGINS: `${ALLOWED},http://localhost:5173`, PUBLIC_URL: 'https://chat.example.org' })
afterAll(() => stop(shared))

/** The answer to bytes that no client library would send, as the only request of the server's port. */
async function raw(to: Parley, head: string): Promise<{ status: number; text: string }> {
  const { promise, resolve } = Promise.withResolvers<string>()
  let text = ''
  const socket = connectTcp(Number(new URL(to.url).port), '127.0.0.1', () => socket.write(`${head}\r\n\r\n`))
  socket.on('data', (data) => {
    text += data
    if (text.includes('\r\n\r\n')) socket.end()
  })
  socket.on('close', () => resolve(text))
  socket.on('error', () => resolve(text))
  const timer = setTimeout(() => socket.destroy(), 3000)
  const answer = await promise
  clearTimeout(timer)
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0), text: answer }
}

const corsHeaders = (headers: Headers) => [...headers.keys()].filter((name) => name.startsWith('access-control-'))

test('an allowed origin is named in the answer, never a star', async () => {
  for (const origin of [ALLOWED, 'http://localhost:5173']) {
    const { headers } = await call(shared, 'GET', '/api/auth/me', { headers: { origin } })
    expect(headers.get('access-control-allow-origin')).toBe(origin)
    expect(headers.get('access-control-allow-credentials')).toBe('true')
    expect(headers.get('access-control-expose-headers')).toInclude('x-request-id')
    expect(headers.get('vary')).toInclude('origin')
  }
  const others = [
    'https://evil.example',
    'null',
    '*',
    `${ALLOWED}.evil.example`,
    `${ALLOWED}:8443`,
    ALLOWED.toUpperCase(),
  ]
  for (const origin of others) {
    const { headers } = await call(shared, 'GET', '/healthz', { headers: { origin } })
    expect([origin, corsHeaders(headers)]).toEqual([origin, []])
    expect(headers.get('vary')).toInclude('origin')
  }
})

test('without allowed origins no origin is named in an answer', async () => {
  const { headers } = await call(parley, 'GET', '/healthz', { headers: { origin: 'https://evil.example' } })
  expect(corsHeaders(headers)).toEqual([])
})

test('a preflight is answered only for an allowed origin', async () => {
  const preflight = (origin: string) =>
    call(shared, 'OPTIONS', '/api/auth/display-name', {
      headers: {
        origin,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'authorization, content-type',
      },
    })
  const { status, headers } = await preflight(ALLOWED)
  expect(status).toBe(204)
  expect(headers.get('access-control-allow-origin')).toBe(ALLOWED)
  expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST, PUT, DELETE')
  expect(headers.get('access-control-allow-headers')).toInclude('authorization')
  const refused = await preflight('https://evil.example')
  expect([refused.status, corsHeaders(refused.headers)]).toEqual([405, []])
})

test('with an https public URL every answer carries HSTS, and without one none does', async () => {
  const ask = [
    ['GET', '/healthz'],
    ['GET', '/docs'],
    ['GET', '/api/nothing'],
    ['PATCH', '/api/servers'],
    ['GET', '/api/auth/me'],
    ['GET', '/ws'],
    ['HEAD', '/healthz'],
  ]
  for (const [method = '', path = ''] of ask) {
    const { headers } = await fetch(shared.url + path, { method })
    expect([path, headers.get('strict-transport-security')]).toEqual([path, 'max-age=31536000; includeSubDomains'])
    expect((await fetch(parley.url + path, { method })).headers.has('strict-transport-security')).toBeFalse()
  }
})

test('every answer has nosniff, and personal ones no-store', async () => {
  const alice = await person(parley, 'alice')
  for (const path of ['/api/auth/me', '/api/servers', '/healthz', '/api/nothing', '/docs']) {
    const { headers } = await alice.get(path)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    if (path.startsWith('/api')) expect(headers.get('cache-control')).toBe('no-store')
  }
})

test('HEAD answers like GET without the body', async () => {
  const alice = await person(parley, 'alice')
  for (const path of ['/api/auth/me', '/healthz', '/api/nothing', '/api/servers/1e1', '/docs']) {
    const get = await alice.get(path)
    const head = await fetch(parley.url + path, { method: 'HEAD', headers: { authorization: `Bearer ${alice.token}` } })
    expect([path, head.status, await head.text()]).toEqual([path, get.status, ''])
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
  }
  expect((await fetch(`${parley.url}/api/auth/me`, { method: 'HEAD' })).status).toBe(401)
})

test('any valid Host is accepted; an invalid one answers 400', async () => {
  for (const host of ['a', 'x:1', 'localhost', '[::1]:3000', 'evil.example', 'a.b-c_d', 'xn--bcher-kva.example'])
    expect([host, (await raw(parley, `GET /healthz HTTP/1.1\r\nHost: ${host}`)).status]).toEqual([host, 200])
  for (const host of ['[', 'a b', 'a/b', 'u:p@h', 'h?x', 'a:99999', '', 'a#']) {
    const { status, text } = await raw(parley, `GET /healthz HTTP/1.1\r\nHost: ${host}`)
    expect([host, status]).toEqual([host, 400])
    expect(text).toMatch(/x-request-id: /i)
    expect(text).toInclude('"code":"bad_request"')
  }
  expect((await raw(parley, 'GET /healthz HTTP/1.1')).status).toBe(400)
  expect((await raw(parley, 'GET / HTTP/1.0')).status).toBe(400)
})

test('a body with two lengths or an invalid one is refused', async () => {
  const head = 'POST /api/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 5'
  for (const more of ['Transfer-Encoding: chunked', 'Content-Length: 6', 'Transfer-Encoding: xchunked'])
    expect((await raw(parley, `${head}\r\n${more}`)).status).toBe(400)
  expect((await raw(parley, head.replace('5', '5x'))).status).toBe(400)
  expect((await raw(parley, head.replace('5', '99999999'))).status).toBe(413)
})

test('the gateway answers a request that is no WebSocket upgrade with a problem, for every method', async () => {
  const alice = await person(parley, 'alice')
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE']) {
    const response = await fetch(`${parley.url}/ws?token=${alice.token}`, { method })
    expect([method, response.status]).toEqual([method, method === 'GET' ? 400 : 405])
    expect(response.headers.get('content-type')).toBe('application/problem+json')
  }
  expect((await alice.get('/ws')).body.code).toBe('bad_request')
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13'
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='
  const knock = (method: string) =>
    raw(parley, `${method} /ws?token=${alice.token} HTTP/1.1\r\nHost: a\r\n${upgrade}\r\n${key}`)
  expect((await knock('POST')).status).toBe(405)
  expect((await knock('GET')).status).toBe(101)
})

test('with a certificate the server speaks https itself: HSTS, __Host- cookies, wss', async () => {
  const { DATA_DIR } = parley.parts.environment
  const [TLS_KEY, TLS_CERT] = [join(DATA_DIR, 'key.pem'), join(DATA_DIR, 'cert.pem')]
  const subject = '-subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 -days 2'
  const options = `-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes ${subject}`
  const result = Bun.spawnSync(`openssl req ${options} -keyout ${TLS_KEY} -out ${TLS_CERT}`.split(' '))
  expect(result.exitCode).toBe(0)
  const own = await boot({ TLS_CERT, TLS_KEY })
  expect(own.url).toStartWith('https://127.0.0.1:')
  const tls = { ca: await Bun.file(TLS_CERT).text() }
  const response = await fetch(`${own.url}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'alice', email: 'alice@example.org', password: PASSWORD }),
    tls,
  })
  expect(response.status).toBe(201)
  expect(response.headers.get('strict-transport-security')).toStartWith('max-age=')
  expect(response.headers.get('set-cookie')).toMatch(/^__Host-session=.*; Secure; /)
  const { token } = (await response.json()) as { token: string }
  for (const host of ['a', 'ab', 'chat.example.org']) {
    const me = await fetch(`${own.url}/api/auth/me?x=/y`, { headers: { host, authorization: `Bearer ${token}` }, tls })
    expect([host, me.status]).toEqual([host, 200])
  }
  const { promise, resolve } = Promise.withResolvers<string>()
  const live = new WebSocket(gatewayUrl(own, `token=${token}`), { tls } as never)
  live.onmessage = ({ data }) => resolve(JSON.parse(String(data)).t)
  live.onerror = () => resolve('error')
  expect(await promise).toBe('ready')
  live.close()
  await expect(fetch(own.url.replace('https', 'http'))).rejects.toThrow()
  await stop(own)
})

test('a body that is too large is refused with a problem and a request id, whatever its length', async () => {
  for (const length of [262_145, 2 ** 31, 2 ** 40]) {
    const { status, text } = await raw(
      parley,
      `POST /api/servers HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}`,
    )
    expect(status).toBe(413)
    expect(text).toContain('"code":"payload_too_large"')
    expect(text.toLowerCase()).toContain('\r\nx-request-id: ')
  }
})
