import { expect, test } from 'bun:test'
import { createConnection } from 'node:net'
import { z } from 'zod'
import { ProblemBody } from '../../src/core/schema.ts'
import { call, type CallOptions, judge, PASSWORD, person, newServer, standard } from '../support/harness.ts'

const parley = await standard()
const alice = await person(parley, 'alice')
const { server_id } = await newServer(alice)

const send = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
  call(parley, 'POST', '/api/servers', { token: alice.token, body, headers })
const codeOf = async (method: string, path: string, options: CallOptions = {}) =>
  (await call(parley, method, path, options)).body.code
const bytes = (...numbers: number[]) => new Uint8Array(numbers)
const named = (name: string) => `{"name":${JSON.stringify(name)}}`

test('every refusal is a problem that the documentation declares', async () => {
  const { status, headers, body } = await call(parley, 'GET', '/api/nothing')
  expect(status).toBe(404)
  expect(headers.get('content-type')).toBe('application/problem+json')
  expect(body).toEqual({
    type: 'about:blank',
    title: 'Not found',
    status: 404,
    code: 'not_found',
    detail: 'Not found',
    request_id: headers.get('x-request-id'),
  })
})

/** The answer to a request with these header lines, as text. */
async function raw(lines: string[], path = '/', version = '1.1', method = 'GET'): Promise<string> {
  const { hostname, port } = new URL(parley.url)
  const answer = Promise.withResolvers<string>()
  let text = ''
  const socket = createConnection(Number(port), hostname)
  socket.on('data', (chunk) => (text += chunk))
  socket.on('close', () => answer.resolve(text))
  socket.on('error', answer.reject)
  socket.write([`${method} ${path} HTTP/${version}`, ...lines, 'Connection: close', '', ''].join('\r\n'))
  return answer.promise
}

test('health checks by HTTP/1.0 without a Host are answered, and nothing else is', async () => {
  for (const path of ['/healthz', '/readyz', '/healthz?from=lb'])
    for (const method of ['GET', 'HEAD'])
      expect([path, method, (await raw([], path, '1.0', method)).split(' ')[1]]).toEqual([path, method, '200'])
  for (const path of ['/', '/metrics', '/healthz/x', '/api/auth/me', '/docs/json', '/ws'])
    expect([path, (await raw([], path, '1.0')).split(' ')[1]]).toEqual([path, '400'])
})

test('a Host header that names no host, or two of them, answer 400 and appear in no answer', async () => {
  const hosts = ["a;script-src'unsafe-inline'", 'a,b', 'a b', 'a@b', 'a/b', 'a%20b', '"a"', '<a>', 'ü', '', 'a:99999']
  const refused = [
    ...hosts.map((host) => [`Host: ${host}`]),
    ['Host: a', 'Host: b'],
    ['Host: a', 'host: a'],
    ['Host: localhost', "Host: ;script-src'unsafe-inline'"],
    [`Host: ${'a'.repeat(254)}`],
    ['Host: [::1'],
    [],
  ]
  for (const path of ['/', '/docs', '/docs/asyncapi.json', '/api/auth/me', '/objects/parley/x', '/ws'])
    for (const lines of refused) {
      const answer = await raw(lines, path)
      expect([path, lines, answer.split(' ')[1]]).toEqual([path, lines, '400'])
      expect(answer).not.toContain('script-src')
    }
  const origins = [
    'localhost',
    'chat.example.org:8443',
    '[::1]:3000',
    '127.0.0.1',
    'chat_1.internal',
    'xn--bcher-kva.example',
  ]
  for (const host of origins) {
    const answer = await raw([`Host: ${host}`])
    expect([host, answer.split(' ')[1]]).toEqual([host, '200'])
    expect(answer).toContain(`ws://${host}`)
  }
})

test('an unknown path answers 404, an unknown method 405 with the allowed methods', async () => {
  for (const path of [
    '/api',
    '/api/servers/1/nothing',
    '//evil.example',
    '/.env',
    '/api/channels/',
    '/docs/../main.ts',
  ])
    expect([path, await codeOf('GET', path)]).toEqual([path, 'not_found'])
  const allow = async (method: string, path: string) => {
    const { status, headers, body } = await call(parley, method, path, { token: alice.token })
    expect([status, body.code]).toEqual([405, 'method_not_allowed'])
    return headers.get('allow')?.split(', ').sort().join(' ')
  }
  expect(await allow('GET', '/api/auth/login')).toBe('POST')
  expect(await allow('PATCH', '/api/servers')).toBe('GET HEAD POST')
  expect(await allow('PATCH', `/api/servers/${server_id}`)).toBe('DELETE GET HEAD PUT')
  expect(await allow('POST', '/healthz')).toBe('GET HEAD')
  expect(await allow('OPTIONS', '/api/auth/me')).toBe('DELETE GET HEAD')
})

test('a body that is not JSON is malformed', async () => {
  const bodies = [
    '{',
    '{"name":"a"',
    '"name":"a"}',
    "{'name':'a'}",
    '{"name":"a",}',
    '{name:"a"}',
    '{"name":"a"}}',
    'NaN',
  ]
  for (const body of [...bodies, '{"name":01}', '{"name":"\t"}', '{"name":"\\x41"}', '\u0000', ' ', '{"name":"a"}\0'])
    expect([body, (await send(body)).status, (await send(body)).body.code]).toEqual([body, 400, 'malformed_json'])
})

