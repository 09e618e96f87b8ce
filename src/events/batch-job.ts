import { Job } from '../core/job.ts'
import type { Log } from '../core/log.ts'
import type { Database, Sql, Transaction } from '../database/database.ts'
import { claim, isAny } from '../database/job-lock.ts'
import type { Emit, Notify, Write } from './write.ts'

/** Works on one batch. @returns whether more may be due */
export type Batch = (sql: Transaction, emit: Emit, notify: Notify) => Promise<boolean>

interface BatchJobOptions {
  /** Name of the warning that is logged when a run fails. */
  name: string
  /** Name of the job lock; by default the name. */
  lock?: string
  periodMs: number
  /** Batches of one run; the next run goes on. */
  batchesMax: number
  /** A query that has a row while something is due. */
  due: (sql: Sql) => ReturnType<Sql>
  batch: Batch
}

/**
 * Does batches, each in a transaction that claims the job lock, until one says that nothing more is due, another node
 * has the lock, or `next` says no.
 * @param next asked before each batch
 */
export async function runBatches(write: Write, lock: string, next: () => boolean, batch: Batch): Promise<void> {
  const claimedBatch: Batch = async (sql, emit, notify) => (await claim(sql, lock)) && batch(sql, emit, notify)
  while (next() && (await write(claimedBatch)));
}

/**
 * A background job that works in batches, each in a short transaction of its own, on one node. What is due is
 * in the database: after a crash the job goes on. A batch that fails ends the run, and the next run tries again.
 */
export class BatchJob extends Job {
  constructor(
    private readonly parts: { sql: Database; write: Write; log: Log },
    private readonly options: BatchJobOptions,
  ) {
    super(options.periodMs, options.name, parts.log)
  }

  protected async work(): Promise<void> {
    const { name, lock = name, batchesMax, due, batch } = this.options
    const { sql, write } = this.parts
    if (!(await isAny(sql, due(sql)))) return
    let batchesLeft = batchesMax
    await runBatches(write, lock, () => !this.isStopped && batchesLeft-- > 0, batch)
  }
}
