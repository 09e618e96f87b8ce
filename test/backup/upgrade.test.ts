import { expect, test } from 'bun:test'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lastBackup } from '../../src/backup/record.ts'
import { readHead } from '../../src/backup/restore.ts'
import { type Database, NOTICE_LISTENER_NAME, openDatabase } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrate.ts'
import { done, login, startOn } from '../support/backups.ts'
import { cheapHash, Person, stop } from '../support/harness.ts'
import { operating } from '../support/operator.ts'
import { dataDirectory, emptyDatabase, launch, refusal, SPAWN_MS } from '../support/spawned.ts'

const SQL = join(import.meta.dir, '../../sql')
/** The newest migration of version 0.14.0. */
const LANDED = '0018_quiet_reads.sql'
const ask = async () => ''

/** A folder with the migrations of version 0.14.0, and others. */
function folderWith(others: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'))
  for (const name of readdirSync(SQL).filter((candidate) => candidate <= LANDED))
    copyFileSync(join(SQL, name), join(folder, name))
  for (const [name, source] of Object.entries(others)) writeFileSync(join(folder, name), source)
  return folder
}

/** A database as version 0.14.0 left it, with one account. */
async function landed(name: string) {
  const DATABASE_URL = await emptyDatabase(name)
  const sql = openDatabase({ url: DATABASE_URL }, 2)
  await migrate(sql, { folder: folderWith() })
  await sql`alter table migrations drop column version`
  await sql`insert into users (username, email, password_hash, display_name)
    values ('alice', 'alice@example.org', ${await cheapHash}, 'Alice')`
  return { variables: { DATABASE_URL, DATA_DIR: dataDirectory() }, sql }
}

const alice = new Person({} as never, 1, 'alice', 'alice@example.org', 'Alice', '')
const namesOf = async (sql: Database) =>
  (await sql<{ name: string }[]>`select name from migrations order by name`).map(({ name }) => name)
const upgradesIn = (directory: string) => readdirSync(directory).filter((name) => name.startsWith('parley-upgrade-'))

test(
  'data of version 0.14.0 are backed up before their upgrade, and the backup restores',
  async () => {
    const { variables, sql } = await landed('upgrade')
    const parley = await startOn(variables)
    await login(parley, alice)
    const directory = join(variables.DATA_DIR, 'backups')
    const [name = '', ...others] = upgradesIn(directory)
    expect(others).toEqual([])
    const head = await readHead(join(directory, name), ask)
    expect(head.migrations.at(-1)?.name).toBe(LANDED)
    const [last] = await sql<{ version: string }[]>`select version from migrations order by name desc limit 1`
    expect(last?.version).toMatch(/^\d+\.\d+\.\d+$/)
    expect(await lastBackup(sql)).toBeUndefined()
    await stop(parley)

    const again = await startOn(variables)
    expect(upgradesIn(directory)).toHaveLength(1)
    await stop(again)
    const restored = { DATA_DIR: dataDirectory() }
    await done('restore', restored, join(directory, name))
    const elsewhere = await startOn(restored)
    await login(elsewhere, alice)
    await stop(elsewhere)
    await sql.end()
  },
  SPAWN_MS,
)

test(
  'a backup that does not fit is skipped with a line, and refused when UPGRADE_BACKUP requires it',
  async () => {
    const { variables, sql } = await landed('no_room')
    const BACKUP_DIR = mkdtempSync(join(tmpdir(), 'small-'))
    const wrapper =
      process.getuid?.() === 0 && Bun.which('unshare')
        ? ['unshare', '--mount', 'sh', '-c', `mount -t tmpfs -o size=1m tmpfs ${BACKUP_DIR} && exec "$@"`, 'sh']
        : []
    if (wrapper.length === 0) writeFileSync(join(BACKUP_DIR, 'file'), '')
    const small = wrapper.length === 0 ? join(BACKUP_DIR, 'file') : BACKUP_DIR
    const settings = { ...variables, BACKUP_DIR: small, LOG_LEVEL: 'info' }
    const { code, error } = await refusal(settings.DATA_DIR, { ...settings, UPGRADE_BACKUP: 'required' }, wrapper)
    expect([code, error.trimEnd().split('\n').length]).toEqual([1, 1])
    expect(error).toInclude('UPGRADE_BACKUP')
    expect((await namesOf(sql)).at(-1)).toBe(LANDED)

    const child = launch(settings.DATA_DIR, settings, wrapper)
    let output = ''
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream()))
      if ((output += chunk).includes('"listening"')) break
    expect(output).toInclude('upgrade.no_backup')
    expect((await namesOf(sql)).at(-1)).not.toBe(LANDED)
    child.kill('SIGTERM')
    await child.exited
    await sql.end()
  },
  SPAWN_MS,
)

