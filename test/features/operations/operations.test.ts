import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  boot,
  call,
  PASSWORD,
  Person,
  person,
  registered,
  newServer,
  say,
  standard,
  stop,
  until,
} from '../../support/harness.ts'
import { connect, Gateway, gatewayUrl } from '../../support/socket.ts'

const METRICS_TOKEN = 'a-token-for-the-metrics'
const parley = await standard()
const behind = await boot({ TRUSTED_PROXIES: '127.0.0.1', METRICS_TOKEN })
afterAll(() => stop(behind))

const outside = { 'x-forwarded-for': '203.0.113.9' }

test('healthz answers ok to everyone', async () => {
  for (const headers of [{}, outside])
    expect(await call(behind, 'GET', '/healthz', { headers })).toMatchObject({ status: 200, body: { status: 'ok' } })
})

test('readyz answers ok to everyone, with the state of each part from loopback or with the token', async () => {
  const near = await call(parley, 'GET', '/readyz')
  expect(near).toMatchObject({ status: 200, body: { status: 'ok', parts: { database: 'ok', bus: 'ok' } } })
  const files = readdirSync(join(import.meta.dir, '../../../sql')).filter((name) => /^\d{4}_/.test(name))
  const migrations = files.map((name) => Number.parseInt(name, 10))
  expect(near.body).toMatchObject({
    schema_version: Math.max(...migrations),
    data: { free_bytes: expect.any(Number), size_bytes: expect.any(Number) },
    backup: null,
    retention: { places: 0, overdue_s: 0 },
  })
  const far = await call(behind, 'GET', '/readyz', { headers: outside })
  expect([far.status, far.body]).toEqual([200, { status: 'ok' }])
})

test('without its database the server is alive and not ready, and answers 503 with Retry-After', async () => {
  const own = await boot()
  const alice = await person(own, 'alice')
  await own.parts.sql.end()
  expect((await call(own, 'GET', '/healthz')).status).toBe(200)
  const ready = await call(own, 'GET', '/readyz')
  expect([ready.status, ready.body]).toEqual([
    503,
    {
      status: 'away',
      parts: { database: 'away', bus: 'ok', object_store: 'ok', turn: 'off', sfu: 'off' },
      schema_version: expect.any(Number),
      data: expect.any(Object),
      backup: null,
      retention: { places: 0, overdue_s: 0 },
      proxy: 'direct',
    },
  ])
  const refused = await alice.get('/api/servers')
  expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  await stop(own)
})

test('metrics and details are for loopback and for those with the token', async () => {
  const look = async (headers: Record<string, string>, path = '/metrics') =>
    (await call(behind, 'GET', path, { headers })).status
  expect(await look(outside)).toBe(404)
  expect(await look({ ...outside, authorization: `Bearer ${METRICS_TOKEN}` })).toBe(200)
  for (const authorization of [
    'Bearer guess',
    `Bearer ${METRICS_TOKEN}x`,
    METRICS_TOKEN,
    'Bearer ',
    'Bearer undefined',
  ])
    expect(await look({ ...outside, authorization })).toBe(404)
  expect(await look(outside, `/metrics?token=${METRICS_TOKEN}`)).toBe(404)
  const readiness = await call(behind, 'GET', '/readyz', {
    headers: { ...outside, authorization: `Bearer ${METRICS_TOKEN}` },
  })
  expect(readiness.body.parts).toBeObject()
})

test('no header and no untrusted proxy makes a request count as loopback', async () => {
  for (const ip of ['127.0.0.1', '::1', '127.0.0.1, 203.0.113.9', '203.0.113.9, 127.0.0.1', '::ffff:127.0.0.1']) {
    const headers = { 'x-forwarded-for': ip }
    expect([ip, (await call(behind, 'GET', '/metrics', { headers })).status]).toEqual([ip, 404])
    expect([ip, (await call(parley, 'GET', '/metrics', { headers })).status]).toEqual([ip, 404])
  }
  expect((await call(parley, 'GET', '/metrics', { headers: { forwarded: 'for=203.0.113.9' } })).status).toBe(404)
  const undefinedToken = await call(parley, 'GET', '/metrics', {
    headers: { ...outside, authorization: 'Bearer undefined' },
  })
  expect(undefinedToken.status).toBe(404)
})

test('behind a proxy that names no client, metrics and details need the token, and the log warns once', async () => {
  const secret = { authorization: `Bearer ${METRICS_TOKEN}` }
  for (const variables of [
    { PUBLIC_URL: 'https://chat.example.org' },
    { TRUSTED_PROXIES: '127.0.0.1' },
    { PUBLIC_URL: 'https://chat.example.org', TRUSTED_PROXIES: '127.0.0.0/8' },
  ] as Record<string, string>[]) {
    const { parley: own, end } = await spawned(variables)
    for (const path of ['/metrics', '/readyz', '/healthz', '/api/servers', '/api/servers']) await call(own, 'GET', path)
    const open = await call(own, 'GET', '/readyz')
    expect([(await call(own, 'GET', '/metrics')).status, open.status, open.body]).toEqual([404, 200, { status: 'ok' }])
    expect((await call(own, 'GET', '/metrics', { headers: secret })).status).toBe(200)
    expect((await call(own, 'GET', '/readyz', { headers: secret })).body.proxy).toBe('silent')
    const named = await call(own, 'GET', '/readyz', { headers: { ...outside, ...secret } })
    expect(named.body.proxy).toBe('TRUSTED_PROXIES' in variables ? 'named' : 'untrusted')
    const { lines } = await end()
    const warnings = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'proxy.silent')
    expect(warnings.map(({ level, peer }) => [level, peer])).toEqual([['warn', '127.0.0.1']])
  }
})

