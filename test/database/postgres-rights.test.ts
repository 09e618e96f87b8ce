import { expect, test } from 'bun:test'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openDatabase, SUPERUSER } from '../../src/database/database.ts'
import { call, person } from '../support/harness.ts'
import { dataDirectory, postmasterOf, refusal, SPAWN_MS, type Spawned, spawnParley } from '../support/spawned.ts'

const isRoot = process.getuid?.() === 0
const NOBODY = 65534
const as = (uid: number): string[] => ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups']
const socketOf = (data: string) => join(data, 'postgres/run')

async function end({ child }: Spawned): Promise<void> {
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
}

/** A line of a process's status, e.g. its user ids or a set of its capabilities. */
const statusOf = (pid: number, name: string): string =>
  new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? ''

/** The capabilities of the PostgreSQL under a DATA_DIR. */
const capabilitiesOf = (data: string): bigint[] =>
  ['CapEff', 'CapPrm', 'CapInh', 'CapAmb'].map((set) => BigInt(`0x${statusOf(postmasterOf(data) as number, set)}`))

const uidOf = (data: string): number => Number(statusOf(postmasterOf(data) as number, 'Uid').split('\t')[0])

/** PostgreSQL's answer to a user who connects without a password. */
function answerTo(uid: number, socket: string, role: string): string {
  const program = `
    const body = Buffer.from('\\0\\x03\\0\\0user\\0${role}\\0database\\0parley\\0\\0', 'latin1')
    const length = Buffer.alloc(4)
    length.writeUInt32BE(body.length + 4)
    await Bun.connect({ unix: process.argv[1] + '/.s.PGSQL.5432', socket: {
      open: (socket) => void socket.write(Buffer.concat([length, body])),
      data: (_, bytes) => { console.log(bytes.toString('latin1')); process.exit() },
    } }).catch((error) => console.log(error.code))`
  const env = { PATH: process.env.PATH ?? '' }
  const { stdout } = Bun.spawnSync([...as(uid), process.execPath, '-e', program, socket], { cwd: '/', env })
  return stdout.toString()
}

test.if(isRoot)(
  'started by root, PostgreSQL has its own user id, no capability, and serves nobody else',
  async () => {
    const data = dataDirectory()
    const parley = await spawnParley(data)
    expect(capabilitiesOf(data)).toEqual([0n, 0n, 0n, 0n])
    const uid = uidOf(data)
    expect(uid).not.toBe(NOBODY)
    expect(readFileSync('/etc/passwd', 'utf8')).not.toContain(`:${uid}:`)
    // The directories above are open to everyone; those of PostgreSQL are closed.
    for (const path of [dirname(dirname(data)), dirname(data), data]) chmodSync(path, 0o711)
    for (const other of [NOBODY, 65533])
      for (const path of ['', 'run', 'cluster', 'run/.s.PGSQL.5432', 'cluster/PG_VERSION', 'pg_hba.conf']) {
        const enters = Bun.spawnSync([...as(other), 'ls', join(data, 'postgres', path)], { cwd: '/' })
        expect([other, path, enters.exitCode]).toEqual([other, path, 2])
      }
    expect(answerTo(NOBODY, socketOf(data), SUPERUSER)).not.toContain('R\0\0\0')
    // A user who reaches the socket is refused too: by the user id, not by a password.
    chmodSync(join(data, 'postgres'), 0o711)
    chmodSync(socketOf(data), 0o711)
    chmodSync(join(socketOf(data), '.s.PGSQL.5432'), 0o777)
    for (const other of [NOBODY, 65533, uid])
      for (const role of [SUPERUSER, 'parley_app', 'postgres']) {
        const answer = answerTo(other, socketOf(data), role)
        expect([other, role, answer]).toEqual([
          other,
          role,
          expect.stringMatching(/28000|no pg_hba.conf entry|authentic/),
        ])
        expect(answer).toStartWith('E')
      }
    // PostgreSQL cannot read root's files, even for its superuser.
    const secret = join(data, 'secrets.json')
    const sql = openDatabase({ socket: socketOf(data), role: SUPERUSER }, 1)
    for (const path of [secret, '/etc/shadow', `/proc/${parley.child.pid}/environ`])
      await expect(sql`select pg_read_file(${path})`.execute()).rejects.toThrow(/ermission denied|o such file/)
    await sql.end()
    await end(parley)

    // The next start reuses the id; open directories need no mounts.
    const next = await spawnParley(data, {}, ['setpriv', '--bounding-set=-sys_admin'])
    expect([uidOf(data), ...capabilitiesOf(data)]).toEqual([uid, 0n, 0n, 0n, 0n])
    expect(statSync(join(data, 'postgres')).mode & 0o777).toBe(0o710)
    expect(statSync(socketOf(data)).mode & 0o777).toBe(0o700)
    await end(next)
  },
  SPAWN_MS,
)

test.if(isRoot)(
  'if mounts are forbidden and its directories closed, one capability stays, and the log says why',
  async () => {
    const data = dataDirectory()
    const wrapper = ['setpriv', '--bounding-set=-sys_admin']
    const { child, output } = await spawnParley(data, { LOG_LEVEL: 'warn' }, wrapper)
    const warning = JSON.parse(output.split('\n')[0] ?? '')
    expect(warning).toMatchObject({ level: 'warn', event: 'postgres.capability', capability: 'dac_read_search' })
    expect(warning.directories).toHaveLength(1)
    expect(data).toStartWith(warning.directories[0])
    expect(warning.remedy).toContain('chmod o+x')
    expect(capabilitiesOf(data)).toEqual([4n, 4n, 4n, 4n])
    expect(uidOf(data)).not.toBe(NOBODY)
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
  },
  SPAWN_MS,
)

