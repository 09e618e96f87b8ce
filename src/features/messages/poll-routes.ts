import { z } from 'zod'
import type { Parts } from '../../parts.ts'
import { BODY_CODES, PLACE_CODES } from '../../core/errors.ts'
import { answers, DecimalId, NoBody, Nothing } from '../../core/schema.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import { guarded } from '../access/guard.ts'
import type { Sessions } from '../sessions/store.ts'
import { endPoll } from './poll-ends.ts'

/** Low, because each posts a notice. */
const ENDS: BucketPolicy = { name: 'poll-ends', burst: 10, refillPerS: 0.5 }

export const pollEndRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions).post(
    '/api/messages/:message_id/poll/end',
    async ({ params: { message_id }, me, caller, status }) => {
      await parts.limits.take(caller, ENDS, `user:${me.id}`)
      await parts.space.demand()
      await parts.write((sql, emit) => endPoll(sql, emit, message_id, me.id))
      return status(204, undefined)
    },
    {
      params: z.object({ message_id: DecimalId }),
      body: NoBody,
      detail: { summary: 'End a poll before its time (author, or manage_messages)', tags: ['Polls'] },
      response: answers({ 204: Nothing }, 'poll_ended', 'storage_full', ...PLACE_CODES, ...BODY_CODES),
    },
  )
