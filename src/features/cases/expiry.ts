import type { Sql } from '../../database/database.ts'
import { BatchJob } from '../../events/batch-job.ts'
import type { Parts } from '../../parts.ts'
import { CASE_DAYS } from './model.ts'

const PERIOD_MS = 60_000
/** Cases per transaction. */
const BATCH_MAX = 500
const BATCHES_MAX = 50

/** Cases that are older than CASE_DAYS; those of bans that last stay. */
const dueCases = (sql: Sql): ReturnType<Sql> => sql`
  select id from cases c where created_at < now() - ${CASE_DAYS} * interval '1 day'
    and not (kind = 'ban' and exists (
      select from bans b where b.server_id = c.server_id and b.user_id = c.user_id
        and (b.until is null or b.until > now())))
  order by created_at limit ${BATCH_MAX}`

/** Deletes old cases. */
export class CaseExpiry extends BatchJob {
  constructor(parts: Pick<Parts, 'sql' | 'write' | 'log'>) {
    super(parts, {
      name: 'cases',
      periodMs: PERIOD_MS,
      batchesMax: BATCHES_MAX,
      due: dueCases,
      batch: async (sql) => (await sql`delete from cases where id in (${dueCases(sql)})`).count === BATCH_MAX,
    })
  }
}
