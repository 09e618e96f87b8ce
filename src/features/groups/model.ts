import { z } from 'zod'
import { Id, text } from '../../core/schema.ts'

/** Two to nine recipients create a new group; one opens the dm with that account. */
const RECIPIENTS_MAX = 9
export const DirectChannelDraft = z.strictObject({
  recipient_ids: z
    .array(Id)
    .min(1)
    .max(RECIPIENTS_MAX)
    .refine((ids) => new Set(ids).size === ids.length, 'Must not repeat an id'),
  nonce: text(1, 64).optional().describe('the same nonce and request within 24 hours answers the same group'),
})
