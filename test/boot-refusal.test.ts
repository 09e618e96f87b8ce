import { expect, test } from 'bun:test'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase, SUPERUSER } from '../src/database/database.ts'
import { migrate } from '../src/database/migrate.ts'
import { person, standard } from './support/harness.ts'
import { dataDirectory, emptyDatabase, refusal, SPAWN_MS, spawnParley } from './support/spawned.ts'

const parley = await standard()

/** The server refused with exit code 1 and one sentence that names the remedy. */
function expectSentence({ code, out, error }: Awaited<ReturnType<typeof refusal>>, names: string): void {
  expect([names, code, out]).toEqual([names, 1, ''])
  expect(error.trimEnd().split('\n')).toHaveLength(1)
  expect(error).toContain(names)
}

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
  'a part that cannot be opened is named in one sentence',
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
    const sql = openDatabase({ socket: join(data, 'postgres/run'), role: SUPERUSER }, 1)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where pid <> pg_backend_pid() and usename like 'parley%'`
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
  'an edited, a missing and a late migration: the first two are refused, the third runs',
  async () => {
    const url = await emptyDatabase('boot_migrations')
    const sql = openDatabase({ url }, 3)
    const folder = mkdtempSync(join(tmpdir(), 'parley-sql-'))
    try {
      const source = join(import.meta.dir, '../sql')
      const names = readdirSync(source).filter((name) => /^\d{4}_/.test(name))
      for (const name of names) copyFileSync(join(source, name), join(folder, name))
      const [first, second] = await Promise.all([migrate(sql, { folder }), migrate(sql, { folder })])
      expect([first.length, second.length].toSorted()).toEqual([0, names.length])
      expect(await migrate(sql, { folder })).toEqual([])
      writeFileSync(join(folder, '0001_b_late.sql'), 'create table late (id int)')
      expect(await migrate(sql, { folder })).toEqual(['0001_b_late.sql'])
      writeFileSync(join(folder, '0001_b_late.sql'), 'create table late (id bigint)')
      await expect(migrate(sql, { folder })).rejects.toThrow('0001_b_late.sql was edited')
      rmSync(join(folder, '0001_b_late.sql'))
      await expect(migrate(sql, { folder })).rejects.toThrow('does not have')
      writeFileSync(join(folder, '0001_b_late.sql'), 'create table late (id int)')
      writeFileSync(join(folder, '9999_broken.sql'), 'create table half (id int); create nonsense')
      await expect(migrate(sql, { folder })).rejects.toThrow('9999_broken.sql does not run')
      rmSync(join(folder, '9999_broken.sql'))
      expect(await migrate(sql, { folder })).toEqual([])
      expect(await sql`select 1 from pg_class where relname = 'half'`).toHaveLength(0)
    } finally {
      await sql.end()
      rmSync(folder, { recursive: true })
    }
  },
  SPAWN_MS,
)
