import { z } from 'zod'
import { SHAPE_CODES, TOKEN_CODES } from '../../core/errors.ts'
import { limit } from '../../core/paging.ts'
import { answers, DecimalId } from '../../core/schema.ts'
import { json } from '../../http/answers.ts'
import { newestList } from '../../http/lists.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { Message } from '../messages/model.ts'
import { bodiesWithMine } from '../reactions/mine.ts'
import { guarded } from '../access/guard.ts'
import type { Sessions } from '../sessions/store.ts'

const InboxQuery = z.object({
  limit,
  before: DecimalId.optional().describe('the last message of the page before: what is older'),
})

/** Low, because a page checks access to every channel with mentions. */
const READINGS: BucketPolicy = { name: 'mentions', burst: 20, refillPerS: 1 }

const DESCRIPTION = `Mentions by name, in a reply, by a role that the caller has now, or by everyone or here, where the
caller may read the history. In threads, roles, everyone and here reach only followers. Mentioning roles in a thread
makes their members who see it followers, unless the roles together have more than 100 members. The caller’s own
messages, and those of accounts that the caller blocks, are not listed.`

export const mentionRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions).get(
    '/api/mentions',
    async ({ me, caller, query, request }) => {
      await parts.limits.take(caller, READINGS, `user:${me.id}`)
      const rows = await newestList<{ id: number; body: string }>(
        request,
        query,
        (limit) => parts.sql`
          select m.id, wire.body::text as body from mentions_of(${me.id}, ${query.before ?? null}, ${limit}) found
          join messages m on m.id = found.message_id cross join lateral message_wire(m, ${me.id}) wire
          order by m.created_at desc, m.id desc`,
      )
      const bodies = rows.map(({ body }) => body)
      return json(`[${(await bodiesWithMine(parts.sql, me.id, bodies)).join(',')}]`)
    },
    {
      query: InboxQuery,
      detail: {
        summary: 'List the messages that mention the caller, newest first',
        description: DESCRIPTION,
        tags: ['Notifications'],
      },
      response: answers({ 200: z.array(Message) }, ...SHAPE_CODES, ...TOKEN_CODES),
    },
  )
