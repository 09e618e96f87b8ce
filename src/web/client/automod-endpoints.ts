import type { z } from 'zod'
import type { AutomodHit, Rule, RuleDraft, TestDraft, TestMatch } from '../../features/automod/model.ts'

/** The endpoints of automod rules. */
export interface AutomodEndpoints {
  'GET /api/servers/:server_id/automod': { query: object; answer: Rule[] }
  'POST /api/servers/:server_id/automod': { body: z.input<typeof RuleDraft>; answer: Rule }
  'GET /api/servers/:server_id/automod/hits': {
    query: { limit?: number; before?: number }
    answer: AutomodHit[]
  }
  'POST /api/servers/:server_id/automod/test': { body: z.input<typeof TestDraft>; answer: TestMatch[] }
  'PUT /api/automod/:rule_id': { body: z.input<typeof RuleDraft>; answer: Rule }
  'DELETE /api/automod/:rule_id': { query: object; answer: void }
}
