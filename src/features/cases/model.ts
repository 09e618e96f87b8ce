import { z } from 'zod'
import { durable, type Payloads } from '../../core/events.ts'
import { CursorQuery } from '../../core/paging.ts'
import { DecimalId, Id, PublicUser, text, Time } from '../../core/schema.ts'

/** Code points of a warning, a note or a reason. */
const TEXT_MAX = 1000
/** Cases of one member in a server, besides the newest ban; the oldest go first. */
export const CASES_PER_MEMBER_MAX = 500
/** Days for which cases are kept: two years. A ban's is kept while the ban lasts. */
export const CASE_DAYS = 730

export const CaseKind = z.enum(['warning', 'note', 'timeout', 'kick', 'ban', 'report', 'automod'])
export type CaseKind = z.infer<typeof CaseKind>

export const Case = z
  .object({
    id: Id,
    server_id: Id,
    user: PublicUser.describe('the member, who may have left'),
    actor: PublicUser.describe('the moderator; of `automod` the member'),
    kind: CaseKind.describe('`report`: a report that was resolved; `automod`: a rule that was broken, once a day'),
    reason: z.string().nullable(),
    until: Time.nullable().describe('when the timeout or ban ends'),
    report_id: Id.nullable(),
    read_at: Time.nullable().describe('when the member has read the warning'),
    created_at: Time,
  })
  .meta({ title: 'Case' })
export type Case = z.infer<typeof Case>

export const CaseQuery = CursorQuery.safeExtend({
  kind: CaseKind.optional().describe('all unless given'),
  user_id: DecimalId.optional().describe('about this account'),
})

export const WarningDraft = z.strictObject({ reason: text(1, TEXT_MAX).describe('the member reads it') })
export const NoteDraft = z.strictObject({ text: text(1, TEXT_MAX).describe('only moderators read it') })

export const Warning = z
  .object({
    id: Id,
    server_id: Id,
    server_name: z.string(),
    reason: z.string(),
    appeal_contact: z.string().nullable().describe('a contact for appeals'),
    read_at: Time.nullable(),
    created_at: Time,
  })
  .meta({ title: 'Warning', description: 'A warning as the warned member reads it, without the moderator' })
export type Warning = z.infer<typeof Warning>

const own = "the account's own sockets"
export const caseEvents = {
  'warning.created': durable(Warning, (d) => `warning:${d.id}`, own),
  'warning.deleted': durable(z.object({ id: Id, server_id: Id }), (d) => `warning:${d.id}`, own),
  'warning.read': durable(z.object({ id: Id, read_at: Time }), (d) => `warning:${d.id}`, own),
}

declare module '../../core/events.ts' {
  interface Events extends Payloads<typeof caseEvents> {}
}
