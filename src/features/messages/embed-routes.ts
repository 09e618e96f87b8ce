import { z } from 'zod'
import { BODY_CODES, PLACE_CODES } from '../../core/errors.ts'
import { answers, DecimalId } from '../../core/schema.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { guarded } from '../access/guard.ts'
import { EmbedSuppression } from '../previews/model.ts'
import type { Sessions } from '../sessions/store.ts'
import { Message } from './model.ts'
import { suppressEmbeds } from './suppress-embeds.ts'

const tags = ['Messages']

/** Low, because each sends an event to everyone who sees the message. */
const SUPPRESSIONS: BucketPolicy = { name: 'embeds', burst: 10, refillPerS: 0.5 }

/** Hiding and showing the embeds of a message. */
export const embedRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions).put(
    '/api/messages/:message_id/embeds/suppressed',
    async ({ params: { message_id }, me, caller, body: { suppressed } }) => {
      await parts.limits.take(caller, SUPPRESSIONS, `user:${me.id}`)
      await parts.space.demand()
      return parts.write((sql, emit) => suppressEmbeds(sql, emit, message_id, me.id, suppressed))
    },
    {
      params: z.object({ message_id: DecimalId }),
      body: EmbedSuppression,
      detail: { summary: 'Hide or show the embeds of a message (author, or manage_messages)', tags },
      response: answers({ 200: Message }, 'forbidden', 'cannot_contact', 'storage_full', ...PLACE_CODES, ...BODY_CODES),
    },
  )
