import { messageOf, RefusesToBoot, refuseToBoot } from '../core/errors.ts'
import { type Database, IGNORED_BY_POOLERS, type Sql } from './database.ts'

const SESSIONS =
  'DATABASE_URL leads to a connection pooler that pools by transaction: it has to pool by session ' +
  '(pool_mode = session in PgBouncer), since Parley listens for notices and holds locks.'

/**
 * Makes the first connection.
 * @throws RefusesToBoot if DATABASE_URL is unreachable, or its PostgreSQL is unusable
 */
export async function reach(sql: Database): Promise<void> {
  const isWritable = await takesWrites(sql).catch((error: unknown) => {
    if (/unsupported startup parameter/.test(messageOf(error)))
      throw new RefusesToBoot(
        `DATABASE_URL is not usable: ${messageOf(error)}; in PgBouncer, set ignore_startup_parameters = ` +
          `${IGNORED_BY_POOLERS.join(', ')}.`,
      )
    return refuseToBoot('DATABASE_URL')(error)
  })
  if (!isWritable)
    throw new RefusesToBoot(
      'DATABASE_URL is a read-only PostgreSQL (a standby, or default_transaction_read_only is on): ' +
        'name the primary.',
    )
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
