import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { dataDirectory, emptyDatabase, SPAWN_MS, type Spawned, spawnParley } from '../support/spawned.ts'

/** Processor time of the main thread per request, from the second request on. */
const COST_MS_MAX = 5
const REPEATS = 20
/** A document is cached for at most this many origins. */
const ORIGINS_MAX = 8

/** One server limits, and each of its clients has its own address; the other server is measured. */
let limiting: Spawned
let measured: Spawned
let files: string[]

beforeAll(async () => {
  const variables = async (name: string) => ({
    DATABASE_URL: await emptyDatabase(name),
    CORS_ORIGINS: 'https://a.example',
  })
  limiting = await spawnParley(dataDirectory(), {
    ...(await variables('limiting')),
    RATE_LIMITS: 'on',
    TRUSTED_PROXIES: '127.0.0.1',
  })
  measured = await spawnParley(dataDirectory(), await variables('measured'))
  files = await clientFiles(measured.parley.url)
}, SPAWN_MS)
afterAll(async () => {
  for (const { child } of [limiting, measured]) {
    child.kill('SIGTERM')
    await child.exited
  }
})

/** The paths of all files that pages, scripts and style sheets name, beginning at the pages. */
async function clientFiles(url: string): Promise<string[]> {
  const found = new Set(['/', '/app', '/design', '/worker.js', '/manifest.webmanifest', '/docs/'])
  for (const path of found) {
    const text = await (await fetch(url + path)).text()
    for (const [, name = ''] of text.matchAll(/["'(](\/(?:assets|docs)\/[\w.-]+\.\w+)/g)) found.add(name)
    for (const [, name = ''] of text.matchAll(/["']\.\/([\w-]+\.js)["']/g)) found.add(`/assets/${name}`)
  }
  return [...found]
}

interface Asked {
  method: string
  path: string
  headers?: Record<string, string>
  body?: string
}

/** Every request that needs no token: all routes, all files, and refusals before or without a route. */
function everyRequest(): Asked[] {
  const routes = measured.parley.routes.map(({ method, path }) => ({
    method,
    path: path.replace(/:\w+/g, '1').replace('*', 'x'),
    ...(method === 'GET' ? {} : { headers: { 'content-type': 'application/json' }, body: '{}' }),
  }))
  const preflight = { 'access-control-request-method': 'GET', origin: 'https://a.example' }
  return [
    ...routes,
    ...files.map((path) => ({ method: 'GET', path })),
    { method: 'HEAD', path: '/docs/json' },
    { method: 'GET', path: '/no-such-page' },
    { method: 'GET', path: '/api/no-such-route' },
    { method: 'GET', path: '/assets/no-such-file.js' },
    { method: 'GET', path: '/docs/no-such-file.js' },
    { method: 'POST', path: '/docs/json' },
    { method: 'DELETE', path: '/' },
    { method: 'POST', path: '/api/auth/login', headers: { 'content-type': 'application/json' }, body: '{' },
    { method: 'POST', path: '/api/auth/login', headers: { 'content-type': 'text/plain' }, body: 'x' },
    {
      method: 'POST',
      path: '/api/auth/login',
      headers: { 'content-type': 'application/json' },
      body: ' '.repeat(20_000),
    },
    { method: 'GET', path: '/ws' },
    { method: 'GET', path: '/objects/parley/files/1' },
    { method: 'OPTIONS', path: '/objects/parley/files/1', headers: preflight },
    { method: 'OPTIONS', path: '/api/auth/me', headers: preflight },
    { method: 'OPTIONS', path: '/api/auth/me' },
    { method: 'GET', path: '/', headers: { host: "a;script-src'none'" } },
    { method: 'GET', path: '/api/auth/me', headers: { authorization: 'Bearer no-token' } },
  ]
}

const ask = ({ parley }: Spawned, { path, ...init }: Asked, headers: Record<string, string> = {}) =>
  fetch(parley.url + path, { ...init, redirect: 'manual', headers: { ...init.headers, ...headers } })

test(
  'every request without a token counts against a limit of its address',
  async () => {
    expect(files.length).toBeGreaterThan(50)
    const without: string[] = []
    for (const [at, request] of everyRequest().entries()) {
      // Each request has its own address.
      const from = { 'x-forwarded-for': `10.${at >> 8}.${at & 255}.7` }
      const answer = await ask(limiting, request, from)
      await answer.arrayBuffer()
      if (!answer.headers.has('ratelimit')) without.push(`${request.method} ${request.path} ${answer.status}`)
    }
    expect(without).toEqual([])
  },
  SPAWN_MS,
)

test(
  'an address that sends too many requests is refused, and its neighbour is not',
  async () => {
    const often = ['/docs/json', '/docs/asyncapi.json', '/design', '/', '/healthz', '/readyz', '/metrics', '/nowhere']
    for (const [at, path] of [...often, '/worker.js', '/manifest.webmanifest', '/objects/parley/x'].entries()) {
      const from = (last: number) =>
        ask(limiting, { method: 'HEAD', path }, { 'x-forwarded-for': `10.99.${at}.${last}` }).then(
          ({ status }) => status,
        )
      let statuses: number[] = []
      for (let round = 0; round < 50 && !statuses.includes(429); round++)
        statuses = await Promise.all(Array.from({ length: 200 }, () => from(1)))
      expect([path, statuses.includes(429)]).toEqual([path, true])
      expect([path, await from(2)]).not.toEqual([path, 429])
    }
  },
  SPAWN_MS,
)

/** The processor time that the main thread has used, in ms. */
function usedMs({ child }: Spawned): number {
  const [ns] = readFileSync(`/proc/${child.pid}/task/${child.pid}/schedstat`, 'utf8').split(' ')
  return Number(ns) / 1e6
}

test(
  'no request without a token costs more than 5 ms of the event loop from its second time on',
  async () => {
    const costly: [string, number][] = []
    for (const request of everyRequest()) {
      const once = async () => void (await (await ask(measured, request)).arrayBuffer())
      await once()
      const costs: number[] = []
      for (let n = 0; n < REPEATS; n++) {
        const before = usedMs(measured)
        await once()
        costs.push(usedMs(measured) - before)
      }
      // A job of the server may run during a request.
      const median = costs.toSorted((a, b) => a - b)[REPEATS / 2] ?? 0
      if (median > COST_MS_MAX) costly.push([`${request.method} ${request.path}`, median])
    }
    expect(costly).toEqual([])
  },
  SPAWN_MS,
)

test(
  'the first request for a document leaves the event loop to others',
  async () => {
    for (const path of ['/docs/json', '/docs/asyncapi.json']) {
      const fresh = await spawnParley(dataDirectory(), { DATABASE_URL: await emptyDatabase('first') })
      await (await fetch(`${fresh.parley.url}/healthz`)).text()
      let isMade = false
      const response = fetch(fresh.parley.url + path).then(async (answer) => {
        await answer.arrayBuffer()
        isMade = true
      })
      let answers = 0
      while (!isMade) {
        await (await fetch(`${fresh.parley.url}/healthz`)).text()
        answers++
      }
      await response
      expect([path, answers > 5]).toEqual([path, true])
      fresh.child.kill('SIGTERM')
      await fresh.child.exited
    }
  },
  SPAWN_MS,
)

test('documents, pages and files are answered with 304 to clients that have them, by content coding', async () => {
  for (const path of files) {
    for (const coding of ['identity', 'gzip', 'br']) {
      const headers = { 'accept-encoding': coding }
      const first = await ask(measured, { method: 'GET', path }, headers)
      const etag = first.headers.get('etag') ?? ''
      expect([path, first.status, etag]).toEqual([path, 200, expect.stringMatching(/^"[0-9a-z]+(-br|-gzip)?"$/)])
      await first.arrayBuffer()
      const again = await ask(measured, { method: 'GET', path }, { ...headers, 'if-none-match': `"x", ${etag}` })
      expect([path, again.status, await again.text()]).toEqual([path, 304, ''])
      const other = await ask(measured, { method: 'HEAD', path }, { ...headers, 'if-none-match': '"other"' })
      expect([path, other.status]).toEqual([path, 200])
    }
  }
})

/** Sends a request with any Host, which fetch does not allow. */
async function askHost(path: string, host: string): Promise<{ head: string; body: Buffer }> {
  const { hostname, port } = new URL(measured.parley.url)
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const parts: Buffer[] = []
  const socket = createConnection(Number(port), hostname)
  socket.on('data', (part) => parts.push(Buffer.from(part)))
  socket.on('close', () => resolve(Buffer.concat(parts)))
  socket.on('error', reject)
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n`)
  const answer = await promise
  const end = answer.indexOf('\r\n\r\n')
  return { head: answer.subarray(0, end).toString().toLowerCase(), body: answer.subarray(end + 4) }
}

test('a document names the origin of its request, and is cached for a bounded number of origins', async () => {
  for (const [path, servers] of [
    ['/docs/json', (host: string) => [{ url: `http://${host}` }]],
    ['/docs/asyncapi.json', (host: string) => ({ parley: { host, protocol: 'ws' } })],
  ] as const) {
    let compressed = 0
    for (let n = 0; n < 3 * ORIGINS_MAX; n++) {
      const host = `host-${n}.example`
      const { head, body } = await askHost(path, host)
      const isCompressed = head.includes('content-encoding: gzip')
      if (isCompressed) compressed++
      expect(JSON.parse((isCompressed ? gunzipSync(body) : body).toString()).servers).toEqual(servers(host))
    }
    expect(compressed).toBeLessThanOrEqual(ORIGINS_MAX)
    // An origin that is requested again is cached, whatever origins others made up before.
    await askHost(path, 'real.example')
    expect((await askHost(path, 'real.example')).head).toContain('content-encoding: gzip')
    const costs: number[] = []
    for (let n = 0; n < REPEATS; n++) {
      const before = usedMs(measured)
      await askHost(path, 'real.example')
      costs.push(usedMs(measured) - before)
    }
    expect(costs.toSorted((a, b) => a - b)[REPEATS / 2]).toBeLessThan(COST_MS_MAX)
  }
})
