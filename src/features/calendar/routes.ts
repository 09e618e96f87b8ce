import { z } from 'zod'
import type { Parts } from '../../parts.ts'
import { BODY_CODES, found, PLACE_CODES } from '../../core/errors.ts'
import { type Settle, textsIn } from '../../core/judge.ts'
import type { Permission } from '../../core/permissions.ts'
import { answers, DecimalId, Nothing } from '../../core/schema.ts'
import type { Sql } from '../../database/database.ts'
import { field, json } from '../../http/answers.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import { guarded } from '../access/guard.ts'
import type { Sessions } from '../sessions/store.ts'
import { cancelEvent, changeEvent, createEvent } from './change.ts'
import {
  CalendarEvent,
  EventDraft,
  type EventPatch,
  EventPatch as Patch,
  EVENTS_MAX,
  EventsQuery,
  LIST_DAYS_MAX,
} from './model.ts'
import { visibleEvent } from './visible-event.ts'

const tags = ['Events']
const EventPath = z.object({ event_id: DecimalId })
const ServerPath = z.object({ server_id: DecimalId })
const DAY_MS = 86_400_000

/** Low, because each is announced to everybody who sees the event. */
const CHANGES: BucketPolicy = { name: 'event-changes', burst: 20, refillPerS: 0.2 }
/** A list has up to 4,500 dates. */
const LISTS: BucketPolicy = { name: 'event-lists', burst: 20, refillPerS: 2 }

const MOVING = `Dates that have begun stay as they are. The others move in their order, and people stay signed up;
dates too many are cancelled.`

/** The event as JSON, with every date to come. */
const eventBody = async (sql: Sql, id: number, me: number): Promise<string> => {
  const [row] = await sql<{ body: string }[]>`
    select event_json(e, ${me}, now(), 'infinity')::text as body from calendar_events e where id = ${id}`
  return found(row).body
}

/** The span of a list. @throws Problem `validation_failed` */
function spanOf({ from, to }: z.infer<typeof EventsQuery>): { from: string; to: string } {
  const begin = from === undefined ? Date.now() : Date.parse(from)
  const end = to === undefined ? begin + LIST_DAYS_MAX * DAY_MS : Date.parse(to)
  if (end < begin || end > begin + LIST_DAYS_MAX * DAY_MS)
    throw field('to', `Must be at most ${LIST_DAYS_MAX} days after \`from\``)
  return { from: new Date(begin).toISOString(), to: new Date(end).toISOString() }
}

/** Judges the texts of an event by the rules of its server. @throws Problem `automod_blocked` */
async function judgeTexts(
  { judge }: Pick<Parts, 'judge'>,
  author_id: number,
  server_id: number,
  { title = '', description = '', place, signup, image_file_id }: EventPatch,
  bit?: Permission,
): Promise<Settle | undefined> {
  if (judge.isIdle()) return undefined
  const roles = signup?.roles.map(({ name }) => name) ?? []
  return judge.demand({
    author_id,
    place: { server_id },
    texts: [title, description, ...textsIn(place), ...roles],
    file_ids: image_file_id ? [image_file_id] : [],
    ...(bit ? { bit } : {}),
  })
}

export const calendarRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions)
    .post(
      '/api/servers/:server_id/events',
      async ({ params: { server_id }, me, caller, body }) => {
        await parts.limits.take(caller, CHANGES, `user:${me.id}`)
        await parts.space.demand()
        const settle = await judgeTexts(parts, me.id, server_id, body, 'create_events')
        const id = await parts.write((sql, emit) => createEvent(sql, emit, server_id, me.id, body, parts.environment))
        await settle?.()
        return json(await eventBody(parts.sql, id, me.id), 201)
      },
      {
        params: ServerPath,
        body: EventDraft,
        member: 'create_events',
        detail: { summary: `Create an event (create_events); a server has at most ${EVENTS_MAX} coming ones`, tags },
        response: answers(
          { 201: CalendarEvent },
          'automod_blocked',
          'too_many_events',
          'picture_unreadable',
          'too_many_bytes',
          'storage_full',
          ...PLACE_CODES,
          ...BODY_CODES,
        ),
      },
    )
    .get(
      '/api/servers/:server_id/events',
      async ({ params: { server_id }, query, me, caller }) => {
        await parts.limits.take(caller, LISTS, `user:${me.id}`)
        const { from, to } = spanOf(query)
        const [row] = await parts.sql<{ body: string }[]>`
          select coalesce(json_agg(
            event_json(e, ${me.id}, ${from}::timestamptz, ${to}::timestamptz) order by e.id), '[]')::text as body
          from calendar_events e where e.server_id = ${server_id} and e.cancelled_at is null and sees_event(e, ${me.id})
            and exists (select from event_dates d where d.event_id = e.id and not d.is_cancelled
              and d.ends_at > ${from}::timestamptz and d.starts_at < ${to}::timestamptz)`
        return json(found(row).body)
      },
      {
        params: ServerPath,
        query: EventsQuery,
        member: 'none',
        detail: {
          summary: 'List the events of a server that the caller sees, with their dates in a span of time',
          tags,
        },
        response: answers({ 200: z.array(CalendarEvent) }, ...PLACE_CODES),
      },
    )
    .get(
      '/api/events/:event_id',
      async ({ params: { event_id }, me }) => {
        await visibleEvent(parts.sql, event_id, me.id)
        return json(await eventBody(parts.sql, event_id, me.id))
      },
      {
        params: EventPath,
        detail: { summary: 'Get an event with its dates to come', tags },
        response: answers({ 200: CalendarEvent }, ...PLACE_CODES),
      },
    )
    .put(
      '/api/events/:event_id',
      async ({ params: { event_id }, me, caller, body }) => {
        await parts.limits.take(caller, CHANGES, `user:${me.id}`)
        await parts.space.demand()
        const { server_id } = await visibleEvent(parts.sql, event_id, me.id)
        const settle = await judgeTexts(parts, me.id, server_id, body)
        await parts.write((sql, emit) => changeEvent(sql, emit, event_id, me.id, body, parts.environment))
        await settle?.()
        return json(await eventBody(parts.sql, event_id, me.id))
      },
      {
        params: EventPath,
        body: Patch,
        detail: { summary: 'Change an event (its creator, or manage_events)', description: MOVING, tags },
        response: answers(
          { 200: CalendarEvent },
          'automod_blocked',
          'picture_unreadable',
          'too_many_bytes',
          'storage_full',
          ...PLACE_CODES,
          ...BODY_CODES,
        ),
      },
    )
    .delete(
      '/api/events/:event_id',
      async ({ params: { event_id }, me, caller, status }) => {
        await parts.limits.take(caller, CHANGES, `user:${me.id}`)
        await parts.write((sql, emit) => cancelEvent(sql, emit, event_id, me.id))
        return status(204, undefined)
      },
      {
        params: EventPath,
        detail: { summary: 'Cancel an event (its creator, or manage_events)', tags },
        response: answers({ 204: Nothing }, ...PLACE_CODES),
      },
    )
