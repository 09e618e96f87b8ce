import { expect, test } from 'bun:test'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../src/adapters/database.ts'
import { migrate } from '../src/adapters/migrate.ts'
import { call, person, room, standard, until } from './harness.ts'
import { connect } from './socket.ts'
import { dataDirectory, isAlive, launch, postmasterOf, refusal, spawnParley, SPAWN_MS } from './spawned.ts'

const parley = await standard()

/** A new, empty database beside the one that the tests share: its DATABASE_URL. */
async function emptyDatabase(name: string): Promise<string> {
  await parley.parts.sql.unsafe(`create database ${name}`)
  return (parley.parts.environment.DATABASE_URL ?? '').replace(/\/test_\d+/, `/${name}`)
}

/** It refused with exit code 1 and one sentence that names what to mend. */
function expectSentence({ code, out, error }: Awaited<ReturnType<typeof refusal>>, names: string): void {
  expect([names, code, out]).toEqual([names, 1, ''])
  expect(error.trimEnd().split('\n')).toHaveLength(1)
  expect(error).toContain(names)
}

test(
  'one line says where it listens, its secrets are private, and a SIGTERM ends it in order',
  async () => {
    const data = dataDirectory()
    const { said, child, parley: running } = await spawnParley(data)
    expect(said.trimEnd().split('\n')).toHaveLength(1)
    expect(said).toContain(running.url)
    expect(said).toContain(data)
    expect((await call(running, 'GET', '/healthz')).body).toEqual({ status: 'ok' })
    expect((await call(running, 'GET', '/readyz')).body.parts.database).toBe('ok')
    expect(statSync(join(data, 'secrets.json')).mode & 0o777).toBe(0o600)
    expect(statSync(data).mode & 0o077).toBe(0)

    const alice = await person(running, 'alice')
    const { server_id } = await room(alice)
    const live = await connect(alice)
    const postmaster = postmasterOf(data) as number
    const sql = openDatabase({ socket: join(data, 'postgres/run') }, 1)
    const held = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const lock = sql.begin(async (tx) => {
      await tx`select 1 from servers where id = ${server_id} for update`
      locked.resolve()
      await held.promise
    })
    await locked.promise
    const inFlight = alice.put(`/api/servers/${server_id}`, { name: 'Finished' })
    await until(async () => (await statementsWaiting(data)) > 0)
    const asked = performance.now()
    child.kill('SIGTERM')
    expect(await live.closed).toMatchObject({ code: 1012 })
    held.resolve()
    await lock
    await sql.end()
    expect((await inFlight).body.name).toBe('Finished')
    expect(await child.exited).toBe(0)
    expect(performance.now() - asked).toBeLessThan(10_000)
    expect(isAlive(postmaster)).toBe(false)
  },
  SPAWN_MS,
)

/** How many statements wait for a lock. */
async function statementsWaiting(data: string): Promise<number> {
  const sql = openDatabase({ socket: join(data, 'postgres/run') }, 1)
  const [row] = await sql<{ waiting: number }[]>`
    select count(*)::int as waiting from pg_stat_activity where wait_event_type = 'Lock'`
  await sql.end()
  return row?.waiting ?? 0
}

test(
  'a request that never ends does not keep it from ending within 10 s, and no PostgreSQL stays',
  async () => {
    const data = dataDirectory()
    const { child, parley: running } = await spawnParley(data)
    const alice = await person(running, 'alice')
    const { server_id } = await room(alice)
    const postmaster = postmasterOf(data) as number
    const sql = openDatabase({ socket: join(data, 'postgres/run') }, 1)
    const locked = Promise.withResolvers<void>()
    const lock = sql.begin(async (tx) => {
      await tx`select 1 from servers where id = ${server_id} for update`
      locked.resolve()
      await tx`select pg_sleep(60)`
    })
    await locked.promise
    const ended = Promise.allSettled([lock, alice.put(`/api/servers/${server_id}`, { name: 'Never' })])
    await until(async () => (await statementsWaiting(data)) > 0)
    const asked = performance.now()
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
    expect(performance.now() - asked).toBeLessThan(10_000)
    expect(isAlive(postmaster)).toBe(false)
    await ended
    await sql.end({ timeout: 0 })
  },
  SPAWN_MS,
)

