import type { z } from 'zod'
import type { Done } from '../../core/schema.ts'
import type { Download } from '../../features/files/model.ts'
import type { Decision, Report, ReportDetails, ReportQuery } from '../../features/reports/model.ts'
import type {
  AccountDetails,
  AccountQuery,
  AccountSummary,
  AdminLogEntry,
  Backups,
  FiguresNow,
  InviteSummary,
  PartHealth,
  PasswordReset,
  RegistrationChange,
  RegistrationState,
  ResetLink,
  Restored,
  Sample,
  ServerQuery,
  ServerSummary,
  SessionsEnded,
  SpanQuery,
  Storage,
  Suspended,
  Suspension,
} from '../../features/operator/model.ts'

interface Cursor {
  limit?: number
  before?: number
  after?: number
}
type Gives<Answer, Query extends object = object> = { query: Query; answer: Answer }
type Takes<Body extends z.ZodType, Answer> = { body: z.input<Body>; answer: Answer }
type Out<S extends z.ZodType> = z.output<S>

/** The endpoints of the operator's page. */
export interface OperatorEndpoints {
  'GET /api/operator/figures': Gives<FiguresNow>
  'GET /api/operator/samples': Gives<Sample[], z.input<typeof SpanQuery>>
  'GET /api/operator/health': Gives<PartHealth[]>
  'GET /api/operator/storage': Gives<Storage>
  'GET /api/operator/log': Gives<AdminLogEntry[], Cursor>
  'GET /api/operator/backups': Gives<Backups>
  'POST /api/operator/backups': Gives<Out<typeof Done>>
  'GET /api/operator/registration': Gives<RegistrationState>
  'PUT /api/operator/registration': Takes<typeof RegistrationChange, RegistrationState>
  'GET /api/operator/invites': Gives<InviteSummary[], Cursor>
  'DELETE /api/operator/invites/:invite': Gives<void>
  'GET /api/operator/servers': Gives<ServerSummary[], Cursor & Pick<z.input<typeof ServerQuery>, 'q'>>
  'DELETE /api/operator/servers/:server_id': Gives<void>
  'GET /api/operator/reports': Gives<Report[], Cursor & Pick<z.input<typeof ReportQuery>, 'state'>>
  'GET /api/operator/reports/:report_id': Gives<ReportDetails>
  'GET /api/operator/reports/:report_id/files/:file_id/download-url': Gives<
    Download,
    { variant?: 'original' | 'thumbnail' }
  >
  'PUT /api/operator/reports/:report_id': Takes<typeof Decision, Report>
  'DELETE /api/operator/reports/:report_id/message': Gives<void>
  'GET /api/operator/accounts': Gives<AccountSummary[], Cursor & Pick<z.input<typeof AccountQuery>, 'q' | 'suspended'>>
  'GET /api/operator/accounts/:user_id': Gives<AccountDetails>
  'DELETE /api/operator/accounts/:user_id': Gives<void>
  'PUT /api/operator/accounts/:user_id/suspension': Takes<typeof Suspension, Out<typeof Suspended>>
  'DELETE /api/operator/accounts/:user_id/suspension': Gives<Out<typeof Restored>>
  'POST /api/operator/accounts/:user_id/reset': Gives<Out<typeof PasswordReset>>
  'POST /api/operator/accounts/:user_id/reset-link': Gives<Out<typeof ResetLink>>
  'DELETE /api/operator/accounts/:user_id/sessions': Gives<Out<typeof SessionsEnded>>
  'DELETE /api/operator/accounts/:user_id/sessions/:session_id': Gives<Out<typeof SessionsEnded>>
}
