import { expect, test } from 'bun:test'
import { appendFileSync, chmodSync, chownSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openDatabase, SUPERUSER } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrate.ts'
import { PostgresLog } from '../../src/database/postgres-log.ts'
import { createDatabase, person, until } from '../support/harness.ts'
import { fill, smallDisk } from '../support/small-disk.ts'
import { dataDirectory, launch, postmasterOf, refusal, SPAWN_MS, spawnParley } from '../support/spawned.ts'

const isRoot = process.getuid?.() === 0
const NOBODY = 65534
const MIB = 1024 * 1024
const as = (uid: number): string[] => ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups']
/** In a private clone the other user cannot read the program. */
const readsProgram = (uid: number) =>
  [process.execPath, join(import.meta.dir, '../../src/main.ts')].every(
    (path) => Bun.spawnSync([...as(uid), 'test', '-r', path], { cwd: '/' }).success,
  )

/** Refused with exit code 1, in one sentence with these parts. */
async function expectRefusal(refused: ReturnType<typeof refusal>, ...parts: string[]): Promise<void> {
  const { code, out, error } = await refused
  expect([code, out, error.trimEnd().split('\n')]).toEqual([1, '', [expect.any(String)]])
  for (const part of parts) expect(error).toContain(part)
}

test(
  'PostgreSQL waits for the disk; death by a signal is reported at once, with signal and log',
  async () => {
    const data = dataDirectory()
    const first = await spawnParley(data)
    const sql = openDatabase({ socket: join(data, 'postgres/run'), database: 'postgres', role: SUPERUSER }, 1)
    const [{ fsync, commits } = {}] = await sql`
      select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commits`
    // The PostgreSQL shared by the tests runs without them.
    expect([fsync, commits]).toEqual(['on', 'on'])
    await sql.end()
    first.child.kill('SIGTERM')
    await first.child.exited
    // PostgreSQL waits for another server's log, and answers nobody meanwhile.
    const cluster = join(data, 'postgres/cluster')
    writeFileSync(join(cluster, 'standby.signal'), '')
    appendFileSync(join(cluster, 'postgresql.auto.conf'), 'hot_standby = off\n')
    const child = launch(data)
    await until(() => postmasterOf(data) !== undefined, 60_000)
    await Bun.sleep(500)
    const killed = performance.now()
    process.kill(postmasterOf(data) as number, 'SIGKILL')
    expect(await child.exited).toBe(1)
    expect(performance.now() - killed).toBeLessThan(5000)
    const output = await new Response(child.stderr).text()
    expect(output).toContain(`does not start (ended by SIGKILL); see ${cluster}.log.`)
  },
  SPAWN_MS,
)

test('the log of the last start is kept, and both logs are bounded', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'log-')), 'cluster.log')
  writeFileSync(path, `${'x'.repeat(3 * MIB)}the cause\n`)
  const log = new PostgresLog(path)
  const former = readFileSync(`${path}.1`, 'utf8')
  expect(former).toHaveLength(MIB)
  expect(former).toEndWith('the cause\n')
  // A process that appends continues at the beginning.
  const file = log.open()
  writeFileSync(file, `${'y'.repeat(2 * MIB)}another\n`)
  log.truncateIfLong()
  writeFileSync(file, 'goes on\n')
  expect(readFileSync(path, 'utf8')).toBe('goes on\n')
  expect(readFileSync(`${path}.1`, 'utf8')).toEndWith('another\n')
  expect(statSync(`${path}.1`).size).toBe(MIB)
  log.close()
  // A silent start keeps the earlier log.
  new PostgresLog(path).close()
  new PostgresLog(path).close()
  expect(readFileSync(`${path}.1`, 'utf8')).toBe('goes on\n')
})

test.if(smallDisk !== undefined)(
  'a long log of PostgreSQL on a full disk ends no server, and begins anew',
  async () => {
    await using disk = await smallDisk!(4 * MIB)
    const path = join(disk.seen_from_outside, 'cluster.log')
    const log = new PostgresLog(path)
    writeFileSync(path, `${'x'.repeat(2 * MIB)}FATAL:  could not write file "a": No space left on device\n`)
    await fill(join(disk.seen_from_outside, 'ballast'))
    expect(log.lastFault()).toBe('could not write file "a": No space left on device')
    log.truncateIfLong()
    expect(statSync(path).size).toBe(0)
    log.close()
  },
)

test.if(isRoot)(
  'a DATA_DIR of another user and a read-only one are named in one sentence',
  async () => {
    const data = dataDirectory()
    mkdirSync(data, { mode: 0o755 })
    for (const path of [dirname(dirname(data)), dirname(data)]) chmodSync(path, 0o711)
    if (readsProgram(65533))
      await expectRefusal(refusal(data, {}, as(65533)), 'DATA_DIR', data, 'belongs to the user with id 0', '65533')
    const readOnly = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'
    const wrapper = ['unshare', '--mount', 'sh', '-c', readOnly, data]
    await expectRefusal(refusal(data, {}, wrapper), 'DATA_DIR', data, 'read-only file system')
    expect(readdirSync(data)).toEqual([])
  },
  SPAWN_MS,
)

test.if(isRoot && readsProgram(NOBODY))(
  'a server of another user names the files that a restore left to root',
  async () => {
    const data = dataDirectory()
    for (const path of [dirname(dirname(data)), dirname(data)]) chmodSync(path, 0o711)
    mkdirSync(data, { mode: 0o700 })
    chownSync(data, NOBODY, NOBODY)
    const { child, parley } = await spawnParley(data, {}, as(NOBODY))
    await person(parley, 'alice')
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
    const files = ['secrets.json', 'objects', 'postgres/cluster/base/1/1259', 'postgres/cluster', 'postgres']
    for (const file of files) {
      chownSync(join(data, file), 0, 0)
      await expectRefusal(refusal(data, {}, as(NOBODY)), join(data, file), 'belongs to')
      chownSync(join(data, file), NOBODY, NOBODY)
    }
    const next = await spawnParley(data, {}, as(NOBODY))
    next.child.kill('SIGTERM')
    expect(await next.child.exited).toBe(0)
  },
  SPAWN_MS,
)

test(
  'a role that may not change the schema is refused in one sentence',
  async () => {
    const DATABASE_URL = await createDatabase('foreign', 'template1', SUPERUSER)
    await expectRefusal(refusal(dataDirectory(), { DATABASE_URL }), 'DATABASE_URL', 'owner of the database')
  },
  SPAWN_MS,
)

test('a first migration that fails leaves nothing behind, and runs once it is fixed', async () => {
  const sql = openDatabase({ url: await createDatabase('broken') }, 2)
  const folder = mkdtempSync(join(tmpdir(), 'parley-sql-'))
  const source = join(import.meta.dir, '../../sql')
  const [first = ''] = readdirSync(source).sort()
  writeFileSync(join(folder, first), 'create table half (id int); create nonsense')
  await expect(migrate(sql, { folder })).rejects.toThrow(`${first} does not run`)
  expect(await sql`select relname from pg_class where relnamespace = 'public'::regnamespace`).toHaveLength(0)
  copyFileSync(join(source, first), join(folder, first))
  expect(await migrate(sql, { folder })).toEqual([first])
  await sql.end()
})
