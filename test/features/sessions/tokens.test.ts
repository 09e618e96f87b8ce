import { createHmac } from 'node:crypto'
import { expect, test } from 'bun:test'
import { call, person, standard } from '../../support/harness.ts'
import { gatewayUrl } from '../../support/socket.ts'

const parley = await standard()
const alice = await person(parley, 'alice')
const secret = parley.parts.secrets.jwt

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString())
/** A forged token, signed with the real secret by default. */
function forge(claims: object, header: object = { alg: 'HS256', typ: 'JWT' }, key = secret, hash = 'sha256'): string {
  const signed = `${encode(header)}.${encode(claims)}`
  return `${signed}.${createHmac(hash, key).update(signed).digest('base64url')}`
}
const [header = '', payload = '', signature = ''] = alice.token.split('.')
const genuine = decode(payload)

const attempt = (authorization: string) =>
  call(parley, 'GET', '/api/auth/me', { headers: { authorization } }).then(({ status, body }) => [status, body.code])
const bearer = (token: string) => attempt(`Bearer ${token}`)

test('a token is HS256, names account, session and expiry, and is valid for 30 days', async () => {
  expect(decode(header)).toEqual({ alg: 'HS256', typ: 'JWT' })
  expect(Object.keys(genuine).sort()).toEqual(['exp', 'iat', 'iss', 'sid', 'sub', 'ver'])
  expect(genuine).toMatchObject({ iss: 'parley', sub: String(alice.id), ver: 1 })
  expect(genuine.exp - genuine.iat).toBeWithin(30 * 86_400 - 5, 30 * 86_400 + 5)
  expect(await bearer(forge(genuine))).toEqual([200, undefined])
})

test('a token that is not signed with HS256 and the server’s key is refused, whatever it claims', async () => {
  const none = `${encode({ alg: 'none', typ: 'JWT' })}.${payload}`
  const forged = [
    `${none}.`,
    `${none}.${signature}`,
    none,
    forge(genuine, { alg: 'none' }),
    forge(genuine, { alg: 'HS512' }),
    forge(genuine, { alg: 'HS512' }, secret, 'sha512'),
    forge(genuine, { alg: 'HS256' }, secret, 'sha512'),
    forge(genuine, { alg: 'RS256' }),
    forge(genuine, { alg: 'hs256' }),
    forge(genuine, { typ: 'JWT' }),
    forge(genuine, { alg: ['HS256'] }),
    forge(genuine, { alg: 'HS256' }, ''),
    forge(genuine, { alg: 'HS256' }, 'parley'),
    forge(genuine, { alg: 'HS256', jwk: { kty: 'oct', k: 'AA' }, kid: '../../dev/null' }, ''),
    `${header}.${encode({ ...genuine, sub: '999999' })}.${signature}`,
    `${header}.${payload}.`,
    `${header}.${payload}`,
    `${header}.${payload}.${signature}.`,
    `${header}.${payload}.${signature}.x`,
    `.${payload}.${signature}`,
    '..',
    'undefined',
    'a'.repeat(8000),
  ]
  for (const token of forged) expect([token, ...(await bearer(token))]).toEqual([token, 401, 'unauthorized'])
})

test('a token with an unknown critical extension is refused', async () => {
  for (const extra of [{ crit: ['exp'] }, { crit: ['b64'], b64: false }, { crit: [] }])
    expect(await bearer(forge(genuine, { alg: 'HS256', ...extra }))).toEqual([401, 'unauthorized'])
})

test('a token whose signature is spelled differently but decodes alike is refused', async () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const last = alphabet.indexOf(signature.at(-1) ?? '')
  const twin = signature.slice(0, -1) + alphabet[last ^ 1]
  expect(Buffer.from(twin, 'base64url')).toEqual(Buffer.from(signature, 'base64url'))
  for (const other of [twin, `${signature}=`, `${signature}!`, `${signature.slice(0, 9)}*${signature.slice(9)}`])
    expect(await bearer(`${header}.${payload}.${other}`)).toEqual([401, 'unauthorized'])
})

