import { found, Problem } from '../../core/errors.ts'
import { topic } from '../../core/events.ts'
import type { Sql, Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { field } from '../../http/answers.ts'
import { botsIn, botsOf } from '../access/bots.ts'
import { demand, lockMembership } from '../access/guard.ts'
import { queueEventNotices } from '../push/outbox.ts'
import { type Signup, type SignupDraft, SIGNUPS_MAX } from './model.ts'
import { type EventRow, visibleEvent } from './visible-event.ts'

type Status = 'yes' | 'maybe' | 'waiting'

/** A date, without the account's own sign-up, which stands apart. */
export interface DateState {
  n: number
  /** Others who come, and those of them in the wanted role. */
  yes: number
  in_role: number
  /** Other sign-ups of any kind. */
  others: number
  own_status: Status | null
  own_role: number | null
}

/** The new state of a sign-up for a date: `full` leaves the old one, `gone` removes it. */
type Decision = Status | 'full' | 'gone'

/** Decides on one date. Somebody who waits never loses the turn by asking again. */
export function decide(date: DateState, { status, role }: SignupDraft, signup: Signup): Decision {
  if (status === 'no') return 'gone'
  if (date.own_status === null && date.others >= SIGNUPS_MAX) return 'full'
  if (status === 'maybe') return 'maybe'
  const isSame = date.own_role === role
  if (isSame && (date.own_status === 'yes' || date.own_status === 'waiting')) return date.own_status
  const roleMax = role === null ? null : (signup.roles[role]?.max ?? null)
  const hasPlace = (signup.max === null || date.yes < signup.max) && (roleMax === null || date.in_role < roleMax)
  if (hasPlace) return 'yes'
  // A place is kept until another role has one.
  if (date.own_status === 'yes' || !signup.waiting_list) return 'full'
  return 'waiting'
}

/** The dates for which an account may sign up now, with the counts of the others. */
const datesFor = (sql: Sql, { id, signup }: EventRow, userId: number, { role, date }: SignupDraft) => sql<DateState[]>`
  select d.n, own.status as own_status, own.role as own_role,
    count(s.user_id) filter (where s.status = 'yes')::int as yes,
    count(s.user_id) filter (where s.status = 'yes' and s.role = ${role}::int)::int as in_role,
    count(s.user_id)::int as others
  from event_dates d
  left join event_signups s on s.event_id = d.event_id and s.n = d.n and s.user_id <> ${userId}
  left join event_signups own on own.event_id = d.event_id and own.n = d.n and own.user_id = ${userId}
  where d.event_id = ${id} and not d.is_cancelled and d.n = coalesce(${date ?? null}::int, d.n)
    and d.starts_at - ${signup?.closes_minutes ?? 0} * interval '1 minute' > now()
  group by d.n, own.status, own.role order by d.n`

/** Locks an event, so that its sign-ups change one after another. */
const lockEvent = (sql: Transaction, id: number) =>
  sql`select 1 from calendar_events where id = ${id} for no key update`

/** The next reminder before a date `d` at these minutes; null after the last. */
export const nextReminder = (sql: Sql, minutes: ReturnType<Sql>) => sql`(
  select min(d.starts_at - m * interval '1 minute') from unnest(${minutes}) m
  where d.starts_at - m * interval '1 minute' > now())`

/**
 * A timeout forbids sign-ups, and so does being held back.
 * @throws Problem `missing_permission`
 */
async function demandActive(sql: Sql, server_id: number, userId: number): Promise<void> {
  const [limit] = await sql`select from member_permissions
    where server_id = ${server_id} and user_id = ${userId} and (timed_out or held_back is not null)`
  if (limit) demand(0, 'send_messages')
}

/**
 * Signs an account up for one date of an event or for all that are to come, or takes that back.
 * @throws Problem `not_found`, `missing_permission`, `signup_closed`, `event_full`, `validation_failed`
 */
export async function signUp(
  sql: Transaction,
  emit: Emit,
  id: number,
  userId: number,
  draft: SignupDraft,
): Promise<void> {
  const { server_id } = await visibleEvent(sql, id, userId)
  await lockMembership(sql, server_id, userId)
  await lockEvent(sql, id)
  const event = await visibleEvent(sql, id, userId)
  const { signup } = event
  if (!signup) throw new Problem('signup_closed')
  if (draft.role !== null && draft.role >= signup.roles.length) throw field('role', 'The event has no such role')
  if (draft.status !== 'no') await demandActive(sql, server_id, userId)
  const dates = await datesFor(sql, event, userId, draft)
  if (dates.length === 0) throw new Problem('signup_closed')
  const wasComing = await isComing(sql, id, userId)
  const decisions = dates.map((date) => ({ ...date, decision: decide(date, draft, signup) }))
  if (decisions.every(({ decision }) => decision === 'full')) throw new Problem('event_full')
  const goneDates = decisions.filter(({ decision }) => decision === 'gone').map(({ n }) => n)
  await sql`delete from event_signups where event_id = ${id} and user_id = ${userId} and n = any(${goneDates}::int[])`
  const nextDates = decisions.filter(({ decision }) => decision !== 'gone' && decision !== 'full')
  const rows = nextDates.map(({ n, decision: status }) => ({ n, status, role: draft.role }))
  await sql`
    insert into event_signups (event_id, n, user_id, status, role, remind_minutes, next_remind_at)
    select ${id}, d.n, ${userId}, row.status, row.role, ${draft.remind}::int[],
      ${nextReminder(sql, sql`${draft.remind}::int[]`)}
    from json_to_recordset(${JSON.stringify(rows)}::text::json) row (n int, status text, role int)
    join event_dates d on d.event_id = ${id} and d.n = row.n order by d.n
    on conflict (event_id, n, user_id) do update set status = excluded.status, role = excluded.role,
      remind_minutes = excluded.remind_minutes, next_remind_at = excluded.next_remind_at`
  // Another role, or an end of waiting, begins a new turn.
  const turned = nextDates.filter((date) => date.own_status !== date.decision || date.own_role !== draft.role)
  await sql`update event_signups set turn = default
    where event_id = ${id} and user_id = ${userId} and n = any(${turned.map(({ n }) => n)}::int[])`
  const freed = decisions.filter((date) => date.own_status === 'yes' && date.decision !== 'full')
  await promote(
    sql,
    emit,
    event,
    freed.map(({ n }) => n),
  )
  emit(ownTopic(event, userId), 'event.signup', { event_id: id, promoted: [] })
  const coming = await isComing(sql, id, userId)
  if (coming !== wasComing)
    emit(await botsSeeing(sql, event), 'event.attendee', { event_id: id, server_id, user_id: userId, coming })
}

const botsSeeing = (sql: Sql, { server_id, channel_id }: EventRow) =>
  channel_id === null ? botsOf(sql, server_id) : botsIn(sql, server_id, channel_id, 'view_channel')

/** True if an account has signed up for any date of an event. */
async function isComing(sql: Sql, id: number, userId: number): Promise<boolean> {
  const [row] = await sql`select from event_signups where event_id = ${id} and user_id = ${userId} limit 1`
  return row !== undefined
}

const ownTopic = ({ server_id }: Pick<EventRow, 'server_id'>, userId: number) => topic.user(userId, { server_id })

/** A person who waits for a place at a date. */
export interface Waiter {
  n: number
  starts_at: string
  user_id: number
  role: number | null
}

/** People who come to a date in a role. */
export interface Taken {
  n: number
  role: number | null
  yes: number
}

/**
 * The people who get a place, if `waiters` are in the order of their arrival: each takes one if the date, and the role
 * at that date, have one left. Places only become fewer in between, so nobody is overtaken for the same role.
 */
export function placesFor(waiters: Waiter[], places: Taken[], { max, roles }: Signup): Waiter[] {
  const comingCounts = new Map<number, number>()
  const roleCounts = new Map<string, number>()
  const add = (n: number, role: number | null, more: number) => {
    comingCounts.set(n, (comingCounts.get(n) ?? 0) + more)
    roleCounts.set(`${n} ${role}`, (roleCounts.get(`${n} ${role}`) ?? 0) + more)
  }
  for (const { n, role, yes } of places) add(n, role, yes)
  return waiters.filter(({ n, role }) => {
    const roleMax = role === null ? null : (roles[role]?.max ?? null)
    const hasPlace =
      (comingCounts.get(n) ?? 0) < (max ?? SIGNUPS_MAX) &&
      (roleCounts.get(`${n} ${role}`) ?? 0) < (roleMax ?? SIGNUPS_MAX)
    if (hasPlace) add(n, role, 1)
    return hasPlace
  })
}

/**
 * Gives places of a locked event that are free, at dates to come, to those who have waited longest, and notifies them.
 * Where somebody who no longer sees the event is next, everybody who waits and does not see it is removed first.
 */
export async function promote(sql: Transaction, emit: Emit, event: EventRow, dates: number[]): Promise<void> {
  const { id, signup } = event
  if (!signup || dates.length === 0) return
  const nextInLine = async () => {
    const waiters = await sql<Waiter[]>`
      select s.n, s.user_id, s.role, d.starts_at from event_signups s join event_dates d using (event_id, n)
      where s.event_id = ${id} and s.n = any(${dates}::int[]) and s.status = 'waiting'
        and not d.is_cancelled and d.starts_at > now() order by s.n, s.turn`
    if (waiters.length === 0) return []
    const places = await sql<Taken[]>`
      select n, role, count(*)::int as yes from event_signups
      where event_id = ${id} and n = any(${dates}::int[]) and status = 'yes' group by n, role`
    return placesFor(waiters, places, signup)
  }
  let promoted = await nextInLine()
  if (await isAnyBlind(sql, id, promoted)) {
    await sql`delete from event_signups where event_id = ${id} and status = 'waiting' and user_id in (
      select w.user_id from (select distinct user_id from event_signups where event_id = ${id} and status = 'waiting') w
        join calendar_events e on e.id = ${id} where not sees_event(e, w.user_id))`
    promoted = await nextInLine()
  }
  if (promoted.length === 0) return
  await sql`
    update event_signups s set status = 'yes'
    from unnest(${promoted.map(({ n }) => n)}::int[], ${promoted.map(({ user_id }) => user_id)}::bigint[])
      next (n, user_id)
    where s.event_id = ${id} and s.n = next.n and s.user_id = next.user_id`
  const byPerson = Map.groupBy(promoted, ({ user_id }) => user_id)
  for (const [userId, places] of byPerson)
    emit(ownTopic(event, userId), 'event.signup', { event_id: id, promoted: places.map(({ n }) => n) })
  // One notice per person, of the first date.
  const notices = [...byPerson.values()].flatMap(([first]) => (first ? [{ ...first, event_id: id }] : []))
  await queueEventNotices(sql, 'promoted', notices)
}

async function isAnyBlind(sql: Sql, id: number, people: Waiter[]): Promise<boolean> {
  const ids = [...new Set(people.map(({ user_id }) => user_id))]
  const [blind] = await sql`
    select 1 from unnest(${ids}::bigint[]) user_id join calendar_events e on e.id = ${id}
    where not sees_event(e, user_id) limit 1`
  return blind !== undefined
}

/** Fits the sign-ups of a locked event to its changed roles and numbers: who has a place keeps it. */
export async function refit(sql: Transaction, emit: Emit, event: EventRow): Promise<void> {
  const { id, signup } = event
  if (!signup) return void (await sql`delete from event_signups where event_id = ${id}`)
  await sql`update event_signups set role = null where event_id = ${id} and role >= ${signup.roles.length}`
  const dates = await sql<{ n: number }[]>`
    select distinct n from event_signups where event_id = ${id} and status = 'waiting' order by n`
  await promote(
    sql,
    emit,
    event,
    dates.map(({ n }) => n),
  )
}

/** Removes the sign-ups of an account for an event, and gives its places to others. */
export async function removeSignups(sql: Transaction, emit: Emit, id: number, userId: number): Promise<void> {
  await lockEvent(sql, id)
  const [event] = await sql<EventRow[]>`select * from calendar_events where id = ${id}`
  const freed = await sql<{ n: number; status: Status }[]>`
    delete from event_signups where event_id = ${id} and user_id = ${userId} returning n, status`
  const places = freed.filter(({ status }) => status === 'yes').map(({ n }) => n)
  await promote(sql, emit, found(event), places)
}

/** removeSignups for every event of a server that the account leaves. */
export async function dropSignups(sql: Transaction, emit: Emit, server_id: number, userId: number): Promise<void> {
  const rows = await sql<{ id: number }[]>`
    select distinct e.id from calendar_events e join event_signups s on s.event_id = e.id
    where e.server_id = ${server_id} and s.user_id = ${userId} order by e.id`
  for (const { id } of rows) await removeSignups(sql, emit, id, userId)
}

/** Fits the sign-ups of a locked event to its dates, which have moved. */
export async function followDates(sql: Transaction, id: number): Promise<void> {
  await sql`delete from event_signups s using event_dates d
    where s.event_id = ${id} and d.event_id = s.event_id and d.n = s.n and d.is_cancelled`
  await sql`update event_signups s set next_remind_at = ${nextReminder(sql, sql`s.remind_minutes`)}
    from event_dates d where s.event_id = ${id} and d.event_id = s.event_id and d.n = s.n`
}