test(
  'the server’s role is no superuser: no programs, no files, no settings, no other roles',
  async () => {
    const data = dataDirectory()
    const parley = await spawnParley(data)
    await person(parley.parley, 'alice')
    const sql = openDatabase({ socket: socketOf(data) }, 1)
    const roles = await sql`select distinct usename from pg_stat_activity
      where application_name like 'parley%' and application_name <> 'parley-instance'`
    expect(roles.map(({ usename }) => usename)).toEqual(['parley_app'])
    const tricks = [
      `copy (select 1) to program 'id'`,
      `copy users (email) from program 'id'`,
      `copy users (email) from '/etc/passwd'`,
      `copy users to '/tmp/users'`,
      `select pg_read_file('/etc/passwd')`,
      `select pg_ls_dir('.')`,
      `select lo_import('/etc/passwd')`,
      `alter system set work_mem = '1GB'`,
      `set role parley`,
      `set session authorization parley`,
      `alter role parley_app superuser`,
      `create role mallory superuser`,
      `grant pg_read_server_files to parley_app`,
      `create database mallory`,
      `create extension file_fdw`,
      `create function f() returns int language c as 'libc', 'getpid'`,
      `select rolpassword from pg_authid`,
      `load 'pg_stat_statements'`,
    ]
    for (const trick of tricks)
      await expect(sql.unsafe(trick).then(() => trick)).rejects.toThrow(/ermission denied|must be|not allowed|only/i)
    const [foreign] = await sql`select count(*)::int as objects from pg_class
      where relnamespace = 'public'::regnamespace and pg_get_userbyid(relowner) <> 'parley_app'`
    expect(foreign?.objects).toBe(0)
    await sql.end()
    await end(parley)
  },
  SPAWN_MS,
)

test(
  'a cluster of a landed version opens complete, and belongs to the role and the user from then on',
  async () => {
    const data = dataDirectory()
    const first = await spawnParley(data)
    const alice = await person(first.parley, 'alice')
    // As a landed version left it: one superuser owns everything; started by root, it runs as `nobody`.
    const sql = openDatabase({ socket: socketOf(data), role: SUPERUSER }, 1)
    await sql.unsafe(`reassign owned by parley_app to parley; alter database parley owner to parley`)
    await sql.unsafe(`create type mood as enum ('calm'); create domain age as int; create sequence free;
      create materialized view counted as select count(*) from users; create schema more;
      create table more."T b" (id int); create aggregate total(int) (sfunc = int4pl, stype = int);
      create procedure act(int) language sql begin atomic; end;
      create extension citext; create extension pg_stat_statements`)
    await sql.unsafe('drop owned by parley_app; drop role parley_app').catch(() => {})
    await sql.end()
    await end(first)
    if (isRoot) Bun.spawnSync(['chown', '-R', `${NOBODY}:${NOBODY}`, join(data, 'postgres')])
    writeFileSync(join(data, 'postgres/cluster.log'), 'what went wrong before\n')

    const next = await spawnParley(data)
    expect((await call(next.parley, 'GET', '/api/auth/me', { token: alice.token })).body.id).toBe(alice.id)
    await person(next.parley, 'bob')
    const own = openDatabase({ socket: socketOf(data) }, 1)
    const remaining = await own`
      select relname as name from pg_class where relowner = 'parley'::regrole and relnamespace >= 16384 union all
      select relname from pg_class where relnamespace = 'public'::regnamespace and relowner = 'parley'::regrole
        and relname !~ '^pg_stat_statements' union all
      select typname from pg_type where typname in ('mood', 'age', '_mood') and typowner = 'parley'::regrole union all
      select proname from pg_proc where proname in ('iso', 'total', 'act') and proowner = 'parley'::regrole`
    expect(remaining.map(({ name }) => name)).toEqual([])
    await own.end()
    const owners = Bun.spawnSync(['find', join(data, 'postgres/cluster'), '-uid', String(NOBODY)])
    if (isRoot) expect(owners.stdout.toString()).toBe('')
    expect(readFileSync(join(data, 'postgres/cluster.log.1'), 'utf8')).toBe('what went wrong before\n')
    await end(next)
  },
  SPAWN_MS,
)

test.if(isRoot)(
  'files that a restore left to root are given back, and hard links to other files are not',
  async () => {
    const data = dataDirectory()
    await end(await spawnParley(data))
    const cluster = join(data, 'postgres/cluster')
    Bun.spawnSync(['chown', '-R', '0:0', join(data, 'postgres')])
    Bun.spawnSync(['chmod', '755', cluster])
    await end(await spawnParley(data))
    expect(Bun.spawnSync(['find', cluster, '-uid', '0']).stdout.toString()).toBe('')

    const secret = join(mkdtempSync(join(tmpdir(), 'secret-')), 'file')
    writeFileSync(secret, '', { mode: 0o600 })
    Bun.spawnSync(['ln', secret, join(cluster, 'base/link')])
    const { code, error } = await refusal(data)
    expect([code, error]).toEqual([1, expect.stringContaining('base/link is a hard link')])
    expect(statSync(secret).uid).toBe(0)
    rmSync(dirname(secret), { recursive: true })
  },
  SPAWN_MS,
)

test.if(isRoot)(
  'a link in place of a directory is not followed',
  async () => {
    const data = dataDirectory()
    const target = mkdtempSync(join(tmpdir(), 'target-'))
    mkdirSync(join(data, 'postgres'), { recursive: true, mode: 0o700 })
    Bun.spawnSync(['ln', '-s', target, join(data, 'postgres/run')])
    const { code, error } = await refusal(data)
    expect([code, error]).toEqual([1, expect.stringContaining('run is not a directory')])
    expect(statSync(target).uid).toBe(0)
  },
  SPAWN_MS,
)
