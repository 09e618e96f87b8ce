import type { Transaction } from './database.ts'

/** The class of advisory locks that background jobs take. */
const JOB_LOCKS = 7_201_508

/**
 * Takes the lock of a background job until the transaction ends.
 * @returns false while another transaction holds it, on whichever node
 */
export async function claim(sql: Transaction, job: string): Promise<boolean> {
  const [row] = await sql<{ claimed: boolean }[]>`
    select pg_try_advisory_xact_lock(${JOB_LOCKS}, hashtext(${job})) as claimed`
  return row?.claimed === true
}
