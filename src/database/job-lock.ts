import type { Sql, Transaction } from './database.ts'

/** The class of advisory locks that background jobs take. */
const JOB_LOCKS = 7_201_508

/**
 * Whether there is a row. A background job asks first: it seldom finds anything to do, and its transaction is four
 * statements or more.
 * @param rows a query; what it selects does not count. Its order and limit hold: in `exists` they would be dropped, and
 * a large table read from its beginning.
 */
export async function isAny(sql: Sql, rows: ReturnType<Sql>): Promise<boolean> {
  const [row] = await sql`select 1 from (${rows}) due limit 1`
  return row !== undefined
}

/**
 * Takes the lock of a background job until the transaction ends.
 * @returns false while another transaction holds it, on whichever node
 */
export async function claim(sql: Transaction, job: string): Promise<boolean> {
  const [row] = await sql<{ claimed: boolean }[]>`
    select pg_try_advisory_xact_lock(${JOB_LOCKS}, hashtext(${job})) as claimed`
  return row?.claimed === true
}

/**
 * Takes the lock of a background job until the connection ends.
 * @returns false while another holds it, on whichever node
 */
export async function tryLockJob(connection: Sql, job: string): Promise<boolean> {
  const [row] = await connection<{ held: boolean }[]>`
    select pg_try_advisory_lock(${JOB_LOCKS}, hashtext(${job})) as held`
  return row?.held === true
}

/** Waits until no background job of this name runs, and keeps it from running until the connection ends. */
export async function lockJob(connection: Sql, job: string): Promise<void> {
  await connection`select pg_advisory_lock_shared(${JOB_LOCKS}, hashtext(${job}))`
}

/** Whether a background job holds its lock, on whichever node. */
export async function isJobLocked(sql: Sql, job: string): Promise<boolean> {
  const [row] = await sql<{ held: boolean }[]>`select exists (
    select from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and granted and objsubid = 2
      and database = (select oid from pg_database where datname = current_database())
      and classid = ${JOB_LOCKS}::int::oid and objid = hashtext(${job})::oid) as held`
  return row?.held === true
}