test('metrics are Prometheus text: requests by route, gateway, sockets, lag; and no word of people', async () => {
  const own = await boot()
  const alice = await registered(own, 'alice')
  const { server_id, channel_id } = await newServer(alice)
  const live = await connect(alice)
  await say(alice, channel_id, 'A secret word')
  await live.settled()
  for (const path of ['/nothing/1', '/nothing/2', `/api/servers/${server_id}?q=secret`, '/api/servers/1e1'])
    await alice.get(path)
  const { headers, body } = await call(own, 'GET', '/metrics')
  expect(headers.get('content-type')).toStartWith('text/plain')
  for (const line of [
    /^parley_http_request_seconds_count\{method="POST",route="\/api\/auth\/register",status="201"\} 1$/m,
    /^parley_http_request_seconds_count\{method="GET",route="\/api\/servers\/:server_id",status="200"\} 1$/m,
    /^parley_http_request_seconds_count\{method="GET",route="none",status="404"\} 2$/m,
    /^parley_gateway_event_bytes_count\{event="message.created"\} 1$/m,
    /^parley_gateway_command_seconds_count\{op="ping",ok="yes"\} 1$/m,
    /^parley_gateway_sockets 1$/m,
    /^parley_event_loop_lag_seconds \d/m,
    /^parley_resident_memory_bytes \d/m,
    /^parley_cpu_seconds_total\{mode="user"\} \d/m,
    /^parley_uptime_seconds [1-9]/m,
    /^parley_build_info\{version="\d+\.\d+\.\d+",bun="[\d.]+"\} 1$/m,
    /^parley_database_connections\{state="open"\} [1-9]/m,
    /^parley_database_connections\{state="busy"\} \d/m,
    /^parley_database_connections\{state="max"\} 16$/m,
    /^parley_database_waiting 0$/m,
    /^parley_data_free_bytes [1-9]/m,
    /^parley_data_size_bytes [1-9]/m,
    /^parley_storage_full\{part="database"\} 0$/m,
    /^parley_storage_full\{part="object_store"\} 0$/m,
    /^parley_schema_version [1-9]\d+$/m,
    /^parley_backup_age_seconds \+Inf$/m,
    /^parley_backup_bytes 0$/m,
    /^parley_retention_backlog_places 0$/m,
    /^parley_retention_overdue_seconds 0$/m,
  ])
    expect(body).toMatch(line)
  for (const word of [alice.username, alice.email, alice.token, 'secret', `servers/${server_id}`, '1e1'])
    expect(body).not.toInclude(word)
  live.close()
  await until(async () => (await call(own, 'GET', '/metrics')).body.includes('parley_gateway_sockets 0'))
  await stop(own)
})

test('the metrics have the age and size of the last completed backup', async () => {
  const own = await boot()
  const { sql } = own.parts
  await sql`insert into backups (at, kind, bytes, is_encrypted) values
    (now() - interval '2 hours', 'automatic', 4000, false), (now() - interval '1 hour', 'manual', 5000, false),
    (now() - interval '3 hours', 'upgrade', 6000, false)`
  const { backup } = (await call(own, 'GET', '/readyz')).body
  expect(backup.bytes).toBe(5000)
  const { body } = await call(own, 'GET', '/metrics')
  expect(body).toMatch(/^parley_backup_bytes 5000$/m)
  const ageS = (Date.now() - Date.parse(backup.at)) / 1000
  expect(Number(/^parley_backup_age_seconds (\S+)$/m.exec(body)?.[1])).toBeCloseTo(ageS, -2)
  await stop(own)
})

test('metrics show a pool whose connections are all busy, and the statements that wait', async () => {
  const own = await boot({ DATABASE_CONNECTIONS: '2', METRICS_TOKEN })
  const hold = Promise.withResolvers<void>()
  const holding = [1, 2].map(() =>
    own.parts.sql.begin(async (tx) => {
      await tx`select 1`
      await hold.promise
    }),
  )
  await until(() => own.parts.sql.pool().busy === 2)
  const waiting = own.parts.sql`select 1`.execute()
  const { body } = await call(own, 'GET', '/metrics')
  expect(body).toMatch(/^parley_database_connections\{state="busy"\} 2$/m)
  expect(body).toMatch(/^parley_database_waiting [1-9]/m)
  hold.resolve()
  await Promise.all([...holding, waiting])
  await stop(own)
})

