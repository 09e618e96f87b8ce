import { beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'
import { events } from '../../src/api/asyncapi.ts'
import { errorCodes } from '../../src/core/errors.ts'
import {
  close,
  commands,
  COMMANDS_PER_MINUTE_MAX,
  FRAME_BYTES_MAX,
  REPLAY_EVENTS_MAX,
  SOCKETS_PER_BOT_MAX,
  SOCKETS_PER_USER_MAX,
} from '../../src/gateway/model.ts'
import { SEAT_SECONDS, VOICE_COMMANDS_PER_MINUTE_MAX, VOICE_FRAME_BYTES_MAX } from '../../src/voice/model.ts'
import { NoBody } from '../../src/core/schema.ts'
import { boot, call, standard, stop } from '../support/harness.ts'

const parley = await standard()
const declared = parley.routes.filter((route) => !route.hooks.detail?.hide)
const OPEN = [
  'POST /api/auth/register',
  'POST /api/auth/login',
  'POST /api/auth/register/guest',
  // Steps of registering and logging in that cannot have a token. Add nothing else.
  'POST /api/auth/password/forgot',
  'POST /api/auth/password/reset',
  'POST /api/auth/email/verify',
  'GET /api/invites/:invite',
  'POST /api/auth/login/second/options',
  'POST /api/auth/login/second',
  'POST /api/auth/login/passkey/options',
  'POST /api/auth/login/passkey',
  'GET /api/auth/oidc/start',
  'GET /api/auth/oidc/callback',
  'GET /.well-known/parley',
  'GET /healthz',
  'GET /readyz',
  'GET /metrics',
]
/** Routes without a token that answer 401 to a wrong password, code or answer. */
const REFUSING = [
  '/api/auth/login',
  '/api/auth/login/second/options',
  '/api/auth/login/second',
  '/api/auth/login/passkey',
  '/api/auth/oidc/callback',
]
/** Senders of other programs post here by a secret URL. */
const isHook = ({ path }: { path: string }) => path.startsWith('/hooks/')
const isOpen = (route: { method: string; path: string }) =>
  isHook(route) || OPEN.includes(`${route.method} ${route.path}`)

let api: any
let gateway: any
beforeAll(async () => {
  api = (await call(parley, 'GET', '/docs/json')).body
  gateway = (await call(parley, 'GET', '/docs/asyncapi.json')).body
})

const operation = ({ method, path }: { method: string; path: string }) =>
  api.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]

/** The value at a JSON pointer of the document. */
const resolve = (document: any, pointer: string): unknown =>
  pointer
    .slice(2)
    .split('/')
    .reduce((at, name) => at?.[name.replaceAll('~1', '/').replaceAll('~0', '~')], document)

/** The schema of a frame of the gateway. */
const payloadOf = (name: string) => resolve(gateway, gateway.channels.gateway.messages[name].payload.$ref) as any

/** Every value under that key, at any depth. */
function* all(key: string, value: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    if (name === key) yield inner
    yield* all(key, inner)
  }
}

test('the documentation is OpenAPI 3.1 of the interface 0.14.0', () => {
  expect(api.openapi).toStartWith('3.1')
  expect(api.info).toMatchObject({ title: 'Parley', version: '0.14.0' })
  expect(gateway).toMatchObject({ asyncapi: '3.0.0', info: { version: '0.14.0' } })
})

test('the gateway’s document names its address, its query parameters and its close codes', () => {
  const { servers, channels, info } = gateway
  expect(`${servers.parley.protocol}://${servers.parley.host}${channels.gateway.address}`).toBe(
    `${parley.url.replace('http', 'ws')}/ws`,
  )
  expect(Object.keys(channels.gateway.bindings.ws.query.properties)).toEqual([
    'token',
    'ticket',
    's',
    'intents',
    'compress',
    'servers',
    'v',
  ])
  const required = (name: string) => payloadOf(name).required
  expect([required('message.created'), required('channel.deleted')]).toEqual([
    ['t', 'd', 's'],
    ['t', 'd'],
  ])
  for (const { code, reason } of Object.values(close)) expect(info.description).toContain(`- ${code}: ${reason}`)
})

test('the description of the gateway, from docs/gateway.md, states the limits that the code has', () => {
  const { description } = gateway.info
  expect(description).toStartWith('One WebSocket per client')
  const phrases = [
    `more than ${REPLAY_EVENTS_MAX} events`,
    `at most ${FRAME_BYTES_MAX} bytes, of ${VOICE_FRAME_BYTES_MAX} for`,
    `${COMMANDS_PER_MINUTE_MAX} commands a minute and ${VOICE_COMMANDS_PER_MINUTE_MAX} of voice`,
    `${SOCKETS_PER_USER_MAX} sockets per account, ${SOCKETS_PER_BOT_MAX} per bot`,
    `reserved for ${SEAT_SECONDS} s`,
  ]
  for (const sentence of phrases) expect(description).toContain(sentence)
})

