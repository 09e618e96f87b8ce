import type { z } from 'zod'
import { found } from '../../core/errors.ts'
import type { Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import type { Decision, ReportState } from './model.ts'
import { emitReport } from './watchers.ts'

/**
 * Decides a report, or opens it again.
 * @param condition who may see it, on reports `r`
 * @returns the state before, and the server
 * @throws Problem `not_found`; `already_reported` by its constraint
 */
export async function decideReport(
  sql: Transaction,
  emit: Emit,
  { id, actorId, condition }: { id: number; actorId: number | null; condition: ReturnType<Transaction> },
  { state, note }: z.infer<typeof Decision>,
): Promise<{ before: ReportState; server_id: number | null }> {
  const [report] = await sql<{ before: ReportState; server_id: number | null }[]>`
    select state as before, server_id from reports r where id = ${id} and ${condition} for no key update`
  const { before, server_id } = found(report)
  const isOpen = state === 'open'
  await sql`update reports set state = ${state}, updated_at = now(), closed_by = ${isOpen ? null : actorId},
      closed_at = ${isOpen ? null : before === state ? sql`closed_at` : sql`now()`}
      ${note === undefined ? sql`` : sql`, decision = ${note || null}`}
    where id = ${id}`
  if (before !== state) await emitReport(sql, emit, id)
  return { before, server_id }
}
