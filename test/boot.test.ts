import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '../src/database/database.ts'
import { call, person, newServer, until } from './support/harness.ts'
import { connect } from './support/socket.ts'
import {
  dataDirectory,
  emptyDatabase,
  isAlive,
  launch,
  postmasterOf,
  SPAWN_MS,
  spawnParley,
} from './support/spawned.ts'

test(
  'one line says where the server listens, its secrets are private, and a SIGTERM ends it in order',
  async () => {
    const data = dataDirectory()
    const { output, child, parley: running } = await spawnParley(data)
    expect(output.trimEnd().split('\n')).toHaveLength(1)
    expect(output).toContain(running.url)
    expect(output).toContain(data)
    expect((await call(running, 'GET', '/healthz')).body).toEqual({ status: 'ok' })
    expect((await call(running, 'GET', '/readyz')).body.parts.database).toBe('ok')
    expect(statSync(join(data, 'secrets.json')).mode & 0o777).toBe(0o600)
    expect(statSync(data).mode & 0o077).toBe(0)

    const alice = await person(running, 'alice')
    const { server_id } = await newServer(alice)
    const live = await connect(alice)
    const postmaster = postmasterOf(data) as number
    const sql = openDatabase({ socket: join(data, 'postgres/run') }, 1)
    const hold = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const lock = sql.begin(async (tx) => {
      await tx`select 1 from servers where id = ${server_id} for update`
      locked.resolve()
      await hold.promise
    })
    await locked.promise
    const inFlight = alice.put(`/api/servers/${server_id}`, { name: 'Finished' })
    await until(async () => (await statementsWaiting(data)) > 0)
    const startMs = performance.now()
    child.kill('SIGTERM')
    expect(await live.closed).toMatchObject({ code: 1012 })
    hold.resolve()
    await lock
    await sql.end()
    expect((await inFlight).body.name).toBe('Finished')
    expect(await child.exited).toBe(0)
    expect(performance.now() - startMs).toBeLessThan(10_000)
    expect(isAlive(postmaster)).toBe(false)
  },
  SPAWN_MS,
)

/** The number of statements that wait for a lock. */
async function statementsWaiting(data: string): Promise<number> {
  const sql = openDatabase({ socket: join(data, 'postgres/run') }, 1)
  const [row] = await sql<{ waiting: number }[]>`
    select count(*)::int as waiting from pg_stat_activity where wait_event_type = 'Lock'`
  await sql.end()
  return row?.waiting ?? 0
}

test(
  'a request that never ends does not keep the server from ending within 10 s, and no PostgreSQL stays',
  async () => {
    const data = dataDirectory()
    const { child, parley: running } = await spawnParley(data)
    const alice = await person(running, 'alice')
    const { server_id } = await newServer(alice)
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
    const startMs = performance.now()
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
    expect(performance.now() - startMs).toBeLessThan(10_000)
    expect(isAlive(postmaster)).toBe(false)
    await ended
    await sql.end({ timeout: 0 })
  },
  SPAWN_MS,
)

test(
  'an idle keep-alive connection does not delay the end',
  async () => {
    const url = await emptyDatabase('boot_idle')
    const { child, parley: running } = await spawnParley(dataDirectory(), { DATABASE_URL: url })
    await fetch(`${running.url}/healthz`, { keepalive: true }).then((answer) => answer.text())
    const startMs = performance.now()
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
    expect(performance.now() - startMs).toBeLessThan(4000)
  },
  SPAWN_MS,
)

test(
  'a SIGTERM during the start leaves no PostgreSQL behind',
  async () => {
    const data = dataDirectory()
    const child = launch(data)
    await until(() => postmasterOf(data) !== undefined)
    const postmaster = postmasterOf(data) as number
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
    expect(isAlive(postmaster)).toBe(false)
  },
  SPAWN_MS,
)

test(
  'a server that is killed while it initialises its database starts the next time',
  async () => {
    const data = dataDirectory()
    const cluster = join(data, 'postgres')
    const child = launch(data)
    await until(() => existsSync(cluster) && readdirSync(cluster, { recursive: true }).some(isVersionFile))
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
  'the server works below a private directory, at a path too long for a socket',
  async () => {
    const data = dataDirectory('a-directory-with-a-long-name'.repeat(3), 'and-another-one'.repeat(6))
    mkdirSync(join(data, '..'), { recursive: true, mode: 0o700 })
    const { child, parley: running } = await spawnParley(data)
    await person(running, 'alice')
    const postmaster = postmasterOf(data) as number
    // PostgreSQL writes its socket's directory into the fifth line.
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
