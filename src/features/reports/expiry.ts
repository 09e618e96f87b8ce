import type { Sql, Transaction } from '../../database/database.ts'
import { BatchJob } from '../../events/batch-job.ts'
import type { Parts } from '../../parts.ts'
import { EVIDENCE_DAYS, RESOLVED_DAYS } from './model.ts'

const PERIOD_MS = 60_000
/** Reports per transaction. */
const BATCH_MAX = 50
const BATCHES_MAX = 50

/**
 * Deletes text and files of reports that were decided EVIDENCE_DAYS ago, with the dismissed reports themselves; of
 * resolved ones the decision stays for RESOLVED_DAYS. Then lists the objects that no report keeps any more.
 */
export class ReportExpiry extends BatchJob {
  constructor(parts: Pick<Parts, 'sql' | 'write' | 'log'>) {
    super(parts, {
      name: 'reports',
      periodMs: PERIOD_MS,
      batchesMax: BATCHES_MAX,
      due: (sql) => sql`(${dueReports(sql)})
        union all (select 0 from object_outbox where due_at = 'infinity' limit 1)
        union all (select 0 from ignored_reporters where until <= now() limit 1)`,
      batch: expireBatch,
    })
  }
}

const dueReports = (sql: Sql): ReturnType<Sql> => sql`
  select id from reports where closed_at < now() - ${EVIDENCE_DAYS} * interval '1 day'
    and (has_evidence or closed_at < now() - ${RESOLVED_DAYS} * interval '1 day')
  order by closed_at limit ${BATCH_MAX}`

async function expireBatch(sql: Transaction): Promise<boolean> {
  // One that is being opened again at this moment is not due.
  const reports = await sql<{ id: number }[]>`${dueReports(sql)} for update skip locked`
  const ids = reports.map(({ id }) => id)
  await sql`delete from reports where id = any(${ids})
    and (state = 'dismissed' or closed_at < now() - ${RESOLVED_DAYS} * interval '1 day')`
  await sql`delete from report_evidence where report_id = any(${ids})`
  await sql`delete from report_files where report_id = any(${ids})`
  await sql`update report_reasons set note = '' where report_id = any(${ids}) and note <> ''`
  await sql`update reports set has_evidence = false where id = any(${ids})`
  await sql`delete from ignored_reporters where until <= now()`
  await sql`update object_outbox o set due_at = now() where due_at = 'infinity' and not exists (
    select from report_files k where k.key = o.key or k.thumbnail_key = o.key)`
  return ids.length === BATCH_MAX
}
