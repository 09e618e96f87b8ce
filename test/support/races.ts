import type { Transaction } from '../../src/database/database.ts'
import type { Parley } from '../../src/parley.ts'
import { type Answer, until } from './harness.ts'

/** Long enough for a program to start on a busy machine. */
const WAIT_MS_MAX = 20_000

/**
 * Lets requests run into a lock that a transaction holds, and returns their answers once it has committed: a race
 * whose outcome is known.
 * @param lock takes the lock
 * @param requests sent one after another, each when the one before waits
 * @param then what the transaction does before it commits
 */
export async function race<T = Answer>(
  { parts: { sql } }: Parley,
  lock: (tx: Transaction) => Promise<unknown>,
  requests: (() => Promise<T>)[],
  then: (tx: Transaction) => Promise<unknown> = async () => {},
): Promise<T[]> {
  const answers: Promise<T>[] = []
  await sql.begin(async (tx) => {
    await lock(tx)
    for (const request of requests) {
      answers.push(request())
      await until(async () => {
        const waiting = await sql`select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`
        return waiting.length >= answers.length
      }, WAIT_MS_MAX)
    }
    await then(tx)
  })
  return Promise.all(answers)
}
