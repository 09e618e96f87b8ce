import type { Transaction } from './database.ts'

/** The class of advisory locks that background jobs take. */
const JOB_LOCKS = 7_201_508

/**
 * Makes the job this transaction's, until it ends.
 * @returns false while another is about it, on whichever node: it is to be left alone then
 */
export async function claim(sql: Transaction, job: string): Promise<boolean> {
  const [row] = await sql<{ claimed: boolean }[]>`
    select pg_try_advisory_xact_lock(${JOB_LOCKS}, hashtext(${job})) as claimed`
  return row?.claimed === true
}
