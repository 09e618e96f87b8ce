import type { Sql } from '../../database/database.ts'
import { claim, isAny } from '../../database/job-lock.ts'
import type { Parts } from '../../parts.ts'

/** Events per read of the log. */
const EVENTS_MAX = 2_000
const JOBS_MAX = 2_000
const JOBS_PER_ACCOUNT_MAX = 20
/** Above this many jobs per account, avatars wait so that its links still get a slot. */
const AVATAR_JOBS_MAX = 10
/** An avatar that was not fetched within this time is given up. */
const AVATAR_HOURS = 1
/** Avatars given up per step, oldest first. */
const GIVEN_UP_MAX = 1_000
/** Accounts whose waiting avatars are checked per step, and avatars per account. */
const [ACCOUNTS_MAX, LEFT_PER_ACCOUNT_MAX] = [50, 20]
/** Accounts to choose from. */
const WAITING_MAX = 1_000
/** A job that has not ended within this time is repeated by any process. */
const LEASE_SECONDS = 120
const ATTEMPTS_MAX = 30

/** A message whose links are to be previewed. */
export interface PreviewJob {
  message_id: number
  /** The account whose limits count: the author, or the person behind a bot or a webhook. */
  author_id: number
  /** Distinguishes this request from a later one for the same message. */
  queued: string
}

interface Position {
  xid: string
  id: number
}

/** The queue of messages to preview. It is filled from the event log, so that sending costs nothing more. */
export class PreviewQueue {
  constructor(private readonly sql: Parts['sql']) {}

  /** Queues messages that are new in the log. @returns true if there is more to read at once */
  async fill(): Promise<boolean> {
    if (!(await isAny(this.sql, newEvents(this.sql)))) return false
    return this.sql.begin(async (sql) => {
      if (!(await claim(sql, 'preview queue'))) return false
      const [position] = await sql<Position[]>`select xid, id from preview_position`
      if (!position) {
        await sql`insert into preview_position (xid, id) select pg_snapshot_xmin(pg_current_snapshot())::text, 0`
        return false
      }
      const events = await sql<(Position & { message_id: number | null })[]>`
        select e.id, e.xid::text as xid, case when e.type = 'message.updated' or e.type = 'message.created'
            and position('://' in e.body::text) > 0
            then substr(e.resource, length('message:') + 1)::bigint end as message_id
        from (select * from events where (xid, id) > (${position.xid}::text::xid8, ${position.id}::bigint)
          and xid < pg_snapshot_xmin(pg_current_snapshot()) order by xid, id limit ${EVENTS_MAX}) e order by xid, id`
      const last = events.at(-1)
      if (!last) return false
      const ids = new Set(events.flatMap(({ message_id }) => message_id ?? []))
      if (ids.size > 0)
        await sql`${jobsOf(sql, sql`m.id = any(${[...ids]})`, JOBS_PER_ACCOUNT_MAX)}
          on conflict (message_id) do update set queued_at = clock_timestamp(), due_at = now(), attempts = 0`
      await sql`update preview_position set xid = ${last.xid}, id = ${last.id}`
      return events.length === EVENTS_MAX
    })
  }

  /** Queues messages whose avatars had to wait, while slots are free. */
  async refill(): Promise<void> {
    const { sql } = this
    await sql`delete from wanted_pictures given_up using messages m
      where m.id in (select w.message_id from wanted_pictures w
          where w.place = 'avatar' and ${hasNoJob(sql)} order by w.message_id limit ${GIVEN_UP_MAX})
        and given_up.place = 'avatar' and given_up.message_id = m.id
        and m.created_at < now() - ${AVATAR_HOURS} * interval '1 hour'`
    const isLeft: ReturnType<Sql> = sql`m.id in (
      with recursive waiting as (
        (select author_id from wanted_pictures where place = 'avatar' order by author_id limit 1)
        union all
        select (select w.author_id from wanted_pictures w where w.place = 'avatar' and w.author_id > waiting.author_id
          order by w.author_id limit 1)
        from waiting where waiting.author_id is not null
      ),
      chosen as (select author_id from (select author_id from waiting limit ${WAITING_MAX}) waiting
        where author_id is not null order by random() limit ${ACCOUNTS_MAX})
      select own.message_id from chosen, lateral (
        select w.message_id from wanted_pictures w
        where w.place = 'avatar' and w.author_id = chosen.author_id and ${hasNoJob(sql)}
        order by w.message_id limit ${LEFT_PER_ACCOUNT_MAX}) own)`
    await sql`${jobsOf(sql, isLeft, AVATAR_JOBS_MAX)} on conflict do nothing`
  }

