import { createHash, randomBytes } from 'node:crypto'
import { found, Problem } from '../../core/errors.ts'
import { judgePreconditions } from '../../core/preconditions.ts'
import type { Sql, Transaction } from '../../database/database.ts'
import type { Caller } from '../../http/caller.ts'
import type { WindowPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { membership } from '../access/guard.ts'
import { addressKey } from '../sessions/address.ts'
import { admitAddress } from '../sessions/identity.ts'
import { calendarOf, type CalendarDate } from './ics.ts'
import { type Feed, FEEDS_MAX, FEEDS_PATH, type IssuedFeed } from './model.ts'

/** Dates in a calendar, the earliest ones, and the time before now for which it has them. */
const DATES_MAX = 2000
const PAST_DAYS = 31
/** Dates of an event in a feed of many, so that reading one stays cheap. */
const DATES_PER_EVENT_MAX = 100
/** 256 bits in base64url. */
const SECRET = /^([\w-]{43})\.ics$/

const READS: WindowPolicy = { name: 'calendar-feeds', max: 60, windowS: 3600 }
/** Requests per address with a wrong address. Each counts until its address turns out to be right. */
const WRONG: WindowPolicy = { name: 'calendar-addresses', max: 60, windowS: 60 }

const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/**
 * The dates of events that the account sees, also cancelled ones to come. Access is judged once per event.
 * @param where a condition on `e`
 * @param perEvent dates per event
 */
const selectDates = (sql: Sql, userId: number, where: ReturnType<Sql>, perEvent: number) => sql<CalendarDate[]>`
  with seen as materialized (select e.* from calendar_events e where ${where} and sees_event(e, ${userId}))
  select e.id as event_id, d.n, d.starts_at, d.ends_at, e.title, e.description, e.place_url,
    coalesce(e.place_text, '#' || (select c.name from channels c where c.id = e.channel_id)) as place,
    e.sequence, e.updated_at, d.is_cancelled or e.cancelled_at is not null as is_cancelled
  from seen e cross join lateral (
    select * from event_dates d where d.event_id = e.id and d.starts_at > now() - ${PAST_DAYS} * interval '1 day'
      and (d.ends_at > now() or not d.is_cancelled and e.cancelled_at is null)
    order by d.starts_at limit ${perEvent}) d
  order by d.starts_at, e.id limit ${DATES_MAX}`

const selectFeeds = (sql: Sql, where: ReturnType<Sql>) => sql<Feed[]>`
  select id, server_id, created_at from calendar_feeds where ${where} order by id`

export const feedsOf = (sql: Sql, userId: number) => selectFeeds(sql, sql`user_id = ${userId}`)

/** Gives a feed a new secret, which is shown only this once. */
async function issue(sql: Sql, base: string, id: number): Promise<IssuedFeed> {
  const secret = randomBytes(32).toString('base64url')
  await sql`update calendar_feeds set hash = ${hashOf(secret)} where id = ${id}`
  const [feed] = await selectFeeds(sql, sql`id = ${id}`)
  return { ...found(feed), url: `${base}${FEEDS_PATH}/${secret}.ics` }
}

/**
 * Creates a feed of one server, or of all.
 * @throws Problem `not_found`, `too_many_feeds`
 */
export async function createFeed(
  sql: Transaction,
  base: string,
  user_id: number,
  server_id: number | null,
): Promise<IssuedFeed> {
  if (server_id !== null) await membership(sql, server_id, user_id)
  await sql`select 1 from users where id = ${user_id} for no key update`
  if ((await feedsOf(sql, user_id)).length >= FEEDS_MAX) throw new Problem('too_many_feeds')
  const [feed] = await sql<{ id: number }[]>`
    insert into calendar_feeds ${sql({ user_id, server_id, hash: randomBytes(32) })} returning id`
  return issue(sql, base, found(feed).id)
}

/** Renews the address of a feed; the old one stops working. @throws Problem `not_found` */
export async function renewFeed(sql: Transaction, base: string, userId: number, id: number): Promise<IssuedFeed> {
  found((await sql`select 1 from calendar_feeds where id = ${id} and user_id = ${userId} for update`)[0])
  return issue(sql, base, id)
}

interface OpenFeed {
  id: number
  user_id: number
  server_id: number | null
  server_name: string | null
}

/**
 * Answers a request for a feed, with the permissions that its account has now.
 * @param file the secret, with `.ics`
 * @throws Problem `not_found`, `rate_limited`
 */
export async function readFeed(parts: Parts, request: Request, caller: Caller, file: string): Promise<Response> {
  const { sql, limits } = parts
  await admitAddress(parts, caller)
  const address = addressKey(caller.ip)
  await limits.take(caller, WRONG, address)
  const [, secret] = SECRET.exec(file) ?? []
  const [feed] = secret
    ? await sql<OpenFeed[]>`
        select f.id, f.user_id, f.server_id, s.name as server_name from calendar_feeds f
        join users u on u.id = f.user_id and u.suspended_at is null left join servers s on s.id = f.server_id
        where f.hash = ${hashOf(secret)}`
    : []
  if (!feed) throw new Problem('not_found')
  await limits.giveBack(WRONG, address)
  await limits.take(caller, READS, `feed:${feed.id}`)
  const where: ReturnType<Sql> =
    feed.server_id === null
      ? sql`e.server_id in (select server_id from members where user_id = ${feed.user_id})`
      : sql`e.server_id = ${feed.server_id}`
  const dates = await selectDates(sql, feed.user_id, where, DATES_PER_EVENT_MAX)
  return icsAnswer(request, calendarOf(feed.server_name ?? 'Parley', hostOf(caller), dates))
}

const hostOf = ({ base }: Caller): string => new URL(base).hostname

/** The file of one event. */
export async function eventFile(parts: Parts, request: Request, caller: Caller, id: number, userId: number) {
  const dates = await selectDates(parts.sql, userId, parts.sql`e.id = ${id} and e.cancelled_at is null`, DATES_MAX)
  return icsAnswer(request, calendarOf(dates[0]?.title ?? 'Parley', hostOf(caller), dates))
}

/** A calendar as an answer, or 304 if the reader has it. */
function icsAnswer(request: Request, body: string): Response {
  const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`
  const headers = { etag, 'cache-control': 'private, no-cache' }
  if (judgePreconditions(request.headers, true, { etag }) === 'not modified')
    return new Response(null, { status: 304, headers })
  return new Response(body, {
    headers: {
      ...headers,
      'content-type': 'text/calendar; charset=utf-8',
      'content-disposition': 'attachment; filename="events.ics"',
    },
  })
}
