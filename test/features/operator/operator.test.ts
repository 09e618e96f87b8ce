import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { claim } from '../../../src/database/job-lock.ts'
import { CachedFigures, figuresOf } from '../../../src/features/operator/figures.ts'
import {
  type Answer,
  boot,
  call,
  type Person,
  PASSWORD,
  person,
  newServer,
  say,
  stop,
  until,
} from '../../support/harness.ts'
import { databaseOf, done } from '../../support/operator.ts'
import { promote } from '../../support/operators.ts'
import { persons, write } from '../../support/people.ts'
import { redisProgram, redisServer } from '../../support/redis.ts'
import { connect } from '../../support/socket.ts'
import { SPAWN_MS } from '../../support/spawned.ts'

const BACKUP_DIR = mkdtempSync(join(tmpdir(), 'backups-'))
const redis = redisProgram === undefined ? undefined : await redisServer()
const parley = await boot({ BACKUP_DIR, BACKUP_KEEP: '2', ...(redis ? { REDIS_URL: redis.url } : {}) })
const other = await boot({ RATE_LIMITS: 'on', REGISTRATION: 'invite' }, parley)
afterAll(async () => {
  await stop(other)
  await stop(parley)
})
const { sql } = parley.parts
const olga = await person(parley, 'olga')
await promote(olga)

const login = (who: Person, password = PASSWORD) =>
  call(parley, 'POST', '/api/auth/login', { body: { username: who.username, password } })
const at = (who: Person, rest = '') => `/api/operator/accounts/${who.id}${rest}`
const entries = async (limit = 1) => (await olga.get(`/api/operator/log?limit=${limit}`)).body

test.if(redis !== undefined)(
  'a suspension ends sessions and sockets on every process, is named at login, and can be undone',
  async () => {
    const mallory = await person(parley, 'mallory')
    const elsewhere = Object.assign(Object.create(mallory), { parley: other })
    const lives = [await connect(mallory), await connect(elsewhere)]
    const answer = await olga.put(at(mallory, '/suspension'), { reason: 'spam' })
    expect(answer.body).toMatchObject({ id: mallory.id, suspended_reason: 'spam', sessions_ended: 1 })
    for (const live of lives) expect(await live.closed).toMatchObject({ code: 4003 })
    for (const on of [parley, other])
      expect(await call(on, 'GET', '/api/auth/me', { token: mallory.token })).toMatchObject({ status: 401 })
    expect(await login(mallory)).toMatchObject({ status: 403, body: { code: 'account_suspended' } })
    const suspended = (await olga.get('/api/operator/accounts?suspended=true')).body
    expect(suspended).toMatchObject([{ id: mallory.id, suspended_at: expect.any(String) }])
    expect((await olga.delete(at(mallory, '/suspension'))).status).toBe(200)
    expect((await olga.delete(at(mallory, '/suspension'))).status).toBe(404)
    expect((await login(mallory)).status).toBe(200)
  },
)

test('an account is found by parts of its names, listed with its sessions, and logged out', async () => {
  const alice = await person(parley, 'alice')
  const { server_id } = await newServer(alice)
  expect((await login(alice)).status).toBe(200)
  for (const q of [String(alice.id), alice.username.toUpperCase(), alice.email.slice(1)]) {
    const found = (await olga.get(`/api/operator/accounts?q=${encodeURIComponent(q)}`)).body
    expect(found.map((row: { id: number }) => row.id)).toContain(alice.id)
  }
  await sql`update users set display_name = 'Zoë Ångström' where id = ${alice.id}`
  for (const q of ['zoe', 'angstr', 'ＺＯË'])
    expect((await olga.get(`/api/operator/accounts?q=${encodeURIComponent(q)}`)).body).toMatchObject([{ id: alice.id }])
  for (const q of ["' or 1=1 --", '%', 'nobody at all', '\u0301'])
    expect((await olga.get(`/api/operator/accounts?q=${encodeURIComponent(q)}`)).body).toEqual([])
  const account = (await olga.get(at(alice))).body
  expect(account).toMatchObject({ account: { email: alice.email }, servers: [{ id: server_id, is_owner: true }] })
  expect(account.sessions).toHaveLength(2)
  expect(JSON.stringify(account)).not.toInclude('argon2')
  const [first] = account.sessions
  expect((await olga.delete(at(alice, `/sessions/${first.id}`))).body).toMatchObject({ sessions_ended: 1 })
  expect((await alice.get('/api/auth/me')).status).toBe(401)
  expect((await olga.delete(at(alice, '/sessions'))).body).toMatchObject({ sessions_ended: 1 })
  expect(await sql`select 1 from sessions where user_id = ${alice.id}`).toHaveLength(0)
})