test('a body that is not UTF-8 is malformed', async () => {
  const around = (...inner: number[]) => bytes(...Buffer.from('{"name":"a'), ...inner, ...Buffer.from('"}'))
  for (const inner of [[0xff], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80]])
    expect((await send(around(...inner))).body.code).toBe('malformed_json')
  expect((await send(Buffer.from(named('a'), 'utf16le'))).body.code).toBe('malformed_json')
  expect((await send(around(0xc3, 0xa9))).body.name).toBe('aé')
})

test('a body that repeats a key is malformed, in any spelling and with any whitespace before the colon', async () => {
  const twice = [
    '{"name":"a","name":"b"}',
    '{"name":"a","n\\u0061me":"b"}',
    `{"name"${' \n'.repeat(99)}:"a","name":"b"}`,
    String.raw`{"a\"":1,"a\"":2}`,
    String.raw`{"a\\":"\\","a\\":2}`,
  ]
  for (const body of [...twice, '{"x":[{"a":1,"b":{"a":1},"a":2}]}'])
    expect([body, (await send(body)).body.code]).toEqual([body, 'malformed_json'])
  expect((await send('{"name":"\\"name\\":","description":"\\"name\\" : {}"}')).status).toBe(201)
  expect((await send(String.raw`{"name":"a\\","description":"\\\"name\":\\"}`)).body).toMatchObject({ name: 'a\\' })
})

test('deep nesting is refused without using up the stack', async () => {
  const nest = (depth: number) => '[{"a":'.repeat(depth / 2) + '1' + '}]'.repeat(depth / 2)
  expect((await send(nest(16))).body.code).toBe('validation_failed')
  expect((await send(nest(18))).body.code).toBe('malformed_json')
  for (const deep of ['['.repeat(200_000), '{"a":'.repeat(50_000), nest(60_000)])
    expect((await send(deep)).body.code).toBe('malformed_json')
})

test('a body of another type is refused before it is read', async () => {
  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
  ]
  for (const type of [...types, 'text/json', 'application/json+x', 'text/plain, application/json'])
    expect([type, (await send(named('a'), { 'content-type': type })).status]).toEqual([type, 415])
  for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset=UTF-8'])
    expect((await send(named('a'), { 'content-type': type })).status).toBe(201)
})

test('a body of more than 256 KiB is too large, with or without a content-length', async () => {
  const fits = named('a').padEnd(256 * 1024)
  expect((await send(fits)).status).toBe(201)
  expect(await send(`${fits} `)).toMatchObject({ status: 413, body: { code: 'payload_too_large' } })
  const chunked = (body: string) =>
    fetch(`${parley.url}/api/servers`, {
      method: 'POST',
      headers: { authorization: `Bearer ${alice.token}`, 'content-type': 'application/json' },
      body: new ReadableStream({
        async start(controller) {
          for (let at = 0; at < body.length; at += 50_000) controller.enqueue(Buffer.from(body.slice(at, at + 50_000)))
          controller.close()
        },
      }),
    }).then((response) => judge(parley, 'POST', '/api/servers', response))
  expect((await chunked(fits)).status).toBe(201)
  expect((await chunked(`${fits} `)).status).toBe(413)
  expect((await chunked('{"name":"a"')).body.code).toBe('malformed_json')
})