test('docs/gateway.md and docs/voice.md name every event, command and close code', () => {
  const guide = (name: string) => readFileSync(join(import.meta.dir, '../../docs', name), 'utf8')
  const named = new Set(
    [...`${guide('gateway.md')} ${guide('voice.md')}`.matchAll(/`([a-z_.]+)`/g)].map(([, it]) => it),
  )
  expect([...Object.keys(events), ...Object.keys(commands)].filter((name) => !named.has(name))).toEqual([])
  for (const { code } of Object.values(close)) expect(guide('gateway.md')).toContain(`| ${code} |`)
})

test('every declared route is documented, and nothing else', () => {
  const documented = Object.entries<object>(api.paths).flatMap(([path, of]) =>
    Object.keys(of).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  )
  expect(documented.sort()).toEqual(declared.map(({ method, path }) => `${method} ${path}`).sort())
})

test('a value that may be null is among those that its enum lists', () => {
  function* schemas(value: any): Generator<any> {
    if (typeof value !== 'object' || value === null) return
    if (Array.isArray(value.enum) && Array.isArray(value.type)) yield value
    for (const inner of Object.values(value)) yield* schemas(inner)
  }
  const nullable = [api, gateway].flatMap((each) => [...schemas(each)]).filter(({ type }) => type.includes('null'))
  expect(nullable.length).toBeGreaterThan(0)
  for (const { enum: values } of nullable) expect(values).toContain(null)
})

test('every route has a summary, a tag, a unique id and its path parameters', () => {
  for (const route of declared) {
    const { summary, tags, operationId, parameters = [] } = operation(route)
    expect([route.path, typeof summary, tags?.length, typeof operationId]).toEqual([route.path, 'string', 1, 'string'])
    const inPath = parameters
      .filter((parameter: any) => parameter.in === 'path')
      .map((parameter: any) => parameter.name)
    expect(inPath).toEqual([...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name))
  }
  const ids = declared.map((route) => operation(route).operationId)
  expect(new Set(ids).size).toBe(ids.length)
})

test('every route shows its body as JSON and nothing else, and its query', () => {
  for (const route of declared) {
    const { requestBody, parameters = [] } = operation(route)
    if (isHook(route)) continue
    expect([route.path, route.method, requestBody !== undefined]).toEqual([
      route.path,
      route.method,
      route.hooks.body !== undefined && route.hooks.body !== NoBody,
    ])
    if (requestBody) {
      expect(Object.keys(requestBody.content)).toEqual(['application/json'])
      const { schema } = requestBody.content['application/json']
      const shape = schema.type === 'array' ? schema.items : schema
      const named = shape.$ref ? (resolve(api, shape.$ref) as typeof shape) : shape
      for (const { properties } of named.properties ? [named] : named.oneOf)
        expect([route.path, Object.keys(properties ?? {}).length > 0]).toEqual([route.path, true])
    }
    const query = parameters.filter((parameter: any) => parameter.in === 'query')
    expect(query.length > 0).toBe(route.hooks.query !== undefined)
    // A parameter is required when an empty query fails because of it.
    const missing = (route.hooks.query as z.ZodType | undefined)?.safeParse({}).error?.issues.map(({ path }) => path[0])
    for (const { name, required } of query)
      expect([name, required ?? false]).toEqual([name, missing?.includes(name) ?? false])
    for (const { name, schema } of parameters.filter(({ name }: any) => /^limit$|^offset$|_id$/.test(name)))
      expect([name, schema.type, typeof schema.minimum]).toEqual([name, 'integer', 'number'])
    const limit = query.find((parameter: any) => parameter.name === 'limit')
    if (limit) expect(limit).toMatchObject({ schema: { minimum: 1, maximum: 100 }, description: '50 unless given' })
    const { example = {} } = requestBody?.content['application/json'] ?? {}
    const empty = Object.keys(example).filter((name) => example[name] === null)
    expect(empty.filter((name) => name !== 'color')).toEqual([])
  }
})

test('requests to webhooks are documented with examples, and refused as senders expect', () => {
  for (const route of declared.filter(isHook)) {
    const { requestBody, responses } = operation(route)
    expect([route.path, requestBody === undefined]).toEqual([route.path, /^(?:GET|DELETE)$/.test(route.method)])
    for (const { example } of Object.values<any>(requestBody?.content ?? {}))
      expect(Object.keys(example).length).toBeGreaterThan(0)
    expect(Object.keys(responses)).toContain('404')
    expect(Object.keys(responses)).toContain('429')
  }
})

test('every status of every route is documented with its schema, and refusals are problems with their codes', () => {
  for (const route of declared) {
    const { responses } = operation(route)
    expect(Object.keys(responses).sort()).toEqual(Object.keys(route.hooks.response).sort())
    for (const [status, { description, content }] of Object.entries<any>(responses)) {
      expect(description).toBeString()
      if (status === '204') expect(content).toBeUndefined()
      else expect(Object.values<any>(content)[0].schema).toBeObject()
      if (Number(status) < 400 || isHook(route) || (route.path === '/readyz' && status === '503')) continue
      expect(Object.keys(content)).toEqual(['application/problem+json'])
      for (const [code] of description.matchAll(/(?<=`)\w+(?=`)/g))
        expect(String(errorCodes[code as keyof typeof errorCodes].status)).toBe(status)
    }
  }
})

