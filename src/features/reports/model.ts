import { z } from 'zod'
import { durable, type Payloads } from '../../core/events.ts'
import { CursorQuery } from '../../core/paging.ts'
import { Id, PublicUser, text, Time } from '../../core/schema.ts'

/** Open reports of a server, or of the operators from one server; the operators' others count together. */
export const OPEN_REPORTS_MAX = 200
/** Open reports of the operators from dms, groups and profiles. */
export const OPERATOR_REPORTS_MAX = 10_000
/** Open reports that one account has begun, per server; so one account cannot fill the list. */
export const OPEN_PER_REPORTER_MAX = 20
/** Reports of a guest per day, and of a member who is held back per server and day. */
export const HELD_BACK_DAILY_MAX = 3
/** Bytes of files that the reports of one server, or about one account elsewhere, keep. */
export const KEPT_BYTES_MAX = 200 * 1024 * 1024
/** Messages before the reported one whose text is kept. */
export const MESSAGES_BEFORE = 5
/** Texts that are kept of a message that is edited between reports. */
export const VERSIONS_MAX = 5
/** Days after the decision for which text and files are kept. */
export const EVIDENCE_DAYS = 90
/** Days for which a moderator ignores a reporter. */
export const IGNORED_DAYS = 30
/** Reporters that a moderator ignores in a server at the same time. */
export const IGNORED_MAX = 100
/** Days after the decision for which a resolved report is kept, without text and files: two years. */
export const RESOLVED_DAYS = 730
/** Reporters that one report names, the newest first. */
export const REPORTERS_SHOWN_MAX = 50

const reportReasons = [
  'spam',
  'harassment',
  'hate',
  'violence',
  'sexual',
  'minor_safety',
  'self_harm',
  'illegal',
  'impersonation',
  'other',
] as const
const Reason = z.enum(reportReasons)
export type ReportReason = z.infer<typeof Reason>

const draft = {
  reason: Reason.describe('only the operator reads reports of `minor_safety`'),
  note: text(0, 500).optional().describe('what the report adds, for those who read it'),
}
/** A report of a message. */
export const ReportDraft = z.strictObject(draft)
/** A report of a profile. */
export const ProfileReportDraft = z.strictObject({
  ...draft,
  server_id: Id.optional().describe('the server whose moderators read it; the operator reads it if absent'),
})

const State = z.enum(['open', 'resolved', 'dismissed'])
export type ReportState = z.infer<typeof State>

export const Report = z
  .object({
    id: Id,
    server_id: Id.nullable().describe('null for a dm, a group, and a profile outside of servers'),
    subject: z.enum(['message', 'profile']),
    channel_id: Id.nullable().describe('the channel of the message, which may be gone'),
    message_id: Id.nullable(),
    is_deleted: z.boolean().describe('the message, or the account, is gone'),
    author: PublicUser.describe('the reported account'),
    content: z.string().describe('the text as it was reported last; empty once it is deleted'),
    file_count: z.int(),
    state: State,
    count: z.int().describe('accounts that have reported it'),
    reasons: z.array(Reason).describe('each once'),
    created_at: Time,
    updated_at: Time,
    closed_at: Time.nullable(),
    closed_by: PublicUser.nullable(),
    note: z.string().nullable().describe('what the decision noted'),
    omitted_files: z.int().describe('files that there was no space for'),
  })
  .meta({ title: 'Report' })
export type Report = z.infer<typeof Report>

const Evidence = z
  .object({
    message_id: Id.nullable().describe('null for a profile'),
    author: PublicUser,
    content: z.string(),
    created_at: Time,
  })
  .meta({ title: 'ReportEvidence', description: 'A text as it was when it was reported' })

const EvidenceFile = z
  .object({
    file_id: Id,
    filename: z.string(),
    content_type: z.string(),
    size: z.int(),
    width: z.int().nullable(),
    height: z.int().nullable(),
    has_thumbnail: z.boolean(),
  })
  .meta({ title: 'ReportFile' })

export const ReportDetails = Report.extend({
  reporters: z
    .array(z.object({ user: PublicUser, reason: Reason, note: z.string(), created_at: Time }))
    .describe(`the newest ${REPORTERS_SHOWN_MAX}`),
  evidence: z.array(Evidence).describe('the messages before, then the reported one; more than once if it was edited'),
  files: z.array(EvidenceFile),
}).meta({ title: 'ReportDetails' })
export type ReportDetails = z.infer<typeof ReportDetails>

export const ReportQuery = CursorQuery.safeExtend({ state: State.optional().describe('all unless given') })

export const IgnoredReporter = z.object({ user: PublicUser, until: Time }).meta({ title: 'IgnoredReporter' })
export type IgnoredReporter = z.infer<typeof IgnoredReporter>

/** A decision. */
export const Decision = z.strictObject({
  state: State,
  note: text(0, 1000).nullable().optional().describe('for others who read the report'),
})

const readers =
  'accounts that see the report: moderators above the reported account who may read the channel, or operators'
const change = z.object({
  id: Id,
  server_id: Id.nullable().describe('null for a report that operators read'),
  state: State,
  count: z.int(),
})
export const reportEvents = {
  'report.created': durable(change, (d) => `report:${d.id}`, readers),
  'report.updated': durable(change, (d) => `report:${d.id}`, readers),
}

declare module '../../core/events.ts' {
  interface Events extends Payloads<typeof reportEvents> {}
}
