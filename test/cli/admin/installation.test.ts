import { expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openDatabase } from '../../../src/database/database.ts'
import type { Parley } from '../../../src/parley.ts'
import { call, PASSWORD, Person, person, standard, until } from '../../support/harness.ts'
import { ADMIN, admin, done, operating, refused } from '../../support/operator.ts'
import { connect } from '../../support/socket.ts'
import {
  dataDirectory,
  emptyDatabase,
  isAlive,
  launch,
  postmasterOf,
  preparedDatabase,
  preparedDirectory,
  SPAWN_MS,
  spawnParley,
} from '../../support/spawned.ts'

/** Every file below a directory. */
const filesBelow = (directory: string) =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** Starts a server with a full log, and collects its output. */
async function spawnTalking(data: string) {
  const child = launch(data, { LOG_LEVEL: 'debug' })
  const chunks: Uint8Array[] = []
  const logs = () => Buffer.concat(chunks).toString()
  const read = async (stream: ReadableStream<Uint8Array>) => {
    for await (const chunk of stream) chunks.push(chunk)
  }
  const ended = Promise.all([read(child.stdout), read(child.stderr), child.exited])
  await until(() => logs().includes('listens on'), 60_000)
  const [, url = ''] = /listens on (\S+)/.exec(logs()) ?? []
  return { child, logs, ended, parley: { url, routes: (await standard()).routes } as Parley }
}

test(
  'commands work on a running server and a stopped one, and their effects last',
  async () => {
    const data = preparedDirectory()
    const here = { DATA_DIR: data }
    const first = await spawnTalking(data)
    const [alice, mallory] = [await person(first.parley, 'alice'), await person(first.parley, 'mallory')]
    const live = await connect(mallory)
    expect((await done(here, 'list')).accounts).toHaveLength(2)
    await done(here, 'suspend', mallory.username, '--reason', 'spam', '--yes')
    expect(await live.closed).toMatchObject({ code: 4003 })
    expect((await mallory.get('/api/auth/me')).body.code).toBe('token_revoked')
    const { password } = await done(here, 'reset-password', alice.username, '--yes')
    expect((await alice.get('/api/auth/me')).body.code).toBe('token_revoked')
    first.child.kill('SIGTERM')
    expect((await first.ended)[2]).toBe(0)
    expect(first.logs()).toInclude('/api/auth/me')
    for (const secret of [password, alice.email, alice.token]) expect(first.logs()).not.toInclude(secret)

    const again = await done(here, 'reset-password', alice.username, '--yes')
    expect((await done(here, 'figures')).running_servers).toBe(0)
    expect(postmasterOf(data)).toBeUndefined()
    // The write-ahead log included.
    const secrets = [password, again.password].map((secret) => Buffer.from(secret))
    const files = filesBelow(data)
    expect(files.some((file) => file.includes('pg_wal'))).toBe(true)
    for (const file of files) {
      const bytes = readFileSync(file)
      for (const secret of secrets) expect([file, bytes.includes(secret)]).toEqual([file, false])
    }

    const second = await spawnParley(data)
    const login = (who: Person, withPassword: string) =>
      call(second.parley, 'POST', '/api/auth/login', { body: { username: who.username, password: withPassword } })
    expect((await login(mallory, PASSWORD)).body.code).toBe('account_suspended')
    expect((await login(alice, password)).status).toBe(401)
    expect((await login(alice, again.password)).status).toBe(200)
    expect((await done(here, 'log')).entries).toHaveLength(5)
    second.child.kill('SIGTERM')
    expect(await second.child.exited).toBe(0)
  },
  SPAWN_MS,
)

test(
  'after a kill -9 commands take over the server’s leftovers, also concurrently, and the server starts again',
  async () => {
    const data = preparedDirectory()
    const { child, parley } = await spawnParley(data)
    const alice = await person(parley, 'alice')
    const postmaster = postmasterOf(data) as number
    child.kill('SIGKILL')
    await child.exited
    expect((await done({ DATA_DIR: data }, 'show', alice.username)).account.id).toBe(alice.id)
    expect(isAlive(postmaster)).toBe(false)
    expect(postmasterOf(data)).toBeUndefined()
    // Each command starts and stops PostgreSQL, so concurrent ones take turns.
    await Promise.all(Array.from({ length: 5 }, () => done({ DATA_DIR: data }, 'list')))
    expect((await done({ DATA_DIR: data }, 'log')).entries).toHaveLength(6)
    expect(postmasterOf(data)).toBeUndefined()
    const next = await spawnParley(data)
    expect((await new Person(next.parley, alice.id, '', '', '', alice.token).get('/api/auth/me')).status).toBe(200)
    next.child.kill('SIGTERM')
    expect(await next.child.exited).toBe(0)
  },
  SPAWN_MS,
)

test(
  'without an installation a command says so in one sentence, and makes none',
  async () => {
    const data = dataDirectory()
    expect(await refused({ DATA_DIR: data }, 'list')).toStartWith(`There is no Parley in ${data}`)
    expect(existsSync(data)).toBe(false)
    mkdirSync(data)
    expect(await refused({ DATA_DIR: data }, 'list')).toStartWith(`There is no Parley in ${data}`)
    expect(readdirSync(data)).toEqual([])
    const url = await emptyDatabase('admin_empty')
    expect(await refused({ DATABASE_URL: url }, 'list')).toStartWith('There is no Parley in this database')
    const sql = openDatabase({ url }, 1)
    expect(await sql`select 1 from pg_class where relnamespace = 'public'::regnamespace`).toHaveLength(0)
    await sql`create table migrations (name text primary key)`
    expect(await refused({ DATABASE_URL: url }, 'list')).toContain('has not run sql/0001_accounts.sql')
    await sql.end()
    const away = 'postgres://parley:hunter2@127.0.0.1:1/parley'
    const refusal = await refused({ DATABASE_URL: away }, 'list')
    expect(refusal).toStartWith('DATABASE_URL is not usable')
    expect(refusal).not.toContain('hunter2')
    expect(await refused({ DATABASE_URL: 'mysql://localhost/x' }, 'list')).toStartWith('DATABASE_URL is not usable')
  },
  SPAWN_MS,
)