test('every route needs a token, except register, the steps of login, previews of invites and operations pages', () => {
  expect(api.security).toEqual([{ bearer: [] }, { cookie: [] }])
  expect(api.components.securitySchemes.bearer).toEqual({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' })
  for (const route of declared) {
    const open = isOpen(route)
    expect([route.path, operation(route).security]).toEqual([route.path, open ? [] : undefined])
    const isRefused = !open || REFUSING.includes(route.path)
    expect([route.path, '401' in operation(route).responses]).toEqual([route.path, isRefused])
  }
})

test('routes documented to need a token refuse requests without one, and the others do not', async () => {
  for (const { method, path } of declared) {
    const at = path.replace(/:\w+/g, '1')
    const { status } = await (isHook({ path }) ? fetch(parley.url + at, { method }) : call(parley, method, at))
    expect([method, path, status === 401]).toEqual([method, path, !isOpen({ method, path })])
  }
})

test('resources are components, references resolve, and the error table is printed', () => {
  for (const name of ['Problem', 'User', 'PublicUser', 'Session', 'Server', 'Member', 'Channel', 'Message', 'Invite'])
    expect([name, api.components.schemas[name]?.type]).toEqual([name, 'object'])
  for (const pointer of all('$ref', api)) expect([pointer, resolve(api, String(pointer))]).not.toContain(undefined)
  for (const [code, { status }] of Object.entries(errorCodes))
    expect(api.info.description).toInclude(`| \`${code}\` | ${status} |`)
  const words = JSON.stringify(api)
  expect([...all('password', api.components.schemas)]).toEqual([])
  expect(words).not.toInclude('password_hash')
})

test('schemas carry examples', () => {
  const { properties } = operation({ method: 'POST', path: '/api/auth/register' }).requestBody.content[
    'application/json'
  ].schema
  for (const name of ['username', 'email', 'password']) expect(properties[name].example).toBeString()
  expect([...all('example', api.components.schemas)].length).toBeGreaterThan(20)
})

test('the example body of register is accepted', async () => {
  const own = await boot()
  const { properties } = operation({ method: 'POST', path: '/api/auth/register' }).requestBody.content[
    'application/json'
  ].schema
  const names = ['username', 'email', 'password']
  const body = Object.fromEntries(names.map((name) => [name, properties[name].example]))
  expect((await call(own, 'POST', '/api/auth/register', { body })).status).toBe(201)
  await stop(own)
})

test('the docs page and everything that it loads come from this server', async () => {
  const page = await call(parley, 'GET', '/docs')
  expect(page.headers.get('content-type')).toStartWith('text/html')
  expect(page.headers.get('content-security-policy')).toInclude("default-src 'none'")
  expect(page.headers.get('content-security-policy')).toInclude("frame-ancestors 'none'")
  expect(page.headers.get('x-frame-options')).toBe('DENY')
  const loaded = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address)
  expect(loaded.length).toBeGreaterThan(3)
  for (const address of loaded) {
    expect(address).toMatch(/^\/docs\/[\w.-]+$/)
    const asset = await fetch(parley.url + address)
    expect([address, asset.status, (await asset.arrayBuffer()).byteLength > 100]).toEqual([address, 200, true])
  }
  const initializer = await call(parley, 'GET', '/docs/initializer.js')
  expect(page.body + initializer.body).not.toMatch(/(https?:)?\/\/\w/)
  expect(initializer.body).toInclude("url: '/docs/json'")
  for (const file of ['package.json', '..%2f..%2fpackage.json', '%2e%2e%2fsrc%2fmain.ts', 'index.html'])
    expect((await call(parley, 'GET', `/docs/${file}`)).status).toBe(404)
})

test('the gateway’s document lists every event and command, with schemas', () => {
  const { messages } = gateway.channels.gateway
  const names = [...Object.keys(events), ...Object.keys(commands).map((op) => `command.${op}`), 'answer']
  expect(Object.keys(messages).sort()).toEqual(names.sort())
  for (const name of Object.keys(events)) expect(payloadOf(name).properties).toMatchObject({ t: { const: name } })
  for (const op of Object.keys(commands)) {
    expect(payloadOf(`command.${op}`).properties.op.const).toBe(op)
    expect(messages[`command.${op}`]['x-answer']).toBeObject()
  }
  expect(gateway.operations.receive.messages).toHaveLength(Object.keys(events).length + 1)
  expect(gateway.operations.command.messages).toHaveLength(Object.keys(commands).length)
})

test('the gateway’s document resolves its own references', () => {
  const pointers = [...all('$ref', gateway)].map(String)
  expect(pointers.length).toBeGreaterThan(20)
  for (const pointer of pointers) expect([pointer, resolve(gateway, pointer)]).not.toContain(undefined)
})