test('if one of several migrations fails, all leave the old schema', async () => {
  const { sql } = await landed('together')
  const before = await namesOf(sql)
  const folder = folderWith({ '0100_good.sql': 'create table good (id int)', '0101_bad.sql': 'create nonsense' })
  await expect(migrate(sql, { folder })).rejects.toThrow('0101_bad.sql does not run')
  expect(await namesOf(sql)).toEqual(before)
  expect(await sql`select from pg_class where relname = 'good'`).toHaveLength(0)
  await sql.end()
})

test(
  'a process that is killed in the middle of a migration leaves the old schema, and the next one upgrades it',
  async () => {
    const { variables, sql } = await landed('killed')
    const before = await namesOf(sql)
    const folder = folderWith({
      '0100_slow.sql': 'create table slow (id int); select pg_sleep(5)',
      '0101_next.sql': 'create table next (id int)',
    })
    const script = `import { openDatabase } from '${SQL}/../src/database/database.ts'
      import { migrate } from '${SQL}/../src/database/migrate.ts'
      await migrate(openDatabase({ url: process.env.DATABASE_URL }, 1), { folder: '${folder}' })`
    const child = Bun.spawn([process.execPath, '-e', script], {
      env: operating({ DATABASE_URL: variables.DATABASE_URL }),
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    const sleeping = () =>
      sql`select from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`
    while ((await sleeping()).length === 0) await Bun.sleep(20)
    child.kill('SIGKILL')
    await child.exited
    expect(await namesOf(sql)).toEqual(before)
    expect(await migrate(sql, { folder })).toEqual(['0100_slow.sql', '0101_next.sql'])
    await sql.end()
  },
  SPAWN_MS,
)

test('an upgrade is refused while a server of an earlier version runs, and waits for no time limit', async () => {
  const { variables, sql } = await landed('earlier')
  const limit = "do $$ begin assert current_setting('statement_timeout') = '0'; end $$"
  const folder = folderWith({ '0100_limit.sql': limit })
  const server = openDatabase({ url: variables.DATABASE_URL }, 1, NOTICE_LISTENER_NAME)
  await server`select 1`
  await expect(migrate(sql, { folder })).rejects.toThrow('A server of an earlier version runs')
  expect((await namesOf(sql)).at(-1)).toBe(LANDED)
  await server.end()
  while ((await migrate(sql, { folder }).catch(() => [])).length === 0) await Bun.sleep(50)
  await sql.end()
})

test(
  'a program that meets a newer schema refuses to start in one sentence that names the version to use',
  async () => {
    const { variables, sql } = await landed('newer')
    await migrate(sql)
    await sql`insert into migrations (name, digest, version) values ('9999_future.sql', 'x', '9.8.7')`
    const { code, error } = await refusal(variables.DATA_DIR, variables)
    expect(code).toBe(1)
    expect(error).toMatch(/^The database has run sql\/9999_future\.sql.*: use Parley 9\.8\.7 or later\.\n$/)
    mkdirSync(variables.DATA_DIR, { recursive: true })
    expect(readdirSync(variables.DATA_DIR)).not.toContain('backups')
    await sql.end()
  },
  SPAWN_MS,
)