test('a token without exp, with a fractional one, or of another issuer is refused', async () => {
  const { exp: _, ...endless } = genuine
  const bad = [endless, { ...genuine, exp: '9999999999' }, { ...genuine, exp: null }, { ...genuine, exp: Infinity }]
  const odd = [
    ...bad,
    { ...genuine, iss: 'elsewhere' },
    { ...genuine, iss: undefined },
    { ...genuine, sub: alice.id },
    { ...genuine, sub: '1e3' },
    { ...genuine, sub: '-1' },
    { ...genuine, sid: String(genuine.sid) },
    { ...genuine, sid: 2 ** 63 },
    { ...genuine, sid: 1.5 },
    { ...genuine, ver: undefined },
    [],
    null,
  ]
  for (const claims of odd) expect(await bearer(forge(claims as object))).toEqual([401, 'unauthorized'])
})

test('an expired token answers token_expired', async () => {
  const past = Math.floor(Date.now() / 1000)
  expect(await bearer(forge({ ...genuine, exp: past - 1 }))).toEqual([401, 'token_expired'])
  expect(await bearer(forge({ ...genuine, exp: -1 }))).toEqual([401, 'token_expired'])
})

test("a token of an unknown session, another account's session or a future version answers token_revoked", async () => {
  const bob = await person(parley, 'bob')
  for (const claims of [
    { ...genuine, sid: Number.MAX_SAFE_INTEGER },
    { ...genuine, sid: 0 },
    { ...genuine, sub: String(bob.id) },
    { ...genuine, ver: 2 },
  ])
    expect(await bearer(forge(claims))).toEqual([401, 'token_revoked'])
  expect(await bearer(alice.token)).toEqual([200, undefined])
})

test('only a bearer token in the header counts, in any case of the scheme', async () => {
  expect(await attempt(`bearer ${alice.token}`)).toEqual([200, undefined])
  expect(await attempt(`BEARER  ${alice.token}`)).toEqual([200, undefined])
  const basic = Buffer.from(`${alice.username}:x`).toString('base64')
  for (const other of [
    alice.token,
    `Basic ${basic}`,
    'Bearer',
    'Bearer ',
    `Bearer ${alice.token} x`,
    `Token ${alice.token}`,
  ])
    expect(await attempt(other)).toEqual([401, 'unauthorized'])
  const { headers } = await call(parley, 'GET', '/api/auth/me')
  expect(headers.get('www-authenticate')).toBe('Bearer')
})

test('a token in any URL but that of the gateway is ignored', async () => {
  for (const path of ['/api/auth/me', '/api/servers', '/api/auth/sessions'])
    for (const name of ['token', 'access_token', 'ticket', 'authorization'])
      expect((await call(parley, 'GET', `${path}?${name}=${alice.token}`)).status).toBe(401)
  const wrong = await call(parley, 'GET', `/api/auth/me?token=${alice.token}`, { token: 'x.y.z' })
  expect(wrong.status).toBe(401)
})

test('the gateway refuses a bad token before anything is upgraded', async () => {
  const knock = async (query: string) => {
    const response = await fetch(gatewayUrl(parley, query).replace('ws', 'http'), {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      },
    })
    return [response.status, ((await response.json()) as { code: string }).code]
  }
  expect(await knock('')).toEqual([401, 'unauthorized'])
  expect(await knock('token=')).toEqual([401, 'unauthorized'])
  expect(await knock(`token=${forge(genuine, { alg: 'none' })}`)).toEqual([401, 'unauthorized'])
  expect(await knock(`token=${forge({ ...genuine, exp: 1 })}`)).toEqual([401, 'token_expired'])
  expect(await knock(`token=${forge({ ...genuine, sid: 0 })}`)).toEqual([401, 'token_revoked'])
  expect(await knock('ticket=guess')).toEqual([401, 'unauthorized'])
})
