import { z } from 'zod'
import type { Parts } from '../../parts.ts'
import { BODY_CODES, found, PLACE_CODES, Problem } from '../../core/errors.ts'
import { CursorQuery } from '../../core/paging.ts'
import { answers, DecimalId, Nothing, PublicUser } from '../../core/schema.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import { cursorList, slice } from '../../http/lists.ts'
import { demand, guarded } from '../access/guard.ts'
import { messagePlace } from '../access/place.ts'
import type { Sessions } from '../sessions/store.ts'
import { Vote } from './model.ts'
import { vote } from './vote.ts'

const tags = ['Polls']
const PollPath = z.object({ message_id: DecimalId })
const AnswerPath = PollPath.extend({ answer_id: DecimalId })

/** Low, because each sends an event to everyone who sees the message. */
const VOTES: BucketPolicy = { name: 'votes', burst: 20, refillPerS: 2 }

const VOTE = `Needs read_history; a timeout and being held back forbid it. Replaces an earlier vote; without answers it
takes the vote back. In an anonymous poll a vote is final: the server keeps that the account voted, and the counts, and
no link between them. Bots cannot vote.`

export const pollRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions)
    .put(
      '/api/messages/:message_id/poll/votes',
      async ({ params: { message_id }, me, caller, body: { answer_ids }, status }) => {
        if (me.is_bot) throw new Problem('not_for_bots')
        await parts.limits.take(caller, VOTES, `user:${me.id}`)
        await parts.space.demand()
        await parts.write((sql, emit) => vote(sql, emit, message_id, me.id, answer_ids))
        return status(204, undefined)
      },
      {
        params: PollPath,
        body: Vote,
        detail: { summary: 'Vote in a poll', description: VOTE, tags },
        response: answers(
          { 204: Nothing },
          'poll_ended',
          'already_voted',
          'not_for_bots',
          'cannot_contact',
          'storage_full',
          ...PLACE_CODES,
          ...BODY_CODES,
        ),
      },
    )
    .get(
      '/api/messages/:message_id/poll/answers/:answer_id/voters',
      async ({ params: { message_id, answer_id }, query, request, me }) => {
        const { permissions } = await messagePlace(parts.sql, message_id, me.id)
        demand(permissions, 'read_history')
        const [poll] = await parts.sql<{ anonymous: boolean; size: number }[]>`
          select anonymous, cardinality(counts) as size from polls where message_id = ${message_id}`
        const { anonymous, size } = found(poll)
        if (answer_id < 1 || answer_id > size) throw new Problem('not_found')
        if (anonymous) throw new Problem('forbidden', 'This poll is anonymous')
        return cursorList<PublicUser>(
          request,
          query,
          'oldest',
          (row) => row.id,
          (scan) => parts.sql`
            select u.id, u.display_name, u.avatar_file_id, u.kind from (
              select v.user_id from poll_votes v
              where v.message_id = ${message_id} and v.answer_id = ${answer_id}
                and ${slice(parts.sql, 'v.user_id', scan)}) voted join users u on u.id = voted.user_id`,
        )
      },
      {
        params: AnswerPath,
        query: CursorQuery,
        detail: { summary: 'List who voted for an answer, by id; not in an anonymous poll', tags },
        response: answers({ 200: z.array(PublicUser) }, 'forbidden', ...PLACE_CODES),
      },
    )
