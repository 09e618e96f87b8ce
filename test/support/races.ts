import type { Transaction } from '../../src/database/database.ts'
import type { Parley } from '../../src/parley.ts'
import { type Answer, until } from './harness.ts'

/**
 * Lets requests run into a lock that a transaction holds, and returns their answers once it has committed: a race
 * whose outcome is known.
 * @param lock takes the lock
 * @param requests sent one after another, each when the one before waits
 * @param then what the transaction does before it commits
 */
export async function race<T = Answer>(
  parley: Parley,
  lock: (tx: Transaction) => Promise<unknown>,
  requests: (() => Promise<T>)[],
  then: (tx: Transaction) => Promise<unknown> = async () => {},
): Promise<T[]> {
  const { sql } = parley.parts
  const answers: Promise<T>[] = []
  // Jobs lock what is new, as the search index does with messages: they would wait as well, and be counted.
  await parley.sweep()
  await sql.begin(async (tx) => {
    const [holder] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
    await lock(tx)
    for (const request of requests) {
      answers.push(request())
      await until(async () => {
        // A background job of the server may wait for another lock.
        const waiting = await sql`
          with recursive waiting as materialized (
            select pid, pg_blocking_pids(pid) as before from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'
          ), behind as (
            select ${holder?.pid ?? 0}::int as pid
            union select waiting.pid from behind join waiting on behind.pid = any(before)
          )
          select from behind`
        return waiting.length > answers.length
      })
    }
    await then(tx)
  })
  return Promise.all(answers)
}
