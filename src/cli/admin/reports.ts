import { z } from 'zod'
import { DecimalId } from '../../core/schema.ts'
import { decide, forOperator, showReport } from '../../features/operator/reports.ts'
import { selectReports } from '../../features/reports/reading.ts'
import { command, Cursor, Flag, Limit, paged } from './model.ts'
import { fields, printable, table } from './print.ts'

/** Reports that no moderator reads. */
export const reportCommands = {
  reports: command({
    positionals: [],
    args: z.strictObject({ all: Flag, limit: Limit, before: Cursor, json: Flag }),
    words: '[--all] [--limit <n>] [--before <id>] [--json]',
    summary: 'open reports for operators, newest first; --all: decided ones too',
    run: async ({ sql, actor }, { all, limit, before = Number.MAX_SAFE_INTEGER }) => {
      const ofState = all ? sql`true` : sql`r.state = 'open'`
      const where = sql`${forOperator(sql, actor)} and ${ofState} and r.id < ${before}`
      const { page, next } = paged(await selectReports(sql, sql`${where} order by r.id desc limit ${limit + 1}`), limit)
      const rows = page.map(({ id, created_at, state, subject, author, server_id, count, reasons }) => {
        const about = `${author.id} ${author.display_name}`
        return { id, created_at, state, subject, about, server_id, count, reasons: reasons.join(' ') }
      })
      return {
        result: { reports: page, next },
        changes: { shown: page.map(({ id }) => id) },
        lines: [...table(rows), ...(next === null ? [] : [`More: --before ${next}`])],
      }
    },
  }),
  report: command({
    positionals: ['id'],
    args: z.strictObject({ id: DecimalId, json: Flag }),
    words: '<id> [--json]',
    summary: 'one report for operators, with the text and who reported',
    run: async (context, { id }) => {
      const outcome = await showReport(context, id)
      const { reporters, evidence, files, author, reasons, closed_by: _, ...rest } = outcome.result
      return {
        ...outcome,
        lines: [
          ...fields({ ...rest, author: `${author.id} ${author.display_name}`, reasons: reasons.join(' ') }),
          ...evidence.map((text) => printable(`${text.created_at} ${text.author.id}: ${text.content}`)),
          ...files.map((file) => printable(`file ${file.file_id}: ${file.filename} (${file.content_type})`)),
          ...reporters.map((each) => printable(`reported by ${each.user.id} for ${each.reason}: ${each.note}`)),
        ],
      }
    },
  }),
  'decide-report': command({
    positionals: ['id', 'state'],
    args: z.strictObject({
      id: DecimalId,
      state: z.enum(['open', 'resolved', 'dismissed']),
      note: z.string().max(1000).optional(),
      json: Flag,
    }),
    words: '<id> resolved|dismissed|open [--note <text>] [--json]',
    summary: 'decide a report for operators, or open it again',
    run: async (context, { id, state, note }) => ({
      ...(await decide(context, id, { state, note })),
      lines: [`The report ${id} is ${state}.`],
    }),
  }),
}
