import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RefusesToBoot } from '../core/errors.ts'
import { type Database, NOTICE_LISTENER_NAME, openDatabase } from './database.ts'

/** sockaddr_un.sun_path is 108 bytes on Linux, 104 elsewhere, and PostgreSQL adds `/.s.PGSQL.5432.lock`. */
const SOCKET_DIRECTORY_BYTES_MAX = 80
const INSTANCE_LOCK = 7_201_505
/** A server that starts serves within this time, one that stops is gone. */
const SETTLE_SECONDS_MAX = 20
/** One that starts takes the lock within this time. */
const LOCK_MS_MAX = 2_000
const LOOK_MS = 50

/** Where the embedded PostgreSQL keeps its cluster. */
export const clusterOf = (home: string): string => join(home, 'cluster')

export function socketDirectory(home: string): string {
  const inside = join(home, 'run')
  if (Buffer.byteLength(inside) <= SOCKET_DIRECTORY_BYTES_MAX) return inside
  return join(tmpdir(), `parley-${createHash('sha256').update(home).digest('hex').slice(0, 16)}`)
}

/** Takes the lock that tells this Parley from another on the same directory; undefined: PostgreSQL does not answer. */
export const tryLock = (sql: Database): Promise<boolean | undefined> =>
  sql<{ held: boolean }[]>`select pg_try_advisory_lock(${INSTANCE_LOCK}) as held`.then(
    ([row]) => row?.held,
    () => undefined,
  )

/** What postmaster.pid says of the PostgreSQL that runs, or ran, in the cluster. Source: PostgreSQL, miscadmin.h. */
export function readPostmaster(cluster: string): { pid: number; socket: string } | undefined {
  const file = join(cluster, 'postmaster.pid')
  if (!existsSync(file)) return undefined
  const [pid, , , , socket = ''] = readFileSync(file, 'utf8').split('\n')
  return { pid: Number(pid), socket }
}

/** Whether the process is the PostgreSQL of this cluster: after a reboot the id may be anybody's. */
export function isPostgres(pid: number, cluster: string): boolean {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(cluster)
  } catch {
    return false
  }
}

/** @throws RefusesToBoot when there is no embedded PostgreSQL that this user may use: none is made by looking for it */
export function demandInstallation(dataDirectory: string): void {
  try {
    statSync(join(clusterOf(join(dataDirectory, 'postgres')), 'PG_VERSION'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES')
      throw new RefusesToBoot(`You may not enter ${dataDirectory}: run this as the user that the server runs as.`)
    throw new RefusesToBoot(
      `There is no Parley in ${dataDirectory}: set DATA_DIR to where the server keeps its data, or DATABASE_URL.`,
    )
  }
}

/** What goes on in a PostgreSQL: whether a server is reached there, and whether anyone holds it. */
async function lookInto(socket: string): Promise<{ served: boolean; held: boolean }> {
  const sql = openDatabase({ socket, database: 'postgres' }, 1, 'parley-instance')
  try {
    // Without taking the lock: a server that starts just now would be told that another runs.
    const [row] = await sql<{ served: boolean; held: boolean }[]>`select
      exists (select from pg_stat_activity where application_name = ${NOTICE_LISTENER_NAME}) as served,
      exists (select from pg_locks where locktype = 'advisory' and objid = ${INSTANCE_LOCK} and granted) as held`
    return row ?? { served: false, held: false }
  } catch {
    // It starts or stops.
    return { served: false, held: true }
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/**
 * The socket directory of the embedded PostgreSQL that a running server holds; undefined when none runs, or nobody
 * holds it. One that starts or stops is waited for.
 * @throws RefusesToBoot when another program holds it all the time
 */
export async function servedInstance(dataDirectory: string): Promise<string | undefined> {
  const cluster = clusterOf(join(dataDirectory, 'postgres'))
  const since = Date.now()
  for (let held_at = since; ; await Bun.sleep(LOOK_MS)) {
    const postmaster = readPostmaster(cluster)
    if (!postmaster || !isPostgres(postmaster.pid, cluster)) return undefined
    const { served, held } = await lookInto(postmaster.socket)
    if (served) return postmaster.socket
    if (held) held_at = Date.now()
    else if (Date.now() - held_at > LOCK_MS_MAX) return undefined
    if (Date.now() - since > SETTLE_SECONDS_MAX * 1000)
      throw new RefusesToBoot('Another program uses this DATA_DIR; try again when it has ended.')
  }
}