test(
  'a user of the machine without access to DATA_DIR can do nothing',
  async () => {
    const data = preparedDirectory()
    const { child } = await spawnParley(data)
    const modes = ['.', 'postgres/cluster', 'postgres/run'].map((name) => statSync(join(data, name)).mode)
    for (const mode of modes) expect(mode & 0o077).toBe(0)
    // Its group is PostgreSQL's, which needs to enter.
    expect(statSync(join(data, 'postgres')).mode & 0o067).toBe(0)
    // Only root can become another user; for others the modes above are the test.
    if (process.getuid?.() === 0) {
      chmodSync(dirname(data), 0o755)
      const become = ['setpriv', '--reuid=65533', '--regid=65533', '--clear-groups']
      // In a private clone she cannot even read the program.
      const canRead = ADMIN.every((path) => Bun.spawnSync([...become, 'test', '-r', path], { cwd: '/' }).success)
      for (const typed of [['list'], ['suspend', 'alice', '--reason', 'x', '--yes']]) {
        const tried = Bun.spawn([...become, ...ADMIN, ...typed], {
          env: operating({ DATA_DIR: data }),
          cwd: '/',
          stdin: 'ignore',
          stdout: 'pipe',
          stderr: 'pipe',
        })
        expect(await tried.exited).not.toBe(0)
        expect(await new Response(tried.stdout).text()).toBe('')
        if (canRead) expect(await new Response(tried.stderr).text()).toStartWith(`You may not enter ${data}`)
      }
    }
    expect((await done({ DATA_DIR: data }, 'log')).entries).toEqual([])
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
  },
  SPAWN_MS,
)

/** Runs a command at a terminal, and types `answer` at its question. */
async function atTerminal(here: Record<string, string>, answer: string, ...typed: string[]) {
  let screen = ''
  const child = Bun.spawn([...ADMIN, ...typed], {
    env: operating({ TERM: 'xterm', ...here }),
    terminal: { cols: 200, rows: 50, data: (_terminal, bytes) => void (screen += Buffer.from(bytes).toString()) },
  })
  await until(() => screen.includes('to confirm:'))
  child.terminal?.write(answer)
  return { code: await child.exited, screen }
}

test(
  'at a terminal, an irreversible act needs to be typed once more',
  async () => {
    const url = await preparedDatabase('admin_terminal')
    const { child, parley } = await spawnParley(dataDirectory(), { DATABASE_URL: url })
    const here = { DATABASE_URL: url }
    const alice = await person(parley, 'alice')
    for (const answer of ['yes\r', '\r', '\u0004']) {
      const { code, screen } = await atTerminal(here, answer, 'end-sessions', alice.username)
      expect([answer, code]).toEqual([answer, 1])
      expect(screen).toContain('nothing was done')
    }
    expect((await alice.get('/api/auth/me')).status).toBe(200)
    const { code, screen } = await atTerminal(here, `${alice.username}\r`, 'end-sessions', alice.username)
    expect(code).toBe(0)
    expect(screen).toContain('1 session has ended')
    expect((await alice.get('/api/auth/me')).body.code).toBe('token_revoked')
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
  },
  SPAWN_MS,
)

test(
  'with two servers on one database, both have acted when the command returns',
  async () => {
    const url = await preparedDatabase('admin_two')
    const nodes = [
      await spawnParley(dataDirectory(), { DATABASE_URL: url }),
      await spawnParley(dataDirectory(), { DATABASE_URL: url }),
    ]
    const [one, two] = nodes
    if (!one || !two) throw new Error('both were started')
    const alice = await person(one.parley, 'alice')
    const elsewhere = new Person(two.parley, alice.id, alice.username, alice.email, '', alice.token)
    const lives = [await connect(alice), await connect(elsewhere)]
    expect((await elsewhere.get('/api/auth/me')).status).toBe(200)
    expect((await done({ DATABASE_URL: url }, 'figures')).running_servers).toBe(2)
    await done({ DATABASE_URL: url }, 'suspend', alice.username, '--reason', 'x', '--yes')
    expect((await elsewhere.get('/api/auth/me')).body.code).toBe('token_revoked')
    for (const live of lives) expect(await live.closed).toMatchObject({ code: 4003 })
    // A server that does not answer is named, and follows later.
    const bob = await person(one.parley, 'bob')
    const late = await connect(new Person(two.parley, bob.id, bob.username, bob.email, '', bob.token))
    two.child.kill('SIGSTOP')
    const { code, error } = await admin({ DATABASE_URL: url }, 'end-sessions', bob.username, '--yes')
    expect([code, (await bob.get('/api/auth/me')).status]).toEqual([0, 401])
    expect(error).toContain('1 of the running servers did not confirm')
    two.child.kill('SIGCONT')
    expect(await late.closed).toMatchObject({ code: 4003 })
    for (const { child } of nodes) child.kill('SIGTERM')
    expect(await Promise.all(nodes.map(({ child }) => child.exited))).toEqual([0, 0])
  },
  SPAWN_MS,
)
