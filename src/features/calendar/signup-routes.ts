import { z } from 'zod'
import type { Parts } from '../../parts.ts'
import { BODY_CODES, PLACE_CODES } from '../../core/errors.ts'
import { CursorQuery } from '../../core/paging.ts'
import { answers, DecimalId, Nothing } from '../../core/schema.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import { cursorList, slice } from '../../http/lists.ts'
import { guarded } from '../access/guard.ts'
import type { Sessions } from '../sessions/store.ts'
import { Attendee, SignupDraft } from './model.ts'
import { signUp } from './signups.ts'
import { visibleEvent } from './visible-event.ts'

const tags = ['Events']
const EventPath = z.object({ event_id: DecimalId })

/** Low, because each may be for hundreds of dates. */
const SIGNUPS: BucketPolicy = { name: 'event-signups', burst: 10, refillPerS: 0.5 }

const SIGNUP = `For one date, or for every date to come. A date without a free place puts the account on the waiting
list, if the event has one. A place that becomes free goes to the account that has waited longest, which
\`event.signup\` notifies.`

export const signupRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions)
    .put(
      '/api/events/:event_id/signup',
      async ({ params: { event_id }, me, caller, body, status }) => {
        await parts.limits.take(caller, SIGNUPS, `user:${me.id}`)
        await parts.space.demand()
        await parts.write((sql, emit) => signUp(sql, emit, event_id, me.id, body))
        return status(204, undefined)
      },
      {
        params: EventPath,
        body: SignupDraft,
        detail: { summary: 'Sign up for an event, or take that back', description: SIGNUP, tags },
        response: answers(
          { 204: Nothing },
          'event_full',
          'signup_closed',
          'storage_full',
          ...PLACE_CODES,
          ...BODY_CODES,
        ),
      },
    )
    .get(
      '/api/events/:event_id/dates/:date/signups',
      async ({ params: { event_id, date }, query, request, me }) => {
        await visibleEvent(parts.sql, event_id, me.id)
        return cursorList<z.infer<typeof Attendee>>(
          request,
          query,
          'oldest',
          (row) => row.user.id,
          (scan) => parts.sql`
            select public_user(u) as user, s.status, s.role from (
              select user_id, status, role from event_signups
              where event_id = ${event_id} and n = ${date} and ${slice(parts.sql, 'user_id', scan)}
            ) s join users u on u.id = s.user_id`,
        )
      },
      {
        params: EventPath.extend({ date: DecimalId }),
        query: CursorQuery,
        detail: { summary: 'List who has signed up for a date, by id', tags },
        response: answers({ 200: z.array(Attendee) }, ...PLACE_CODES),
      },
    )