test('lists go on by id where the last page ended', async () => {
  for (const name of ['dave', 'erin', 'frank']) await person(parley, name)
  const all = (await sql<{ id: number }[]>`select id from users order by id`).map((row) => row.id)
  const ids: number[] = []
  for (let path: string | undefined = '/api/operator/accounts?limit=2'; path;) {
    const page: Answer = await olga.get(path)
    ids.push(...page.body.map((row: { id: number }) => row.id))
    path = /^<(.*)>/.exec(page.headers.get('link') ?? '')?.[1]
  }
  expect(ids).toEqual(all)
})

test('a reset gives a password, a deletion leaves a deleted user, and the log has both without secrets', async () => {
  const mallory = await person(parley, 'mallory')
  const { password } = (await olga.post(at(mallory, '/reset'))).body
  expect((await login(mallory)).status).toBe(401)
  const again = await login(mallory, password)
  expect(again.status).toBe(200)
  const { server_id } = (await newServer(Object.assign(mallory, { token: again.body.token }))) as { server_id: number }
  expect(await olga.delete(at(mallory))).toMatchObject({ status: 409, body: { code: 'owns_servers' } })
  expect((await olga.delete(`/api/operator/servers/${server_id}`)).status).toBe(204)
  expect((await olga.delete(at(mallory))).status).toBe(204)
  expect((await olga.get(at(mallory))).body.account).toMatchObject({ deleted_at: expect.any(String) })
  expect((await olga.delete(at(mallory))).status).toBe(404)
  const log = await entries(6)
  expect(log).toMatchObject([
    { action: 'delete-account', changes: { refused: expect.any(String) } },
    { action: 'show', target_id: mallory.id },
    { action: 'delete-account', target_type: 'account', target_id: mallory.id },
    { action: 'delete', target_type: 'server', target_id: server_id, changes: { owner_id: mallory.id } },
    { action: 'delete-account', changes: { refused: expect.any(String) } },
    { action: 'reset-password', target_id: mallory.id, changes: { sessions_ended: 1 } },
  ])
  for (const entry of log) expect(entry).toMatchObject({ operator: `account ${olga.id}`, operator_id: olga.id })
  for (const secret of [password, mallory.username, mallory.email]) expect(JSON.stringify(log)).not.toInclude(secret)
})

test('a reset link lets the owner choose a password once, and ends the sessions', async () => {
  const alice = await person(parley, 'alice')
  const { link } = (await olga.post(at(alice, '/reset-link'))).body
  expect(link).toStartWith(`${parley.url}/reset#`)
  expect(await entries()).toMatchObject([{ action: 'reset-link', target_id: alice.id, changes: {} }])
  const body = { token: link.split('#')[1], password: 'Another-Horse-7!Battery' }
  const reset = () => call(parley, 'POST', '/api/auth/password/reset', { body })
  expect((await reset()).status).toBeLessThan(300)
  expect((await reset()).status).toBeGreaterThanOrEqual(400)
  expect((await alice.get('/api/auth/me')).status).toBe(401)
  expect((await login(alice, body.password)).status).toBe(200)
})

