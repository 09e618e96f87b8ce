import type { z } from 'zod'
import type {
  AddedApplication,
  Addition,
  Application,
  ApplicationDraft,
  ApplicationPatch,
  BotToken,
  CreatedApplication,
  OwnApplication,
} from '../../features/applications/model.ts'

interface Cursor {
  limit?: number
  before?: number
  after?: number
}

/** The endpoints of applications and their bots. */
export interface ApplicationEndpoints {
  'POST /api/applications': { body: z.input<typeof ApplicationDraft>; answer: z.output<typeof CreatedApplication> }
  'GET /api/applications': { query: Cursor; answer: OwnApplication[] }
  'GET /api/applications/@me': { answer: OwnApplication }
  'PUT /api/applications/@me': { body: z.input<typeof ApplicationPatch>; answer: OwnApplication }
  'GET /api/applications/:application_id': { answer: Application }
  'PUT /api/applications/:application_id': { body: z.input<typeof ApplicationPatch>; answer: OwnApplication }
  'DELETE /api/applications/:application_id': { answer: void }
  'POST /api/applications/:application_id/token': { answer: z.output<typeof BotToken> }
  'GET /api/servers/:server_id/applications': { query: Cursor; answer: AddedApplication[] }
  'PUT /api/servers/:server_id/applications/:application_id': {
    body: z.input<typeof Addition>
    answer: AddedApplication
  }
}
