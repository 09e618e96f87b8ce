import { topic } from '../../core/events.ts'
import type { Sql, Transaction } from '../../database/database.ts'
import { BatchJob } from '../../events/batch-job.ts'
import type { Emit } from '../../events/write.ts'
import type { Parts } from '../../parts.ts'
import { queueEventNotices } from '../push/outbox.ts'
import { CANCELLED_KEPT_DAYS } from './model.ts'
import { nextReminder, removeSignups } from './signups.ts'

type JobParts = Pick<Parts, 'sql' | 'write' | 'log'>

/** Reminders per second: each is an event to the sockets of an account. */
const REMINDERS_MAX = 500
const REMINDER_PERIOD_MS = 1_000
/** Sign-ups of people who lost sight, and old events, per transaction. */
const BATCH_MAX = 100
const UPKEEP_PERIOD_MS = 60_000
const BATCHES_MAX = 20
/** How long an event stays after its last date. */
const KEPT_DAYS = 366

interface DueReminder {
  event_id: number
  n: number
  user_id: number
  server_id: number
  channel_id: number | null
  starts_at: string
  /** The account comes, or may come, and sees the event. */
  is_wanted: boolean
}

/** Reminds people of dates for which they signed up, once for each of the times that they chose. */
export class EventReminders extends BatchJob {
  constructor(parts: JobParts) {
    super(parts, {
      name: 'event reminders',
      periodMs: REMINDER_PERIOD_MS,
      batchesMax: 1,
      due: (sql) => sql`select from event_signups where next_remind_at <= now() limit 1`,
      batch: remind,
    })
  }
}

async function remind(sql: Transaction, emit: Emit): Promise<boolean> {
  const rows = await sql<DueReminder[]>`
    select s.event_id, s.n, s.user_id, e.server_id, e.channel_id, d.starts_at,
      s.status <> 'waiting' and d.starts_at > now() and sees_event(e, s.user_id) as is_wanted
    from (
      select * from event_signups where next_remind_at <= now()
      order by next_remind_at limit ${REMINDERS_MAX} for update skip locked
    ) s join event_dates d using (event_id, n) join calendar_events e on e.id = s.event_id`
  const [ids, dates, users] = [
    rows.map((row) => row.event_id),
    rows.map((row) => row.n),
    rows.map((row) => row.user_id),
  ]
  await sql`
    update event_signups s set next_remind_at = ${nextReminder(sql, sql`s.remind_minutes`)}
    from unnest(${ids}::bigint[], ${dates}::int[], ${users}::bigint[]) row (event_id, n, user_id)
    join event_dates d on d.event_id = row.event_id and d.n = row.n
    where s.event_id = row.event_id and s.n = row.n and s.user_id = row.user_id`
  // BlindSignups removes those who no longer see the event.
  const reminders = rows.filter(({ is_wanted }) => is_wanted)
  for (const { event_id, n, user_id, server_id, channel_id, starts_at } of reminders) {
    const to = topic.user(user_id, { server_id, ...(channel_id === null ? {} : { channel_id }) })
    emit(to, 'event.reminder', { event_id, server_id, n, starts_at })
  }
  await queueEventNotices(sql, 'event', reminders)
  return rows.length === REMINDERS_MAX
}

/** The sign-ups, for dates of the next day, of people who no longer see the channel of the event. */
const blindSignups = (sql: Sql): ReturnType<Sql> => sql`
  select s.event_id, s.user_id from event_signups s join event_dates d using (event_id, n)
  join calendar_events e on e.id = s.event_id and e.channel_id is not null
  where d.starts_at between now() and now() + interval '1 day' and not d.is_cancelled
    and not sees_event(e, s.user_id) limit ${BATCH_MAX}`

/** Removes the sign-ups of people who lost sight of an event, which makes room for others. */
export class BlindSignups extends BatchJob {
  constructor(parts: JobParts) {
    super(parts, {
      name: 'blind sign-ups',
      periodMs: UPKEEP_PERIOD_MS,
      batchesMax: BATCHES_MAX,
      due: blindSignups,
      async batch(sql, emit) {
        const rows = await sql<{ event_id: number; user_id: number }[]>`${blindSignups(sql)}`
        const pairs = new Map(rows.map((row) => [`${row.event_id} ${row.user_id}`, row]))
        const ordered = [...pairs.values()].toSorted((a, b) => a.event_id - b.event_id)
        for (const { event_id, user_id } of ordered) await removeSignups(sql, emit, event_id, user_id)
        return rows.length === BATCH_MAX
      },
    })
  }
}

const oldEvents = (sql: Sql): ReturnType<Sql> => sql`
  select e.id from calendar_events e where e.cancelled_at < now() - ${CANCELLED_KEPT_DAYS} * interval '1 day'
    or not exists (
      select from event_dates d where d.event_id = e.id and d.ends_at > now() - ${KEPT_DAYS} * interval '1 day')
  limit ${BATCH_MAX}`

/** Deletes events a year after their last date, and cancelled ones a month later. */
export class OldEvents extends BatchJob {
  constructor(parts: JobParts) {
    super(parts, {
      name: 'old events',
      periodMs: UPKEEP_PERIOD_MS,
      batchesMax: BATCHES_MAX,
      due: oldEvents,
      async batch(sql) {
        const rows = await sql`delete from calendar_events where id in (${oldEvents(sql)})`
        return rows.count === BATCH_MAX
      },
    })
  }
}
