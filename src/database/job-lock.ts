import type { Sql, Transaction } from './database.ts'

/** Class of the advisory locks of background jobs. */
const JOB_LOCKS = 7_201_508

/**
 * True if the query yields a row. Jobs call this first: they seldom find work, and their transaction costs four
 * statements or more.
 * @param rows a query; its columns do not matter. Its order and limit are kept, because `exists` would drop them and
 * scan a large table from its beginning.
 */
export async function isAny(sql: Sql, rows: ReturnType<Sql>): Promise<boolean> {
  const [row] = await sql`select 1 from (${rows}) due limit 1`
  return row !== undefined
}

/**
 * Takes a background job's lock until the transaction ends.
 * @returns false if another transaction holds it, on any node
 */
export async function claim(sql: Transaction, job: string): Promise<boolean> {
  const [row] = await sql<{ claimed: boolean }[]>`
    select pg_try_advisory_xact_lock(${JOB_LOCKS}, hashtext(${job})) as claimed`
  return row?.claimed === true
}

/**
 * Takes a background job's lock until the connection ends.
 * @returns false if another connection holds it, on any node
 */
export async function tryLockJob(connection: Sql, job: string): Promise<boolean> {
  const [row] = await connection<{ held: boolean }[]>`
    select pg_try_advisory_lock(${JOB_LOCKS}, hashtext(${job})) as held`
  return row?.held === true
}

/**
 * Waits until no job of this name runs, and blocks it until the connection ends. The lock is shared, so that several
 * backups can block a job concurrently.
 */
export async function blockJob(connection: Sql, job: string): Promise<void> {
  await connection`select pg_advisory_lock_shared(${JOB_LOCKS}, hashtext(${job}))`
}

/**
 * True if a background job runs, on any node. The shared lock of blockJob does not count: its job waits, and does not
 * run.
 */
export async function isJobLocked(sql: Sql, job: string): Promise<boolean> {
  const [row] = await sql<{ held: boolean }[]>`select exists (
    select from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and granted and objsubid = 2
      and database = (select oid from pg_database where datname = current_database())
      and classid = ${JOB_LOCKS}::int::oid and objid = hashtext(${job})::oid) as held`
  return row?.held === true
}