  /** Takes the oldest job that is due. @param busy accounts with a running job on this process */
  async take(busy: number[]): Promise<PreviewJob | undefined> {
    const { sql } = this
    const [job] = await sql<PreviewJob[]>`
      update preview_jobs set attempts = attempts + 1, due_at = now() + ${LEASE_SECONDS} * interval '1 second'
      where message_id = (
        select message_id from preview_jobs where due_at <= now() and author_id <> all(${busy}::bigint[])
        order by due_at limit 1 for update skip locked)
      returning message_id, author_id, queued_at::text as queued`
    return job
  }

  /** Postpones a job. */
  async postpone({ message_id, queued }: PreviewJob, seconds: number): Promise<void> {
    await this.sql`update preview_jobs set due_at = now() + ${seconds} * interval '1 second'
      where message_id = ${message_id} and queued_at = ${queued}::text::timestamptz`
  }

  /** Drops jobs that have failed too often. */
  async drop(): Promise<void> {
    await this.sql`delete from preview_jobs where attempts >= ${ATTEMPTS_MAX} and due_at <= now()`
  }
}

/** Selects a row if there are new events, or there is no position yet. */
const newEvents = (sql: Sql): ReturnType<Sql> => sql`
  select 1 where not exists (select from preview_position)
  union all (select 1 from events
    where (xid, id) > ((select xid::text::xid8 from preview_position), (select id from preview_position))
      and xid < pg_snapshot_xmin(pg_current_snapshot()) order by xid, id limit 1)`

/** Adds jobs for messages that may have previews and whose version has none yet, while slots are free. */
const jobsOf = (sql: Sql, condition: ReturnType<Sql>, accountMax: number) => sql`
  insert into preview_jobs (message_id, author_id)
  select id, author_id from (
    select m.id, person.id as author_id, row_number() over (order by m.id) as at,
      row_number() over (partition by person.id order by m.id) as own
    from messages m join channels c on c.id = m.channel_id ${withPerson(sql)} where ${condition} and ${isDue(sql)}
  ) due
  where at + (select count(*) from preview_jobs) <= ${JOBS_MAX}
    and own + (select count(*) from preview_jobs j where j.author_id = due.author_id) <= ${accountMax}`

const hasNoJob = (sql: Sql) => sql`not exists (select from preview_jobs j where j.message_id = w.message_id)`

/** Joins the account whose limits count to messages `m`, as `person`. */
export const withPerson = (sql: Sql) => sql`left join webhooks w on w.id = m.author_id
  left join applications a on a.id = coalesce(w.creator_id, m.author_id),
  coalesce(a.owner_id, w.creator_id, m.author_id) person (id)`

/**
 * Queues a message whose event names no link, while slots are free.
 * @param isAvatar true if only its avatar is missing, for which `refill` tries again
 */
export const queuePreview = (sql: Sql, message_id: number, isAvatar: boolean) => sql`
  insert into preview_jobs (message_id, author_id) select m.id, person.id from messages m ${withPerson(sql)}
  where m.id = ${message_id} and (select count(*) from preview_jobs) < ${JOBS_MAX}
    and (select count(*) from preview_jobs j where j.author_id = person.id)
      < ${isAvatar ? AVATAR_JOBS_MAX : JOBS_PER_ACCOUNT_MAX}
  on conflict (message_id) do update set queued_at = clock_timestamp(), due_at = now(), attempts = 0`

/** Removes a job, unless the message has been queued again since. */
export const endJob = (sql: Sql, { message_id, queued }: PreviewJob) =>
  sql`delete from preview_jobs where message_id = ${message_id} and queued_at = ${queued}::text::timestamptz`

/** True if a message `m` of a channel `c` may have previews, and its version has not been processed. */
export const isDue = (sql: Sql) => sql`m.kind = 'default' and not m.embeds_suppressed
  and (position('://' in m.content) > 0 or m.embeds is not null
    or exists (select from wanted_pictures w where w.message_id = m.id))
  and coalesce(m.edited_at, m.created_at) is distinct from m.previewed_version and shows_previews(c)`