test('a body below /api/auth of more than 16 KiB is too large, with or without a content-length', async () => {
  const login = (body: RequestInit['body']) =>
    fetch(`${parley.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    }).then((response) => judge(parley, 'POST', '/api/auth/login', response))
  const chunks = (text: string) => new Blob([text]).stream()
  const fits = JSON.stringify({ username: 'nobody', password: 'x' }).padEnd(16 * 1024)
  for (const as of [(text: string) => text, chunks]) {
    expect((await login(as(fits))).status).toBe(401)
    expect(await login(as(`${fits} `))).toMatchObject({ status: 413, body: { code: 'payload_too_large' } })
  }
})

test('every broken rule is listed with its path', async () => {
  const body = { name: 7, description: 'x'.repeat(1025), rank: 1, __proto__x: {} }
  const refused = await alice.post('/api/servers', body)
  expect(refused).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
  const paths = refused.body.errors.map((error: { path: string }) => error.path).sort()
  expect(paths).toEqual(['body.__proto__x', 'body.description', 'body.name', 'body.rank'])
  const empty = await call(parley, 'POST', '/api/servers', { token: alice.token })
  expect(empty.body.errors).toEqual([{ path: 'body.name', message: expect.any(String) }])
  const query = await alice.get('/api/servers?limit=0&offset=x')
  expect(query.body.errors.map((error: { path: string }) => error.path).sort()).toEqual(['query.limit', 'query.offset'])
  const path = await alice.get('/api/channels/x')
  expect(path.body.errors[0].path).toStartWith('params.')
  const both = await alice.put('/api/servers/1e1', { name: 7, rank: 1 })
  const roots = both.body.errors.map((error: { path: string }) => error.path)
  expect(roots).toEqual(['params.server_id', 'body.name', 'body.rank'])
})

test('a body that is no object and values of a wrong type answer validation_failed', async () => {
  for (const body of ['null', '[]', '"name"', '7', 'true', '[{"name":"a"}]', '{"name":null}', '{"name":["a"]}'])
    expect([body, (await send(body)).body.code]).toEqual([body, 'validation_failed'])
  for (const body of ['{"__proto__":{"name":"a"}}', '{"name":"a","__proto__":{}}', '{"name":"a","constructor":1}'])
    expect([body, (await send(body)).body.code]).toEqual([body, 'validation_failed'])
})

test('text with NUL or lone surrogates is refused, and all other text comes back unchanged', async () => {
  for (const name of ['a\0b', '\ud800', 'a\udc00b', '\0'])
    expect((await send(named(name))).body.code).toBe('validation_failed')
  for (const name of ['<script>alert(1)</script>', "'; drop table users; --", '${7*7}{{7*7}}', 'ﷺ 👩‍👩‍👧', '%00%n\\'])
    expect((await send(named(name))).body.name).toBe(name)
})

test('an id is decimal digits below 2^53, in paths, queries and bodies', async () => {
  const odd = [
    '1e1',
    '+1',
    '0x1',
    '1.0',
    '-1',
    '9007199254740992',
    '9223372036854775808',
    '٣',
    '1%20',
    '%00',
    '1;1',
    'NaN',
  ]
  for (const id of odd) {
    expect([id, await codeOf('GET', `/api/servers/${id}`, alice)]).toEqual([id, 'validation_failed'])
    const query = id.startsWith('+') ? '%2B1' : id
    expect([id, await codeOf('GET', `/api/servers?before=${query}`, alice)]).toEqual([id, 'validation_failed'])
  }
  for (const id of ['0', '9007199254740991', '0000000000000000'])
    expect([id, await codeOf('GET', `/api/servers/${id}`, alice)]).toEqual([id, 'not_found'])
  for (const id of ['"1"', '1.5', '-1', '0', '9007199254740992', '1e400', 'null', 'true', '[1]'])
    expect([id, (await alice.post('/api/invites', `{"server_id":${id}}`)).body.code]).toEqual([id, 'validation_failed'])
})

test('checks come in one order: readable, authenticated, valid, existing, permitted', async () => {
  const [bob, mallory] = [await person(parley, 'bob'), await person(parley, 'mallory')]
  const shared = await newServer(alice, bob)
  const put = (token: string | undefined, path: string, body: string) => codeOf('PUT', path, { token, body })
  const path = `/api/servers/${shared.server_id}`
  expect(await put(undefined, path, '{')).toBe('malformed_json')
  expect(await put(undefined, path, '{"name":7}')).toBe('unauthorized')
  expect(await put(mallory.token, path, '{"name":7}')).toBe('validation_failed')
  expect(await put(mallory.token, '/api/servers/x', named('a'))).toBe('validation_failed')
  expect(await put(mallory.token, path, named('a'))).toBe('not_found')
  expect(await put(bob.token, path, '{"name":7}')).toBe('validation_failed')
  expect(await put(bob.token, path, named('a'))).toBe('missing_permission')
  expect(await put(alice.token, path, named('a'))).toBeUndefined()
})

test('a well-formed request id is kept, any other replaced, and errors repeat it', async () => {
  const ask = async (id: string) => {
    const { headers, body } = await call(parley, 'GET', '/api/auth/me', { headers: { 'x-request-id': id } })
    expect(body.request_id).toBe(headers.get('x-request-id'))
    return headers.get('x-request-id')
  }
  for (const id of ['abc', 'a'.repeat(64), '0.1_2-3']) expect(await ask(id)).toBe(id)
  for (const id of ['', 'a'.repeat(65), 'a b', '<b>', 'é', 'a"b', '{}', '../x'])
    expect(z.uuid().safeParse(await ask(id)).success).toBeTrue()
})

test('an internal error shows no details', async () => {
  const answers = await Promise.all([
    alice.get('/api/servers/9007199254740991'),
    alice.get('/api/servers?limit=99999999999'),
    send('{"name":'),
    call(parley, 'POST', '/api/auth/login', { body: { username: "' or 1=1 --", password: PASSWORD } }),
    call(parley, 'POST', '/api/auth/register', {
      body: { username: alice.username, email: alice.email, password: PASSWORD },
    }),
  ])
  for (const { body } of answers) {
    expect(ProblemBody.safeParse(body).success).toBeTrue()
    expect(JSON.stringify(body)).not.toMatch(/select|insert|postgres|constraint|node_modules|\.ts|zod|at async|Error:/i)
  }
})

test('a route without a body refuses a request with a body', async () => {
  const alice = await person(parley, 'alice')
  expect((await alice.post('/api/auth/refresh', { all: true })).body.errors).toEqual([
    { path: 'body.all', message: 'Unknown field' },
  ])
  expect((await alice.post('/api/auth/refresh', {})).status).toBe(200)
})
