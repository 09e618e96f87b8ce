import type { z } from 'zod'
import type { Sql } from '../../database/database.ts'
import { decideReport } from '../reports/decide.ts'
import type { Decision, Report } from '../reports/model.ts'
import { reportDetails, reportFile, selectReports } from '../reports/reading.ts'
import { type Act, type ActContext, type Actor, must } from './act.ts'
import { deleteContent } from './content.ts'

const NO_REPORT = 'There is no such report for operators.'

/** Reports `r` for operators. An operator account does not see those about itself, its bots and its webhooks. */
export const forOperator = (sql: Sql, { me }: Actor): ReturnType<Sql> =>
  me
    ? sql`(r.for_operator and r.author_id <> ${me.id} and r.responsible_id is distinct from ${me.id})`
    : sql`r.for_operator`

/** One report with its evidence. */
export async function showReport({ sql, actor }: ActContext, id: number) {
  const result = await reportDetails(sql, id, forOperator(sql, actor))
  return { result, target: ['report', id] } satisfies Act
}

/** A file that a report keeps. */
export async function showReportFile({ sql, actor }: ActContext, path: { report_id: number; file_id: number }) {
  const result = await reportFile(sql, path, forOperator(sql, actor))
  return { result, target: ['report', path.report_id], changes: { file_id: path.file_id } } satisfies Act
}

/** Decides a report for operators, or opens it again. */
export async function decide({ sql, emit, actor }: ActContext, id: number, decision: z.infer<typeof Decision>) {
  const condition = forOperator(sql, actor)
  const { before } = await decideReport(sql, emit, { id, actorId: actor.me?.id ?? null, condition }, decision)
  const [report] = await selectReports(sql, sql`r.id = ${id}`)
  const result: Report = must(report, NO_REPORT)
  return {
    result,
    target: ['report', id],
    changes: { state: { before, after: decision.state } },
  } satisfies Act
}

/** Deletes the reported message, with the same events as its author would. */
export async function deleteReported(context: ActContext, id: number) {
  const { sql, actor } = context
  const [message] = await sql<{ id: number; kind: 'dm' | 'message' }[]>`
    select m.id, case when m.recipient_id is null then 'message' else 'dm' end as kind
    from reports r join messages m on m.id = r.subject_id
    where r.id = ${id} and r.subject = 'message' and ${forOperator(sql, actor)}`
  const { id: messageId, kind } = must(message, 'The reported message is gone.')
  await deleteContent(context, kind, messageId)
  return { result: messageId, target: ['report', id], changes: { [kind]: messageId } } satisfies Act
}
