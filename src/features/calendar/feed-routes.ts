import { Elysia } from 'elysia'
import { z } from 'zod'
import type { Parts } from '../../parts.ts'
import { BODY_CODES, found, PLACE_CODES, Problem, TOKEN_CODES } from '../../core/errors.ts'
import { answers, DecimalId, NoBody, Nothing } from '../../core/schema.ts'
import { callerOf } from '../../http/caller.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import { guarded } from '../access/guard.ts'
import type { Sessions } from '../sessions/store.ts'
import { createFeed, eventFile, feedsOf, readFeed, renewFeed } from './feeds.ts'
import { Feed, FeedDraft, FEEDS_MAX, FEEDS_PATH, IssuedFeed } from './model.ts'
import { visibleEvent } from './visible-event.ts'

const tags = ['Events']
const EventFile = z.string().meta({ example: 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\n' })
const FeedPath = z.object({ feed_id: DecimalId })

const CHANGES: BucketPolicy = { name: 'feed-changes', burst: 10, refillPerS: 0.1 }
/** Low, because each builds a file of up to 366 dates. */
const FILES: BucketPolicy = { name: 'event-files', burst: 20, refillPerS: 0.5 }

const FEED = `Everybody who has the address reads the events that the account sees at that moment. It is shown only this
once, and ends with the membership, a suspension, a password reset, and the end of all sessions.`

/** Managing the calendar feeds of an account, and the file of one event. */
export const feedRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions)
    .post(
      '/api/calendar/feeds',
      async ({ me, caller, body: { server_id }, status }) => {
        if (me.is_bot) throw new Problem('not_for_bots')
        await parts.limits.take(caller, CHANGES, `user:${me.id}`)
        return status(201, await parts.write((sql) => createFeed(sql, caller.base, me.id, server_id)))
      },
      {
        body: FeedDraft,
        detail: { summary: `Create a calendar feed, at most ${FEEDS_MAX} per account`, description: FEED, tags },
        response: answers(
          { 201: IssuedFeed },
          'too_many_feeds',
          'not_for_bots',
          'not_found',
          ...BODY_CODES,
          ...TOKEN_CODES,
        ),
      },
    )
    .get('/api/calendar/feeds', async ({ me }) => feedsOf(parts.sql, me.id), {
      detail: { summary: 'List the calendar feeds of the caller, without their addresses', tags },
      response: answers({ 200: z.array(Feed) }, ...TOKEN_CODES),
    })
    .post(
      '/api/calendar/feeds/:feed_id/renew',
      async ({ me, caller, params: { feed_id } }) => {
        await parts.limits.take(caller, CHANGES, `user:${me.id}`)
        return parts.write((sql) => renewFeed(sql, caller.base, me.id, feed_id))
      },
      {
        params: FeedPath,
        body: NoBody,
        detail: { summary: 'Renew the address of a calendar feed; the old one stops working at once', tags },
        response: answers({ 200: IssuedFeed }, ...PLACE_CODES, ...BODY_CODES),
      },
    )
    .delete(
      '/api/calendar/feeds/:feed_id',
      async ({ me, params: { feed_id }, status }) => {
        const rows = await parts.write(
          (sql) => sql`delete from calendar_feeds where id = ${feed_id} and user_id = ${me.id} returning 1`,
        )
        found(rows[0])
        return status(204, undefined)
      },
      {
        params: FeedPath,
        detail: { summary: 'Delete a calendar feed', tags },
        response: answers({ 204: Nothing }, ...PLACE_CODES),
      },
    )
    .get(
      '/api/events/:event_id/ics',
      async ({ params: { event_id }, me, caller, request }) => {
        await parts.limits.take(caller, FILES, `user:${me.id}`)
        await visibleEvent(parts.sql, event_id, me.id)
        return eventFile(parts, request, caller, event_id, me.id)
      },
      {
        params: z.object({ event_id: DecimalId }),
        detail: { summary: 'Get an event as a file of RFC 5545', tags },
        response: answers({ 200: EventFile }, ...PLACE_CODES),
      },
    )

/** Calendars for programs, authenticated by their secret address. Cookies and API tokens are ignored. */
export const calendarFeeds = (parts: Parts) =>
  new Elysia()
    .derive(({ request, route }) => {
      const caller = callerOf(request)
      // The log has only the pattern: the address is a secret.
      caller.route = route
      return { caller }
    })
    .get(
      `${FEEDS_PATH}/:file`,
      async ({ request, caller, params: { file } }) => readFeed(parts, request, caller, file),
      {
        params: z.object({ file: z.string() }),
        detail: { hide: true },
      },
    )
