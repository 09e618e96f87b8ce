import { found } from '../../core/errors.ts'
import { topic } from '../../core/events.ts'
import type { Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import type { ReportState } from './model.ts'

/** Accounts that get events about a report; bounds the events of a change. */
const WATCHERS_MAX = 500

/** True if anybody sees the report. */
export async function isWatched(sql: Transaction, reportId: number): Promise<boolean> {
  const [row] = await sql`select 1 from reports r where r.id = ${reportId} and exists (select from report_watchers(r))`
  return row !== undefined
}

/** The accounts that see a report, at most WATCHERS_MAX. */
async function watchersOf(sql: Transaction, reportId: number): Promise<number[]> {
  const rows = await sql<{ user_id: number }[]>`
    select user_id from reports r cross join lateral report_watchers(r) user_id where r.id = ${reportId}
    order by user_id limit ${WATCHERS_MAX}`
  return rows.map(({ user_id }) => user_id)
}

/** Publishes a report's state and count to those who see it. */
export async function emitReport(
  sql: Transaction,
  emit: Emit,
  type: 'report.created' | 'report.updated',
  reportId: number,
): Promise<void> {
  const [row] = await sql<{ server_id: number | null; for_operator: boolean; state: ReportState; count: number }[]>`
    select server_id, for_operator, state, reporter_count as count from reports where id = ${reportId}`
  const { for_operator, state, count, ...report } = found(row, 'internal')
  const server_id = for_operator ? null : report.server_id
  const audience = (await watchersOf(sql, reportId)).map((id) =>
    topic.user(id, server_id === null ? {} : { server_id }),
  )
  emit(audience, type, { id: reportId, server_id, state, count })
}
