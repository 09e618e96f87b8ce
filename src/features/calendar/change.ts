import { found, Problem } from '../../core/errors.ts'
import { type Audience, topic } from '../../core/events.ts'
import { holds } from '../../core/permissions.ts'
import type { Sql, Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { field } from '../../http/answers.ts'
import { type AssetLimit, chargeFile, releaseFile } from '../access/assets.ts'
import { demand, lockedMembership, lockServer, membership, visibleChannel } from '../access/guard.ts'
import { lockPicture } from '../files/access.ts'
import { CANCELLED_KEPT_DAYS, CANCELLED_PER_DAY_MAX, EVENTS_MAX, type EventDraft, type EventPatch } from './model.ts'
import { datesOf, parseRule } from './recurrence.ts'
import { followDates, refit } from './signups.ts'
import { type EventRow, visibleEvent } from './visible-event.ts'

const AHEAD_DAYS_MAX = 731
const LENGTH_DAYS_MAX = 14
const DAY_MS = 86_400_000

type Schedule = Pick<EventRow, 'starts_at' | 'ends_at' | 'time_zone' | 'recurrence'>
interface Span {
  starts_at: string
  ends_at: string
}

/**
 * The dates of an event.
 * @throws Problem `validation_failed`
 */
export function spansOf({ starts_at, ends_at, time_zone, recurrence }: Schedule, now = Date.now()): Span[] {
  const [start, end] = [Date.parse(starts_at), Date.parse(ends_at)]
  if (end <= start) throw field('ends_at', 'Must be after `starts_at`')
  if (end - start > LENGTH_DAYS_MAX * DAY_MS)
    throw field('ends_at', `Must be at most ${LENGTH_DAYS_MAX} days after \`starts_at\``)
  if (start > now + AHEAD_DAYS_MAX * DAY_MS) throw field('starts_at', 'Must be within two years')
  const rule = recurrence === null ? undefined : parseRule(recurrence)
  const starts = rule ? datesOf(start, time_zone, rule) : [start]
  if (!starts) throw field('recurrence', 'The first date must follow the rule, for up to 366 dates or two years')
  const timeOf = (ms: number) => new Date(ms).toISOString()
  return starts.map((at) => ({ starts_at: timeOf(at), ends_at: timeOf(at + end - start) }))
}

/** The columns of a place. @throws Problem `validation_failed` for a channel that the caller does not see */
async function placeOf(sql: Sql, server_id: number, userId: number, place: EventDraft['place']) {
  if ('text' in place) return { channel_id: null, place_text: place.text, place_url: null }
  if ('url' in place) return { channel_id: null, place_text: null, place_url: place.url }
  const channel = await visibleChannel(sql, place.channel_id, userId).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'not_found') return undefined
    throw error
  })
  if (channel?.server_id !== server_id || !['text', 'voice', 'stage'].includes(channel.type))
    throw field('place.channel_id', 'There is no such text channel, voice channel or stage in this server')
  return { channel_id: channel.id, place_text: null, place_url: null }
}

/** Everybody who sees an event. */
export async function audienceOf(sql: Sql, { server_id, channel_id }: Pick<EventRow, 'server_id' | 'channel_id'>) {
  if (channel_id === null) return [topic.server(server_id)]
  const [channel] = await sql<{ restricted: boolean }[]>`
    select audience_restricted(c) as restricted from channels c where id = ${channel_id}`
  return [topic.channel({ id: channel_id, server_id, restricted: found(channel).restricted })]
}

const announce = (emit: Emit, to: Audience[], { id, server_id }: EventRow, isNew = false) =>
  emit(to, 'event.changed', { id, server_id, ...(isNew ? { is_new: true } : {}) })

/**
 * Cancelled events count for a day, because they stay for their feeds: else creating and cancelling in turn would fill
 * the disk.
 * @throws Problem `too_many_events`
 */
async function demandSpace(sql: Sql, server_id: number): Promise<void> {
  const [row] = await sql<{ coming: number; cancelled: number }[]>`
    select count(*) filter (where e.cancelled_at is null)::int as coming,
      count(*) filter (where e.cancelled_at > now() - interval '1 day')::int as cancelled
    from calendar_events e where e.server_id = ${server_id}
      and (e.cancelled_at > now() - interval '1 day' or e.cancelled_at is null and exists (
        select from event_dates d where d.event_id = e.id and not d.is_cancelled and d.ends_at > now()))`
  const { coming, cancelled } = found(row)
  if (coming >= EVENTS_MAX || cancelled >= CANCELLED_PER_DAY_MAX) throw new Problem('too_many_events')
}

/**
 * Gives an event of a locked server a picture, or none. The picture counts for the server too.
 * @throws Problem `not_found`, `picture_unreadable`, `too_many_bytes`
 */
async function setImage(
  sql: Transaction,
  { id, server_id }: EventRow,
  userId: number,
  fileId: number | null,
  limit: AssetLimit,
): Promise<void> {
  const removed = await sql<{ file_id: number }[]>`
    delete from event_images where event_id = ${id} returning file_id`
  if (fileId !== null) {
    await lockPicture(sql, fileId, userId)
    await sql`insert into event_images values (${id}, ${fileId})`
  }
  for (const { file_id } of removed) {
    const uses = await sql`select 1 from event_images i join calendar_events e on e.id = i.event_id
      where i.file_id = ${file_id} and e.server_id = ${server_id} limit 1`
    if (uses.length === 0) await releaseFile(sql, server_id, file_id)
  }
  if (fileId !== null) await chargeFile(sql, server_id, fileId, limit)
}

/**
 * Creates an event.
 * @returns its id
 * @throws Problem `not_found`, `missing_permission`, `validation_failed`, `too_many_events`, `too_many_bytes`
 */
