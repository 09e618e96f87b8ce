import { BatchJob } from '../../events/batch-job.ts'
import type { Parts } from '../../parts.ts'
import { emitBan } from './ban-news.ts'

const PERIOD_MS = 60_000
const BATCH_MAX = 500
const BATCHES_MAX = 20

/** Deletes bans that have ended. They stop to count by the database's clock, without this job. */
export class BanEnds extends BatchJob {
  constructor(parts: Pick<Parts, 'sql' | 'write' | 'log'>) {
    super(parts, {
      name: 'ban_ends',
      periodMs: PERIOD_MS,
      batchesMax: BATCHES_MAX,
      due: (sql) => sql`select from bans where until <= now()`,
      batch: async (sql, emit) => {
        const rows = await sql<
          { server_id: number; user_id: number }[]
        >`delete from bans where (server_id, user_id) in (
          select server_id, user_id from bans where until <= now() limit ${BATCH_MAX} for update skip locked)
          returning server_id, user_id`
        for (const row of rows) await emitBan(sql, emit, 'ban.deleted', row)
        return rows.count === BATCH_MAX
      },
    })
  }
}
