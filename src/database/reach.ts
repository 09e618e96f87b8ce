import { messageOf, RefusesToBoot, refuseToBoot } from '../core/errors.ts'
import { type Database, IGNORED_BY_POOLERS, type Sql } from './database.ts'

const SESSIONS =
  'DATABASE_URL leads to a connection pooler that pools by transaction: it has to pool by session ' +
  '(pool_mode = session in PgBouncer), since Parley listens for notices and holds locks.'

/**
 * Connects for the first time.
 * @throws RefusesToBoot when DATABASE_URL leads nowhere, or to a PostgreSQL that cannot be used
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
      'DATABASE_URL leads to a PostgreSQL that takes no writes (a standby, or default_transaction_read_only is on): ' +
        'name the primary.',
    )
}

/**
 * Checks that each connection has a session of its own.
 * @param sql of two connections at least
 * @throws RefusesToBoot when a pooler shares them
 */
export async function demandOwnSessions(sql: Database): Promise<void> {
  if (await sharesSessions(sql).catch(refuseToBoot('DATABASE_URL'))) throw new RefusesToBoot(SESSIONS)
}

/** Whether the database writes; a standby answers too. */
export async function takesWrites(sql: Sql): Promise<boolean> {
  const [row] = await sql<
    { writes: boolean }[]
  >`select current_setting('transaction_read_only') = 'off' as writes`.simple()
  return row?.writes === true
}

/** Whether two connections, or two statements of one, meet other sessions than their own: then a pooler shares them. */
async function sharesSessions(sql: Database): Promise<boolean> {
  const [one, other] = [await sql.reserve(), await sql.reserve()]
  try {
    const first = await sessionOf(one)
    // A pooler by statement refuses transactions, and ends the connection.
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