export async function createEvent(
  sql: Transaction,
  emit: Emit,
  server_id: number,
  userId: number,
  { place, image_file_id, ...draft }: EventDraft,
  limit: AssetLimit,
): Promise<number> {
  await lockedMembership(sql, server_id, userId, 'create_events')
  const spans = spansOf(draft)
  if (Date.parse(draft.starts_at) <= Date.now()) throw field('starts_at', 'Must be in the future')
  await demandSpace(sql, server_id)
  const { signup, ...fields } = draft
  const row = { ...fields, ...(await placeOf(sql, server_id, userId, place)), server_id, creator_id: userId }
  const [event] = await sql<EventRow[]>`
    insert into calendar_events ${sql(row)} returning *`
  const { id } = found(event)
  await sql`update calendar_events set signup = ${signup && JSON.stringify(signup)}::text::json where id = ${id}`
  if (image_file_id !== null) await setImage(sql, found(event), userId, image_file_id, limit)
  await addDates(sql, id, 0, spans)
  announce(emit, await audienceOf(sql, found(event)), found(event), true)
  return id
}

/** Adds dates to an event, numbered from `first` on. */
const addDates = (sql: Transaction, id: number, first: number, spans: Span[]) => sql`
  insert into event_dates (event_id, n, starts_at, ends_at)
  select ${id}, ${first}::int - 1 + at, starts_at, ends_at
  from unnest(${spans.map((span) => span.starts_at)}::timestamptz[],
    ${spans.map((span) => span.ends_at)}::timestamptz[])
    with ordinality span (starts_at, ends_at, at)`

/**
 * Locks the server and the event, which the caller may change: as its creator, or with manage_events.
 * @throws Problem `not_found`, `missing_permission`
 */
async function lockOwnEvent(sql: Transaction, id: number, userId: number): Promise<EventRow> {
  const { server_id } = await visibleEvent(sql, id, userId)
  await lockServer(sql, server_id)
  const actor = await membership(sql, server_id, userId)
  await sql`select 1 from calendar_events where id = ${id} for no key update`
  const event = await visibleEvent(sql, id, userId)
  const isCreator = event.creator_id === userId && holds(actor.permissions, 'create_events')
  if (!isCreator) demand(actor.permissions, 'manage_events')
  return event
}

/**
 * Changes an event; dates that are over stay. Its sign-ups follow the dates that are left.
 * @throws Problem `not_found`, `missing_permission`, `validation_failed`, `too_many_bytes`
 */
export async function changeEvent(
  sql: Transaction,
  emit: Emit,
  id: number,
  userId: number,
  { place, signup, image_file_id, ...change }: EventPatch,
  limit: AssetLimit,
): Promise<void> {
  const before = await lockOwnEvent(sql, id, userId)
  const columns = place ? await placeOf(sql, before.server_id, userId, place) : {}
  const after: EventRow = { ...before, ...change, ...columns }
  const isMoved = (['starts_at', 'ends_at', 'time_zone', 'recurrence'] as const).some((name) => name in change)
  const spans = isMoved ? spansOf(after) : []
  const row = { ...change, ...columns, sequence: before.sequence + 1, updated_at: new Date().toISOString() }
  await sql`update calendar_events set ${sql(row)} where id = ${id}`
  if (image_file_id !== undefined) await setImage(sql, before, userId, image_file_id, limit)
  if (signup !== undefined)
    await sql`update calendar_events set signup = ${signup && JSON.stringify(signup)}::text::json where id = ${id}`
  if (isMoved) {
    await moveDates(sql, id, spans)
    await followDates(sql, id)
  }
  if (signup !== undefined) await refit(sql, emit, { ...after, signup })
  const audiences = [before, after].map((event) => audienceOf(sql, event))
  const all = (await Promise.all(audiences)).flat()
  const unique = [...new Map(all.map((to) => [to.topic, to])).values()]
  announce(emit, unique, after)
}

/** Moves the dates to come: in their order to the new ones; dates too many are cancelled. */
async function moveDates(sql: Transaction, id: number, spans: Span[]): Promise<void> {
  const coming = await sql<{ n: number }[]>`
    select n from event_dates where event_id = ${id} and starts_at > now() and not is_cancelled
    order by starts_at`
  const [newest] = await sql<{ n: number }[]>`select max(n) as n from event_dates where event_id = ${id}`
  const next = spans.filter(({ starts_at }) => Date.parse(starts_at) > Date.now())
  if (next.length === 0) throw field('starts_at', 'At least one date must be in the future')
  for (const [at, { n }] of coming.entries()) {
    const span = next[at]
    await (span
      ? sql`update event_dates set ${sql(span)} where event_id = ${id} and n = ${n}`
      : sql`update event_dates set is_cancelled = true where event_id = ${id} and n = ${n}`)
  }
  await addDates(sql, id, (newest?.n ?? -1) + 1, next.slice(coming.length))
}

/**
 * Cancels an event.
 * @throws Problem `not_found`, `missing_permission`
 */
export async function cancelEvent(sql: Transaction, emit: Emit, id: number, userId: number): Promise<void> {
  const event = await lockOwnEvent(sql, id, userId)
  await sql`update calendar_events set cancelled_at = now(), sequence = sequence + 1 where id = ${id}`
  await sql`delete from event_signups where event_id = ${id}`
  // The others would show no calendar program anything: OldEvents removes the event by then.
  await sql`delete from event_dates where event_id = ${id}
    and (ends_at < now() or starts_at > now() + ${CANCELLED_KEPT_DAYS} * interval '1 day')`
  emit(await audienceOf(sql, event), 'event.deleted', { id, server_id: event.server_id })
}
