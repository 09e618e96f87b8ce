import type { z } from 'zod'
import type { Writers } from '../../features/channels/model.ts'
import type { AutomodHit, Rule, RuleDraft, TestDraft, TestMatch } from '../../features/automod/model.ts'
import type { Case, CaseKind, NoteDraft, Warning, WarningDraft } from '../../features/cases/model.ts'
import type { Download } from '../../features/files/model.ts'
import type {
  OwnBan,
  PruneDraft,
  PruneJob,
  PruneStart,
  PruneTry,
  Raid,
  RaidPatch,
} from '../../features/members/model.ts'
import type { MemberActResults, MemberActs, RosterMember, RosterQuery } from '../../features/members/model.ts'
import type {
  Decision,
  IgnoredReporter,
  ProfileReportDraft,
  Report,
  ReportDetails,
  ReportDraft,
  ReportState,
} from '../../features/reports/model.ts'
import type { Role } from '../../features/roles/model.ts'
import type { Stage } from '../../features/access/model.ts'
import type { StageDraft } from '../../features/stages/model.ts'
import type { Sound, SoundDraft, SoundPatch } from '../../features/sounds/model.ts'
import type { VerificationCount, VerificationQuery } from '../../features/servers/model.ts'

type In<S extends z.ZodType> = z.input<S>
type Out<S extends z.ZodType> = z.output<S>
type Page = { limit?: number; offset?: number }
type Cursor = Page & { before?: number; after?: number; around?: number }
type Takes<Body, Answer> = { body: Body; answer: Answer }
type Gives<Answer, Query extends object = object> = { query: Query; answer: Answer }

/** The endpoints of moderation: automod rules, raids, verification, reports and cases; and of sounds and stages. */
export interface ModerationEndpoints {
  'PUT /api/roles/:role_id/icon': Takes<{ file_id: number }, Role>
  'DELETE /api/roles/:role_id/icon': Gives<Role>
  'POST /api/channels/:channel_id/stage': Takes<In<typeof StageDraft>, Stage>
  'PUT /api/channels/:channel_id/stage': Takes<In<typeof StageDraft>, Stage>
  'DELETE /api/channels/:channel_id/stage': Gives<void>
  'GET /api/servers/:server_id/sounds': Gives<Sound[], Cursor>
  'POST /api/servers/:server_id/sounds': Takes<In<typeof SoundDraft>, Sound>
  'PUT /api/sounds/:sound_id': Takes<In<typeof SoundPatch>, Sound>
  'DELETE /api/sounds/:sound_id': Gives<void>
  'GET /api/servers/:server_id/roster': { query: Partial<Out<typeof RosterQuery>>; answer: RosterMember[] }
  'POST /api/servers/:server_id/members/acts': Takes<In<typeof MemberActs>, MemberActResults>
  'GET /api/channels/:channel_id/writers': { query: object; answer: z.output<typeof Writers> }
  'GET /api/servers/:server_id/automod': { query: object; answer: Rule[] }
  'POST /api/servers/:server_id/automod': { body: z.input<typeof RuleDraft>; answer: Rule }
  'GET /api/servers/:server_id/automod/hits': {
    query: { limit?: number; before?: number }
    answer: AutomodHit[]
  }
  'POST /api/servers/:server_id/automod/test': { body: z.input<typeof TestDraft>; answer: TestMatch[] }
  'PUT /api/automod/:rule_id': { body: z.input<typeof RuleDraft>; answer: Rule }
  'DELETE /api/automod/:rule_id': { query: object; answer: void }

  'GET /api/servers/:server_id/verification': Gives<Out<typeof VerificationCount>, In<typeof VerificationQuery>>
  'GET /api/servers/:server_id/raid': Gives<Raid>
  'PUT /api/servers/:server_id/raid': Takes<In<typeof RaidPatch>, Raid>
  'POST /api/servers/:server_id/members/prune': Takes<
    In<typeof PruneDraft> | In<typeof PruneStart>,
    Partial<Out<typeof PruneTry> & Out<typeof PruneJob>>
  >

  'POST /api/messages/:message_id/reports': Takes<In<typeof ReportDraft>, void>
  'POST /api/users/:user_id/reports': Takes<In<typeof ProfileReportDraft>, void>
  'GET /api/servers/:server_id/reports': Gives<Report[], Cursor & { state?: ReportState }>
  'GET /api/reports/:report_id': Gives<ReportDetails>
  'GET /api/reports/:report_id/files/:file_id/download-url': Gives<Download, { variant?: 'original' | 'thumbnail' }>
  'PUT /api/reports/:report_id': Takes<In<typeof Decision>, Report>
  'GET /api/servers/:server_id/ignored-reporters': Gives<IgnoredReporter[], Page>
  'PUT /api/servers/:server_id/ignored-reporters/:user_id': Gives<void>
  'DELETE /api/servers/:server_id/ignored-reporters/:user_id': Gives<void>
  'GET /api/servers/:server_id/cases': Gives<Case[], Cursor & { kind?: CaseKind; user_id?: number }>
  'GET /api/servers/:server_id/members/:user_id/cases': Gives<Case[], Cursor>
  'POST /api/servers/:server_id/members/:user_id/warnings': Takes<In<typeof WarningDraft>, Case>
  'POST /api/servers/:server_id/members/:user_id/notes': Takes<In<typeof NoteDraft>, Case>
  'DELETE /api/cases/:case_id': Gives<void>
  'GET /api/users/@me/bans': Gives<OwnBan[], Cursor>
  'GET /api/users/@me/warnings': Gives<Warning[], Cursor>
  'POST /api/users/@me/warnings/:case_id/read': Gives<void>
}
