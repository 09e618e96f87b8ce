import { Job } from '../../core/job.ts'
import { claim } from '../../database/job-lock.ts'
import type { Parts } from '../../parts.ts'
import { HIT_DAYS } from './model.ts'

const PERIOD_MS = 60_000
/** Rows per transaction. */
const BATCH_MAX = 500

/** Deletes texts that broke rules once they are HIT_DAYS old. */
export class AutomodHitRemoval extends Job {
  constructor(private readonly parts: Pick<Parts, 'sql' | 'write' | 'log'>) {
    super(PERIOD_MS, 'automod-hits', parts.log)
  }

  protected async work(): Promise<void> {
    const old = (sql: Parts['sql'] | Parameters<Parameters<Parts['write']>[0]>[0]) => sql<{ id: number }[]>`
      select id from automod_hits where created_at < now() - ${HIT_DAYS} * interval '1 day' limit ${BATCH_MAX}`
    while ((await old(this.parts.sql)).length > 0) {
      const isDone = await this.parts.write(async (sql) => {
        if (!(await claim(sql, 'automod-hits'))) return true
        const ids = (await old(sql)).map(({ id }) => id)
        await sql`delete from automod_hits where id = any(${ids})`
        return ids.length < BATCH_MAX
      })
      if (isDone) return
    }
  }
}