test(
  'an idle connection that is kept alive does not delay the end',
  async () => {
    const url = await emptyDatabase('boot_idle')
    const { child, parley: running } = await spawnParley(dataDirectory(), { DATABASE_URL: url })
    await fetch(`${running.url}/healthz`, { keepalive: true }).then((answer) => answer.text())
    const asked = performance.now()
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
    expect(performance.now() - asked).toBeLessThan(4000)
  },
  SPAWN_MS,
)

test(
  'a SIGTERM while it starts leaves no PostgreSQL behind',
  async () => {
    const data = dataDirectory()
    const child = launch(data)
    await until(() => postmasterOf(data) !== undefined, 20_000)
    const postmaster = postmasterOf(data) as number
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
    expect(isAlive(postmaster)).toBe(false)
  },
  SPAWN_MS,
)

test(
  'variables that make no sense are refused in one sentence each',
  async () => {
    const data = dataDirectory()
    const nonsense: [string, Record<string, string>][] = [
      ['PORT', { PORT: 'banana' }],
      ['PORT', { PORT: '70000' }],
      ['PORT', { PORT: '-1' }],
      ['DATABASE_URL', { DATABASE_URL: 'mysql://localhost/x' }],
      ['DATABASE_CONNECTIONS', { DATABASE_CONNECTIONS: '1' }],
      ['TLS_KEY', { TLS_CERT: '/nowhere.pem' }],
      ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '10.0.0.0/99' }],
      ['CORS_ORIGINS', { CORS_ORIGINS: '*' }],
      ['RATE_LIMITS', { RATE_LIMITS: 'maybe' }],
      ['RESUME_WINDOW', { RESUME_WINDOW: '1' }],
      ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
      ['PUBLIC_URL', { PUBLIC_URL: 'ftp://example.org' }],
    ]
    for (const [names, variables] of nonsense) expectSentence(await refusal(data, variables), names)
    expect(existsSync(data)).toBe(false)
  },
  SPAWN_MS,
)

test(
  'what cannot be opened is named in one sentence',
  async () => {
    const url = await emptyDatabase('boot_refused')
    const { port } = new URL(parley.url)
    const file = join(mkdtempSync(join(tmpdir(), 'parley-boot-')), 'file')
    writeFileSync(file, '')
    const refusals: [string, Record<string, string>][] = [
      [`PORT ${port}`, { PORT: port, DATABASE_URL: url }],
      ['HOST', { HOST: '203.0.113.7', DATABASE_URL: url }],
      ['TLS_CERT', { TLS_CERT: '/nowhere.pem', TLS_KEY: '/nowhere.key', DATABASE_URL: url }],
      ['DATABASE_URL', { DATABASE_URL: 'postgres://parley:hunter2@127.0.0.1:1/parley' }],
      ['DATABASE_URL', { DATABASE_URL: url.replace('boot_refused', 'no_such_database') }],
      ['DATA_DIR', { DATA_DIR: file, DATABASE_URL: url }],
      ['DATA_DIR', { DATA_DIR: join(file, 'below'), DATABASE_URL: url }],
    ]
    for (const [names, variables] of refusals) {
      const refused = await refusal(dataDirectory(), variables)
      expectSentence(refused, names)
      expect(refused.error).not.toContain('hunter2')
    }
    rmSync(join(file, '..'), { recursive: true })
  },
  SPAWN_MS,
)