test('registration can be made stricter than configured, on every process at once, and not looser', async () => {
  const register = async (on: typeof parley) => {
    const username = `new${Math.random().toString(36).slice(2, 10)}`
    const body = { username, email: `${username}@example.org`, password: 'Correct-Horse-7!Battery' }
    return (await call(on, 'POST', '/api/auth/register', { body })).status
  }
  expect((await olga.put('/api/operator/registration', { chosen: 'closed' })).body).toEqual({
    mode: 'closed',
    configured: 'open',
    chosen: 'closed',
  })
  expect(await register(parley)).toBe(403)
  expect((await entries()).at(0)).toMatchObject({
    action: 'registration',
    changes: { mode: { before: 'open', after: 'closed' } },
  })
  expect((await olga.put('/api/operator/registration', { chosen: 'open' })).body.mode).toBe('open')
  const stricter = await call(other, 'GET', '/api/operator/registration', { token: olga.token })
  expect(stricter.body).toEqual({ mode: 'invite', configured: 'invite', chosen: 'open' })
  expect(await register(other)).toBe(403)
  expect(await register(parley)).toBe(201)
  expect((await olga.put('/api/operator/registration', { chosen: null })).body.chosen).toBeNull()
})

test('invites are listed without their codes and deleted with the event of a member’s deletion', async () => {
  const alice = await person(parley, 'alice')
  const { server_id } = await newServer(alice)
  const { id, code } = (await alice.post('/api/invites', { server_id })).body
  const live = await connect(alice)
  const listed = (await olga.get('/api/operator/invites')).body
  expect(listed.find((row: { id: number }) => row.id === id)).toMatchObject({ server: { id: server_id }, uses: 0 })
  expect(JSON.stringify(listed)).not.toInclude(code)
  expect((await olga.delete(`/api/operator/invites/${id}`)).status).toBe(204)
  expect((await live.next('invite.deleted')).d).toEqual({ id, server_id })
  live.close()
  expect((await olga.delete(`/api/operator/invites/${id}`)).status).toBe(404)
})

test('only one backup runs, appears in the list, and the oldest beyond BACKUP_KEEP goes', async () => {
  const path = '/api/operator/backups'
  await sql.begin(async (tx) => {
    expect(await claim(tx, 'backup')).toBe(true)
    expect(await olga.post(path)).toMatchObject({ status: 409, body: { code: 'backup_running' } })
    expect((await olga.get(path)).body).toMatchObject({ running: true, last: [] })
  })
  const files = () => readdirSync(BACKUP_DIR).filter((name) => name.endsWith('.zst'))
  const second = () => new Date().toISOString().replace(/[-:]|\.\d+/g, '')
  for (const [knownCount, keptCount] of [1, 2, 2].entries()) {
    // A backup's name contains its second.
    await until(async () => !files().some((name) => name.includes(second())))
    await until(async () => (await olga.post(path)).status === 202)
    await until(async () => {
      const { last, failure } = (await olga.get(path)).body
      expect(failure).toBeNull()
      return last.length > knownCount
    })
    await until(async () => files().length === keptCount)
  }
  expect((await olga.get(path)).body).toMatchObject({ failure: null, keep: 2, last: [{ kind: 'automatic' }, {}, {}] })
})

