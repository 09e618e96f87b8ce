import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { codeOf, RefusesToBoot } from '../core/errors.ts'
import { type Database, NOTICE_LISTENER_NAME, openDatabase, SUPERUSER } from './database.ts'

/** sockaddr_un.sun_path is 108 bytes on Linux, 104 elsewhere, and PostgreSQL adds `/.s.PGSQL.5432.lock`. */
const SOCKET_DIRECTORY_BYTES_MAX = 80
const INSTANCE_LOCK = 7_201_505
/** A starting server is ready, and a stopping one gone, within this time. */
const START_OR_STOP_SECONDS_MAX = 20
/** A starting server takes the lock within this time. */
const LOCK_MS_MAX = 2_000
const POLL_MS = 50

/** The data directory of the embedded PostgreSQL. */
export const clusterOf = (home: string): string => join(home, 'cluster')

/** The directory of its Unix socket: next to the data, or in the temporary directory if that path is too long. */
export function socketDirectory(home: string): string {
  const inside = join(home, 'run')
  if (Buffer.byteLength(inside) <= SOCKET_DIRECTORY_BYTES_MAX) return inside
  return join(tmpdir(), `parley-${createHash('sha256').update(home).digest('hex').slice(0, 16)}`)
}

/** A connection for instance-wide work: its lock, roles and databases. */
export const openInstance = (socket: string, onClose?: () => void): Database =>
  openDatabase({ socket, database: 'postgres', role: SUPERUSER }, 1, 'parley-instance', onClose)

/**
 * Takes the lock that ensures one Parley per data directory.
 * @returns false if another process holds it; undefined if PostgreSQL does not answer
 */
export const tryLock = (sql: Database): Promise<boolean | undefined> =>
  sql<{ held: boolean }[]>`select pg_try_advisory_lock(${INSTANCE_LOCK}) as held`.then(
    ([row]) => row?.held,
    () => undefined,
  )

/** The PostgreSQL that runs, or ran last, on the cluster. Source: PostgreSQL, miscadmin.h (postmaster.pid). */
export function readPostmaster(cluster: string): { pid: number; socket: string; status: string } | undefined {
  try {
    const file = readFileSync(join(cluster, 'postmaster.pid'), 'utf8')
    const [pid, , , , socket = '', , , status = ''] = file.split('\n')
    return { pid: Number(pid), socket, status: status.trim() }
  } catch {
    return undefined
  }
}

/** True if this process serves the cluster and accepts connections. Source: PostgreSQL, miscadmin.h, pg_ctl.h. */
export function isPostmasterReady(cluster: string, pid: number | undefined): boolean {
  const postmaster = readPostmaster(cluster)
  return postmaster?.pid === pid && postmaster?.status === 'ready'
}

/** True if the process is this cluster's PostgreSQL. After a reboot another process may have its id. */
export function isPostgres(pid: number, cluster: string): boolean {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(cluster)
  } catch {
    return false
  }
}

/**
 * Checks that an embedded PostgreSQL exists, without creating one.
 * @throws RefusesToBoot if there is none that this user may use
 */
export function demandInstallation(dataDirectory: string): void {
  try {
    statSync(join(clusterOf(join(dataDirectory, 'postgres')), 'PG_VERSION'))
  } catch (error) {
    if (codeOf(error) === 'EACCES')
      throw new RefusesToBoot(`You may not enter ${dataDirectory}: run this as the user that the server runs as.`)
    throw new RefusesToBoot(
      `There is no Parley in ${dataDirectory}: set DATA_DIR to where the server keeps its data, or DATABASE_URL.`,
    )
  }
}

/** Tells whether a Parley server uses this PostgreSQL, and whether any process holds its lock. */
async function statusOf(socket: string): Promise<{ served: boolean; isHeld: boolean }> {
  const sql = openInstance(socket)
  try {
    // Only reads the lock: if this program took it, a server starting now would report another running server.
    const [row] = await sql<{ served: boolean; held: boolean }[]>`select
      exists (select from pg_stat_activity where application_name = ${NOTICE_LISTENER_NAME}) as served,
      exists (select from pg_locks where locktype = 'advisory' and objid = ${INSTANCE_LOCK} and granted) as held`
    return { served: row?.served ?? false, isHeld: row?.held ?? false }
  } catch {
    // PostgreSQL is starting or stopping.
    return { served: false, isHeld: true }
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/**
 * The socket directory of the embedded PostgreSQL that a running server uses; undefined if no server runs. Waits for a
 * server that is starting or stopping.
 * @throws RefusesToBoot if another program keeps the lock
 */
export async function servedInstance(dataDirectory: string): Promise<string | undefined> {
  const cluster = clusterOf(join(dataDirectory, 'postgres'))
  const since = Date.now()
  for (let heldAt = since; ; await Bun.sleep(POLL_MS)) {
    const postmaster = readPostmaster(cluster)
    if (!postmaster || !isPostgres(postmaster.pid, cluster)) return undefined
    const { served, isHeld } = await statusOf(postmaster.socket)
    if (served) return postmaster.socket
    if (isHeld) heldAt = Date.now()
    else if (Date.now() - heldAt > LOCK_MS_MAX) return undefined
    if (Date.now() - since > START_OR_STOP_SECONDS_MAX * 1000)
      throw new RefusesToBoot('Another program is using this DATA_DIR; try again when it has ended.')
  }
}
