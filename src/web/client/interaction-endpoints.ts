import type { z } from 'zod'
import type {
  Answered,
  AnswerDraft,
  AnswerPatch,
  Begun,
  BotCommand,
  CommandDrafts,
  FollowUpDraft,
  InteractionDraft,
  OfferedCommand,
} from '../../features/interactions/model.ts'

interface OfServer {
  server_id?: number
}

/** Endpoints of bots' commands, interactions and answers. */
export interface InteractionEndpoints {
  'GET /api/applications/@me/commands': { query: OfServer; answer: BotCommand[] }
  'PUT /api/applications/@me/commands': { query: OfServer; body: z.input<typeof CommandDrafts>; answer: BotCommand[] }
  'GET /api/channels/:channel_id/commands': { query: { locale?: string }; answer: OfferedCommand[] }
  'POST /api/interactions': { body: z.input<typeof InteractionDraft>; answer: z.output<typeof Begun> }
  'POST /api/interactions/:interaction_id/answer': {
    body: z.input<typeof AnswerDraft>
    answer: z.output<typeof Answered>
  }
  'PUT /api/interactions/:interaction_id/answer': {
    body: z.input<typeof AnswerPatch>
    answer: z.output<typeof Answered>
  }
  'POST /api/interactions/:interaction_id/follow-ups': {
    body: z.input<typeof FollowUpDraft>
    answer: z.output<typeof Answered>
  }
}