test(
  'a second Parley on the same DATA_DIR refuses and harms nothing, even after every connection was cut',
  async () => {
    const data = dataDirectory()
    const { child, parley: running } = await spawnParley(data)
    expectSentence(await refusal(data), 'Another Parley uses this DATA_DIR')
    const alice = await person(running, 'alice')
    const sql = openDatabase({ socket: join(data, 'postgres/run') }, 1)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and usename = 'parley'`
    await sql.end()
    await Bun.sleep(500)
    expectSentence(await refusal(data), 'Another Parley uses this DATA_DIR')
    expect((await alice.get('/api/auth/me')).status).toBe(200)
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
  },
  SPAWN_MS,
)

test(
  'one that is killed while it initialises its database starts the next time',
  async () => {
    const data = dataDirectory()
    const cluster = join(data, 'postgres')
    const child = launch(data)
    await until(() => existsSync(cluster) && readdirSync(cluster, { recursive: true }).some(isVersionFile), 20_000)
    child.kill('SIGKILL')
    await child.exited
    const next = await spawnParley(data)
    expect((await call(next.parley, 'GET', '/readyz')).status).toBe(200)
    next.child.kill('SIGTERM')
    expect(await next.child.exited).toBe(0)
  },
  SPAWN_MS,
)
const isVersionFile = (name: string | Buffer): boolean => String(name).endsWith('PG_VERSION')

test(
  'it works below a private directory, at a path too long for a socket',
  async () => {
    const data = dataDirectory('a-directory-with-a-long-name'.repeat(3), 'and-another-one'.repeat(6))
    mkdirSync(join(data, '..'), { recursive: true, mode: 0o700 })
    const { child, parley: running } = await spawnParley(data)
    await person(running, 'alice')
    const postmaster = postmasterOf(data) as number
    // PostgreSQL notes its socket's directory in the fifth line.
    const [, , , , sockets = ''] = readFileSync(join(data, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')
    expect(sockets).not.toStartWith(data)
    expect(statSync(sockets).mode & 0o077).toBe(0)
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
    expect(isAlive(postmaster)).toBe(false)
    rmSync(sockets, { recursive: true })
  },
  SPAWN_MS,
)

test(
  'migrations run once when two servers start at once, and the secrets are shared by the database',
  async () => {
    const url = await emptyDatabase('boot_twice')
    const directories = [dataDirectory(), dataDirectory()]
    const [one, two] = await Promise.all(directories.map((data) => spawnParley(data, { DATABASE_URL: url })))
    if (!one || !two) throw new Error('both were started')
    for (const data of directories) expect(existsSync(join(data, 'secrets.json'))).toBe(false)
    const alice = await person(one.parley, 'alice')
    expect((await call(two.parley, 'GET', '/api/auth/me', { token: alice.token })).body.id).toBe(alice.id)
    for (const { child } of [one, two]) child.kill('SIGTERM')
    expect(await Promise.all([one.child.exited, two.child.exited])).toEqual([0, 0])
  },
  SPAWN_MS,
)

test(
  'an edited, a missing and a late migration: the first two are refused, the third runs',
  async () => {
    const url = await emptyDatabase('boot_migrations')
    const sql = openDatabase({ url }, 3)
    const folder = mkdtempSync(join(tmpdir(), 'parley-sql-'))
    try {
      const source = join(import.meta.dir, '../sql')
      for (const name of readdirSync(source)) copyFileSync(join(source, name), join(folder, name))
      const [first, second] = await Promise.all([migrate(sql, folder), migrate(sql, folder)])
      expect([first.length, second.length].toSorted()).toEqual([0, readdirSync(source).length])
      expect(await migrate(sql, folder)).toEqual([])
      writeFileSync(join(folder, '0001_b_late.sql'), 'create table late (id int)')
      expect(await migrate(sql, folder)).toEqual(['0001_b_late.sql'])
      writeFileSync(join(folder, '0001_b_late.sql'), 'create table late (id bigint)')
      await expect(migrate(sql, folder)).rejects.toThrow('0001_b_late.sql was edited')
      rmSync(join(folder, '0001_b_late.sql'))
      await expect(migrate(sql, folder)).rejects.toThrow('does not have')
      writeFileSync(join(folder, '0001_b_late.sql'), 'create table late (id int)')
      writeFileSync(join(folder, '9999_broken.sql'), 'create table half (id int); create nonsense')
      await expect(migrate(sql, folder)).rejects.toThrow('9999_broken.sql does not run')
      rmSync(join(folder, '9999_broken.sql'))
      expect(await migrate(sql, folder)).toEqual([])
      expect(await sql`select 1 from pg_class where relname = 'half'`).toHaveLength(0)
    } finally {
      await sql.end()
      rmSync(folder, { recursive: true })
    }
  },
  SPAWN_MS,
)
