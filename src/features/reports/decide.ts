import type { z } from 'zod'
import { found, Problem } from '../../core/errors.ts'
import type { Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { recordCase } from '../cases/record.ts'
import type { Decision, ReportState } from './model.ts'
import { emitReport } from './watchers.ts'

/**
 * Decides a report, or opens it again. Of two who decide at the same moment, one gets `already_decided`; whoever has
 * decided may decide otherwise.
 * @param condition who may see it, on reports `r`
 * @returns the state before, and the server
 * @throws Problem `not_found`, `already_decided`; `already_reported` by its constraint
 */
export async function decideReport(
  sql: Transaction,
  emit: Emit,
  { id, actorId, condition }: { id: number; actorId: number | null; condition: ReturnType<Transaction> },
  { state, note }: z.infer<typeof Decision>,
): Promise<{ before: ReportState; server_id: number | null }> {
  const [report] = await sql<{ before: ReportState; server_id: number | null; closed_by: number | null }[]>`
    select state as before, server_id, closed_by from reports r where id = ${id} and ${condition} for no key update`
  const { before, server_id, closed_by } = found(report)
  const isOpen = state === 'open'
  if (!isOpen && before !== 'open' && closed_by !== actorId) throw new Problem('already_decided')
  await sql`update reports set state = ${state}, updated_at = now(), closed_by = ${isOpen ? null : actorId},
      closed_at = ${isOpen ? null : before === state ? sql`closed_at` : sql`now()`}
      ${note === undefined ? sql`` : sql`, decision = ${note || null}`}
    where id = ${id}`
  if (before !== state) await emitReport(sql, emit, 'report.updated', id)
  await recordUpheld(sql, id)
  return { before, server_id }
}

/** A resolved report of moderators is a case of the reported account; another decision takes the case back. */
async function recordUpheld(sql: Transaction, id: number): Promise<void> {
  await sql`delete from cases where report_id = ${id}`
  const [upheld] = await sql<{ server_id: number; user_id: number; actor_id: number; reason: string | null }[]>`
    select r.server_id, r.author_id as user_id, r.closed_by as actor_id, r.decision as reason
    from reports r join users u on u.id = r.author_id and u.deleted_at is null
    join servers s on s.id = r.server_id
    where r.id = ${id} and r.state = 'resolved' and not r.for_operator for key share of u`
  if (upheld) await recordCase(sql, { ...upheld, kind: 'report', report_id: id })
}
