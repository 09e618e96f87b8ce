import { messageOf, RefusesToBoot, refuseToBoot } from '../core/errors.ts'
import { type Database, IGNORED_BY_POOLERS, isReadOnly, type Sql } from './database.ts'

/** Oldest major version of PostgreSQL that the schema works with. */
const MAJOR_MIN = 15

const SESSIONS =
  'DATABASE_URL leads to a connection pooler that pools by transaction: it has to pool by session ' +
  '(pool_mode = session in PgBouncer), since Parley listens for notices and holds locks.'

/**
 * Makes the first connection.
 * @throws RefusesToBoot if DATABASE_URL is unreachable, or its PostgreSQL is unusable
 */
export async function reach(sql: Database): Promise<void> {
  const row = await firstAnswer(sql).catch((error: unknown) => {
    // With a list of hosts, the driver has asked each of them.
    if (isReadOnly(error)) return undefined
    if (/unsupported startup parameter/.test(messageOf(error)))
      throw new RefusesToBoot(
        `DATABASE_URL is not usable: ${messageOf(error)}; in PgBouncer, set ignore_startup_parameters = ` +
          `${IGNORED_BY_POOLERS.join(', ')}.`,
      )
    return refuseToBoot('DATABASE_URL')(error)
  })
  if (!row?.writes)
    throw new RefusesToBoot(
      'DATABASE_URL is a read-only PostgreSQL (a standby, or default_transaction_read_only is on): ' +
        'name the primary.',
    )
  demandVersion(row.version)
}

/**
 * @param version server_version_num, e.g. 150019
 * @throws RefusesToBoot if the PostgreSQL is too old
 */
export function demandVersion(version: number): void {
  const major = Math.floor(version / 10_000)
  if (major < MAJOR_MIN)
    throw new RefusesToBoot(`DATABASE_URL is not usable: PostgreSQL ${major} is too old, ${MAJOR_MIN} is needed.`)
}

async function firstAnswer(sql: Sql) {
  const [row] = await sql<{ writes: boolean; version: number }[]>`select
    current_setting('transaction_read_only') = 'off' as writes,
    current_setting('server_version_num')::int as version`.simple()
  return row
}

/**
 * Checks that each connection has its own session.
 * @param sql needs at least two connections
 * @throws RefusesToBoot if a pooler shares sessions
 */
export async function demandOwnSessions(sql: Database): Promise<void> {
  if (await sharesSessions(sql).catch(refuseToBoot('DATABASE_URL'))) throw new RefusesToBoot(SESSIONS)
}

/** True if the database accepts writes; a standby answers, too, but only reads. */
export async function takesWrites(sql: Sql): Promise<boolean> {
  const [row] = await sql<
    { writes: boolean }[]
  >`select current_setting('transaction_read_only') = 'off' as writes`.simple()
  return row?.writes === true
}

/** True if two connections, or two statements of one connection, use unexpected sessions: then a pooler shares them. */
async function sharesSessions(sql: Database): Promise<boolean> {
  const [one, other] = [await sql.reserve(), await sql.reserve()]
  try {
    const first = await sessionOf(one)
    // A statement pooler refuses transactions and closes the connection.
    const hasBegun = await other`begin`.simple().then(
      () => true,
      () => false,
    )
    if (!hasBegun) return true
    const second = await sessionOf(other)
    const again = await sessionOf(one)
    return first === second || first !== again
  } finally {
    await other`rollback`.simple().catch(() => {})
    one.release()
    other.release()
  }
}

async function sessionOf(sql: Sql): Promise<number | undefined> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`.simple()
  return row?.pid
}