test('samples add up over processes, are thinned out, and end', async () => {
  for (let n = 0; n < 5; n++) await olga.get('/api/operator/health')
  for (const on of [parley, other]) await on.sweep()
  const now = (await olga.get('/api/operator/samples?span=hour')).body
  const sum = (name: string) =>
    now.reduce((all: number, sample: Record<string, number>) => all + (sample[name] ?? 0), 0)
  expect(sum('requests')).toBeGreaterThanOrEqual(5)
  expect(now.at(-1)).toMatchObject({ memory_bytes: expect.any(Number), free_bytes: expect.any(Number) })
  await sql`insert into samples (at, seconds, sockets, requests, failures, lag_ms, memory_bytes, messages)
    select date_trunc('minute', now()) - n * interval '1 minute', 60, n % 7, 2, 1, n, n, 1
    from generate_series(1600, 4000) n`
  await sql`insert into samples (at, seconds, sockets, requests, failures, lag_ms, memory_bytes, messages)
    values (now() - interval '93 days', 3600, 1, 1, 1, 1, 1, 1)`
  const total = async () => (await sql<[{ sum: number }]>`select sum(requests)::bigint as sum from samples`)[0].sum
  const before = await total()
  await parley.sweep()
  const rows = await sql<{ seconds: number; count: number }[]>`
    select seconds, count(*) from samples group by 1 order by 1`
  expect(rows[0]?.count).toBeLessThanOrEqual(27 * 60)
  expect(rows[1]?.count).toBeWithin(38, 44)
  expect(await total()).toBeGreaterThanOrEqual(before - 1)
  expect(await sql`select 1 from samples where at < now() - interval '92 days'`).toHaveLength(0)
  for (const span of ['hour', 'day', 'month']) {
    const points = (await olga.get(`/api/operator/samples?span=${span}`)).body
    expect(points.length).toBeWithin(1, 301)
    expect(points).toEqual(points.toSorted((a: { at: string }, b: { at: string }) => a.at.localeCompare(b.at)))
  }
})

test('figures, storage and health cover the whole installation and name nothing secret', async () => {
  const [rows] = await sql`select (select count(*) from users where deleted_at is null) as accounts,
    (select count(*) from servers where owner_id is not null) as servers`
  expect((await olga.get('/api/operator/figures')).body).toMatchObject({ ...rows, running_servers: 2 })
  expect((await olga.get('/api/operator/storage')).body).toMatchObject({ largest: [], files: 0 })
  const health = (await olga.get('/api/operator/health')).body
  expect(health).toContainEqual({ part: 'database', level: 'ok', state: 'ok' })
  expect(health).toContainEqual({ part: 'turn', level: 'ok', state: 'off' })
  expect((await olga.get('/api/operator/servers?q=birdw')).body.length).toBeGreaterThan(0)
  expect((await olga.get(`/api/operator/servers?q=${encodeURIComponent('Bírdw')}`)).body.length).toBeGreaterThan(0)
  expect((await olga.get('/api/operator/servers?q=nothing')).body).toEqual([])
})

test(
  'acts of the command line are in the same log, and both delete an account by the same path',
  async () => {
    const mallory = await person(parley, 'mallory')
    await done(databaseOf(parley), 'delete-account', String(mallory.id), '--yes')
    expect(await entries()).toMatchObject([{ action: 'delete-account', operator_id: null, target_id: mallory.id }])
    expect((await login(mallory)).status).toBe(401)
  },
  SPAWN_MS,
)

test('for many messages and events the database’s estimate is shown, and nothing is counted', async () => {
  const [alice, bob] = await persons(parley, 'alice', 'bob')
  const { channel_id } = await newServer(alice, bob)
  for (let n = 0; n < 5; n++) await say(alice, channel_id, `number ${n}`)
  for (let n = 0; n < 3; n++) await write(alice, bob, `number ${n}`)
  await sql`analyze messages`
  await sql`analyze events`
  const { messages, direct_messages, events } = await figuresOf(sql)
  const estimated = await figuresOf(sql, 0)
  expect(estimated).toMatchObject({ messages, direct_messages })
  expect(Math.abs(estimated.events - events)).toBeLessThan(50)
  // A request during a count shares its result.
  const figures = new CachedFigures(sql)
  const [one, two] = await Promise.all([figures.now(), figures.now()])
  expect(one).toBe(two)
})

test('an operator’s acts and searches are counted', async () => {
  const answers: number[] = []
  for (let n = 0; n < 45 && answers.at(-1) !== 429; n++)
    answers.push((await call(other, 'GET', '/api/operator/figures', { token: olga.token })).status)
  expect(answers.at(-1)).toBe(429)
})
