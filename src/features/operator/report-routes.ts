import { Elysia } from 'elysia'
import { z } from 'zod'
import { BODY_CODES, SHAPE_CODES, TOKEN_CODES } from '../../core/errors.ts'
import { answers, DecimalId, Nothing } from '../../core/schema.ts'
import { cursorList, slice } from '../../http/lists.ts'
import type { Parts } from '../../parts.ts'
import { downloadOf } from '../files/access.ts'
import { Download, Variant } from '../files/model.ts'
import { Decision, Report, ReportDetails, ReportQuery } from '../reports/model.ts'
import { selectReports } from '../reports/reading.ts'
import type { Sessions } from '../sessions/store.ts'
import { act } from './act.ts'
import { operating, OPERATING } from './guard.ts'
import { decide, deleteReported, forOperator, showReport, showReportFile } from './reports.ts'

const tags = ['Operator']
const CODES = [...TOKEN_CODES, ...SHAPE_CODES, 'not_found', 'proof_required'] as const
const ReportPath = z.object({ report_id: DecimalId })

/** Reports that only operators read. Every view is an act in the admin log. */
export const operatorReportRoutes = (parts: Parts, sessions: Sessions) =>
  new Elysia({ prefix: '/api/operator' })
    .use(operating(parts, sessions))
    .get(
      '/reports',
      async ({ me, caller, query, request }) => {
        await parts.limits.take(caller, OPERATING, `user:${me.id}`)
        const { result } = await act(parts.write, { me }, 'list-reports', async ({ sql, actor }) => {
          const ofState = query.state === undefined ? sql`true` : sql`r.state = ${query.state}`
          const page = await cursorList<Report>(
            request,
            query,
            'newest',
            (row) => row.id,
            (scan) =>
              selectReports(sql, sql`${forOperator(sql, actor)} and ${ofState} and ${slice(sql, 'r.id', scan)}`),
          )
          return { result: page, changes: { shown: page.map((row) => row.id) } }
        })
        return result
      },
      {
        query: ReportQuery,
        detail: {
          summary: 'List the reports that operators read, newest first',
          description: 'The ids are recorded in the admin log.',
          tags,
        },
        response: answers({ 200: z.array(Report) }, ...CODES),
      },
    )
    .get(
      '/reports/:report_id',
      async ({ me, caller, params: { report_id } }) => {
        await parts.limits.take(caller, OPERATING, `user:${me.id}`)
        const { result } = await act(parts.write, { me }, 'report', (context) => showReport(context, report_id))
        return result
      },
      {
        params: ReportPath,
        detail: { summary: 'Get a report with its evidence; recorded in the admin log', tags },
        response: answers({ 200: ReportDetails }, ...CODES),
      },
    )
    .get(
      '/reports/:report_id/files/:file_id/download-url',
      async ({ me, caller, params, query: { variant } }) => {
        await parts.limits.take(caller, OPERATING, `user:${me.id}`)
        const { result } = await act(parts.write, { me }, 'report-file', (context) => showReportFile(context, params))
        return downloadOf(parts.objects, result, caller.base, variant)
      },
      {
        params: ReportPath.extend({ file_id: DecimalId }),
        query: z.object({
          variant: Variant.describe('`thumbnail`: a small picture of an image; 404 where there is none'),
        }),
        detail: { summary: 'Get the URL of a reported file; recorded in the admin log', tags },
        response: answers({ 200: Download }, ...CODES),
      },
    )
    .put(
      '/reports/:report_id',
      async ({ me, caller, params: { report_id }, body }) => {
        await parts.limits.take(caller, OPERATING, `user:${me.id}`)
        const { result } = await act(parts.write, { me }, 'decide-report', (context) =>
          decide(context, report_id, body),
        )
        return result
      },
      {
        params: ReportPath,
        body: Decision,
        detail: { summary: 'Resolve or dismiss a report, or open it again', tags },
        response: answers({ 200: Report }, 'already_reported', 'already_decided', ...BODY_CODES, ...CODES),
      },
    )
    .delete(
      '/reports/:report_id/message',
      async ({ me, caller, params: { report_id }, status }) => {
        await parts.limits.take(caller, OPERATING, `user:${me.id}`)
        await act(parts.write, { me }, 'delete', (context) => deleteReported(context, report_id))
        return status(204, undefined)
      },
      {
        params: ReportPath,
        detail: { summary: 'Delete the reported message, as its author would', tags },
        response: answers({ 204: Nothing }, ...CODES),
      },
    )