/** Starts the server as an operator does, with a DATA_DIR of its own, and collects its output. */
async function spawned(variables: Record<string, string> = {}) {
  const { DATABASE_URL = '' } = behind.parts.environment
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'parley-spawned-'))
  const child = Bun.spawn([process.execPath, join(import.meta.dir, '../../../src/main.ts')], {
    env: {
      ...process.env,
      PORT: '0',
      TURN_PORT: 'off',
      MEDIA_WORKER: 'off',
      DATABASE_URL,
      DATA_DIR,
      LOG_LEVEL: 'debug',
      METRICS_TOKEN,
      ...variables,
    },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  let out = ''
  const reading = (async () => {
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) out += chunk
  })()
  const errors = new Response(child.stderr).text()
  await Promise.race([
    until(() => /docs at http\S+/.test(out)),
    child.exited.then(async (code) => {
      throw new Error(`The server ended with ${code}: ${await errors}`)
    }),
  ])
  const url = /docs at (http:\/\/[\d.:]+)/.exec(out)?.[1] ?? ''
  return {
    parley: { ...behind, url },
    async end() {
      child.kill('SIGTERM')
      const code = await child.exited
      await reading
      rmSync(DATA_DIR, { recursive: true })
      return { code, lines: out.trim().split('\n').slice(1), errors: await errors }
    },
  }
}

/** Puts every kind of secret that a log could leak into every possible input. */
async function talk(alice: Person, other: typeof parley): Promise<void> {
  const { channel_id } = await newServer(alice)
  const live = await connect(alice)
  await say(alice, channel_id, 'WORDS-OF-A-MESSAGE')
  await alice.post('/api/dm/messages', { recipient_id: alice.id + 1, content: 'WORDS-OF-A-DIRECT-MESSAGE' })
  await alice.get('/api/users/search?q=WORDS-OF-A-SEARCH')
  await alice.put('/api/auth/display-name', { display_name: 'NAME-TO-SHOW' })
  await alice.get('/api/servers?limit=1&q=WORDS-OF-A-QUERY')
  await alice.get(`/api/servers?token=${alice.token}`)
  await alice.get('/WORDS-OF-A-PATH?a=WORDS-OF-A-QUERY')
  const headers = { cookie: `session=${alice.token}`, 'user-agent': 'WORDS-OF-AN-AGENT', origin: other.url }
  await call(other, 'POST', '/api/auth/login', { body: { email: alice.email, password: 'WRONG-PASSWORD' }, headers })
  await call(other, 'POST', '/api/auth/login', { body: `{"password":"${PASSWORD}` })
  await call(other, 'POST', '/api/auth/register', {
    body: { username: alice.username, email: alice.email, password: PASSWORD },
  })
  await call(other, 'GET', '/metrics', { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
  await live.command('typing.start', { channel_id: 0, note: 'WORDS-OF-A-COMMAND' })
  const refused = new Gateway(gatewayUrl(other, `token=${alice.token}x`))
  await refused.closed
  live.close()
}

test('the log has one JSON line a request, and no token, password, address, name, content or query in it', async () => {
  const { parley: other, end } = await spawned()
  const body = { username: 'logged.alice', email: 'logged.alice@example.org', password: PASSWORD }
  const registered = await call(other, 'POST', '/api/auth/register', { body, headers: { 'x-request-id': 'traced-1' } })
  const { user, token } = registered.body
  await talk(new Person(other, user.id, user.username, user.email, user.display_name, token), other)
  const { code, lines, errors } = await end()
  expect([code, errors]).toEqual([0, ''])
  const entries = lines.map((line) => JSON.parse(line))
  const requests = entries.filter((entry) => entry.event === 'request')
  expect(requests.length).toBeGreaterThan(12)
  for (const { at, level, request_id, method, route, status, ms } of requests) {
    expect([level, typeof request_id, typeof method, typeof status]).toEqual(['info', 'string', 'string', 'number'])
    expect(new Date(at).toISOString()).toBe(at)
    expect([typeof route, ms >= 0]).toEqual(['string', true])
  }
  const traced = requests.find((entry) => entry.request_id === 'traced-1')
  expect(traced).toMatchObject({ method: 'POST', route: '/api/auth/register', status: 201 })
  expect(requests.find((entry) => entry.route === '/api/servers')?.user_id).toBe(user.id)
  const log = lines.join('\n')
  const secrets = [token, token.split('.')[2], PASSWORD, METRICS_TOKEN, body.email, body.username, 'NAME-TO-SHOW']
  for (const secret of [...secrets, 'WORDS-OF', 'WRONG-PASSWORD', 'limit=1', 'token=', '?'])
    expect([secret, log.includes(secret)]).toEqual([secret, false])
})

test('a server that cannot start says why in one sentence and exits with 1', async () => {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, '../../../src/main.ts')], {
    env: { ...process.env, PORT: 'eighty', METRICS_TOKEN },
    stderr: 'pipe',
    stdout: 'pipe',
  })
  const [errors, out, code] = [
    await new Response(child.stderr).text(),
    await new Response(child.stdout).text(),
    await child.exited,
  ]
  expect(code).toBe(1)
  expect(errors).toMatch(/^PORT is not usable \(.*\): .*\.\n$/)
  expect(out).toBe('')
})
