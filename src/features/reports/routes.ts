import { z } from 'zod'
import { BODY_CODES, found, PLACE_CODES, SHAPE_CODES, TOKEN_CODES } from '../../core/errors.ts'
import { answers, DecimalId, Nothing } from '../../core/schema.ts'
import type { BucketPolicy, WindowPolicy } from '../../http/limits/limiter.ts'
import { cursorList, slice } from '../../http/lists.ts'
import type { Parts } from '../../parts.ts'
import { guarded, lockServer } from '../access/guard.ts'
import { audit } from '../audit/record.ts'
import { downloadOf } from '../files/access.ts'
import { Download, Variant } from '../files/model.ts'
import type { Sessions } from '../sessions/store.ts'
import { decideReport } from './decide.ts'
import { ignoringRoutes } from './ignoring.ts'
import { reportMessage, reportProfile } from './file-report.ts'
import {
  Decision,
  EVIDENCE_DAYS,
  ProfileReportDraft,
  Report,
  ReportDetails,
  ReportDraft,
  ReportQuery,
} from './model.ts'
import { listedFor, reportDetails, reportFile, seenBy, selectReports } from './reading.ts'

const tags = ['Reports']
const ReportPath = z.object({ report_id: DecimalId })

const FILINGS: WindowPolicy = { name: 'reports', max: 20, windowS: 3600 }
/** Low, because a list checks what the caller may see for each report. */
const LISTS: BucketPolicy = { name: 'report_lists', burst: 30, refillPerS: 2 }

export const reportRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions)
    .use(filingRoutes(parts, sessions))
    .use(queueRoutes(parts, sessions))
    .use(ignoringRoutes(parts, sessions))

/** Reporting. */
const filingRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions)
    .post(
      '/api/messages/:message_id/reports',
      async ({ params: { message_id }, body, me, caller, status }) => {
        await parts.limits.take(caller, FILINGS, `user:${me.id}`)
        await parts.space.demand()
        await reportMessage(parts.write, message_id, { reporterId: me.id, ...body })
        return status(204, undefined)
      },
      {
        params: z.object({ message_id: DecimalId }),
        body: ReportDraft,
        detail: {
          summary: 'Report a message that the caller may read',
          description:
            'Read by members with moderate_members above its author who may read the channel. Only the operator ' +
            'reads reports from dms and groups, about the owner of a server, and of `minor_safety`. The text, the ' +
            `five messages before and the files are kept until ${EVIDENCE_DAYS} days after the decision.`,
          tags,
        },
        response: answers(
          { 204: Nothing },
          'forbidden',
          'cannot_target_self',
          'too_many_reports',
          'storage_full',
          ...PLACE_CODES,
          ...BODY_CODES,
        ),
      },
    )
    .post(
      '/api/users/:user_id/reports',
      async ({ params: { user_id }, body: { server_id, ...filing }, me, caller, status }) => {
        await parts.limits.take(caller, FILINGS, `user:${me.id}`)
        await parts.space.demand()
        const profile = { user_id, server_id: server_id ?? null }
        await reportProfile(parts.write, profile, { reporterId: me.id, ...filing })
        return status(204, undefined)
      },
      {
        params: z.object({ user_id: DecimalId }),
        body: ProfileReportDraft,
        detail: { summary: 'Report a profile to the moderators of a shared server, or to the operator', tags },
        response: answers(
          { 204: Nothing },
          'cannot_target_self',
          'too_many_reports',
          'storage_full',
          'not_found',
          ...TOKEN_CODES,
          ...BODY_CODES,
        ),
      },
    )

/** The moderators' queue. */
const queueRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions)
    .get(
      '/api/servers/:server_id/reports',
      async ({ query, request, me, member, caller }) => {
        await parts.limits.take(caller, LISTS, `user:${me.id}`)
        const { sql } = parts
        const ofState = query.state === undefined ? sql`true` : sql`r.state = ${query.state}`
        return cursorList<Report>(
          request,
          query,
          'newest',
          (row) => row.id,
          (scan) => selectReports(sql, sql`${listedFor(sql, member)} and ${ofState} and ${slice(sql, 'r.id', scan)}`),
        )
      },
      {
        params: z.object({ server_id: DecimalId }),
        query: ReportQuery,
        member: 'moderate_members',
        detail: {
          summary: 'List the reports of a server that the caller sees, newest first',
          description: 'Reports of the same message are one, with a count.',
          tags,
        },
        response: answers({ 200: z.array(Report) }, ...PLACE_CODES),
      },
    )
    .get(
      '/api/reports/:report_id',
      async ({ params: { report_id }, me, caller }) => {
        await parts.limits.take(caller, LISTS, `user:${me.id}`)
        return reportDetails(parts.sql, report_id, seenBy(parts.sql, me.id))
      },
      {
        params: ReportPath,
        detail: { summary: 'Get a report with its evidence, and who reported', tags },
        response: answers({ 200: ReportDetails }, 'not_found', ...SHAPE_CODES, ...TOKEN_CODES),
      },
    )
    .get(
      '/api/reports/:report_id/files/:file_id/download-url',
      async ({ params, query: { variant }, me, caller }) => {
        const file = await reportFile(parts.sql, params, seenBy(parts.sql, me.id))
        return downloadOf(parts.objects, file, caller.base, variant)
      },
      {
        params: ReportPath.extend({ file_id: DecimalId }),
        query: z.object({
          variant: Variant.describe('`thumbnail`: a small picture of an image; 404 where there is none'),
        }),
        detail: { summary: 'Get the URL of a reported file, which may have been deleted', tags },
        response: answers({ 200: Download }, 'not_found', ...SHAPE_CODES, ...TOKEN_CODES),
      },
    )
    .put(
      '/api/reports/:report_id',
      async ({ params: { report_id: id }, body, me, caller }) => {
        await parts.limits.take(caller, LISTS, `user:${me.id}`)
        const condition = seenBy(parts.sql, me.id)
        const [place] = await parts.sql<{ server_id: number }[]>`
          select server_id from reports r where id = ${id} and ${condition}`
        const { server_id } = found(place)
        return parts.write(async (sql, emit) => {
          await lockServer(sql, server_id)
          const { before } = await decideReport(sql, emit, { id, actorId: me.id, condition: seenBy(sql, me.id) }, body)
          // Nothing that says who is reported or why: the reported may read the audit log.
          const entry = { server_id, actor_id: me.id, action: 'report.decided' as const }
          if (before !== body.state) await audit(sql, entry, ['report', id], { state: before }, { state: body.state })
          const [report] = await selectReports(sql, sql`r.id = ${id}`)
          return found(report)
        })
      },
      {
        params: ReportPath,
        body: Decision,
        detail: { summary: 'Resolve or dismiss a report, or open it again', tags },
        response: answers(
          { 200: Report },
          'not_found',
          'already_reported',
          'already_decided',
          ...BODY_CODES,
          ...TOKEN_CODES,
        ),
      },
    )
