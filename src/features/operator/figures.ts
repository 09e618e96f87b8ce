import { NOTICE_LISTENER_NAME, type Sql } from '../../database/database.ts'
import type { Figures } from './model.ts'

/** Larger tables are not counted: PostgreSQL's estimate, from its last ANALYZE, is used instead. */
const COUNTED_MAX = 1_000_000

/**
 * Counts and sizes of the whole installation. The numbers of messages and events are estimates if large.
 * @param countedMax rows of the largest table to count
 */
export async function figuresOf(sql: Sql, countedMax = COUNTED_MAX): Promise<Figures> {
  const [row] = await sql<[Figures]>`
    with many as (
      select relname as name, reltuples from pg_class
      where oid in ('messages'::regclass, 'events'::regclass) and reltuples > ${countedMax}),
    direct as (
      select (1 - null_frac) * reltuples as rows, reltuples from many join pg_stats on tablename = name
      where name = 'messages' and schemaname = current_schema() and attname = 'recipient_id')
    select
    (select count(*) from pg_stat_activity
      where application_name = ${NOTICE_LISTENER_NAME} and datname = current_database()) as running_servers,
    (select count(*) from users where deleted_at is null) as accounts,
    (select count(*) from users where suspended_at is not null) as suspended_accounts,
    (select count(*) from (
      select user_id from sessions where last_used_at > now() - interval '1 day'
      union select user_id from known_addresses where seen_at > now() - interval '1 day') active
    ) as accounts_active_last_day,
    (select count(*) from sessions) as sessions,
    (select count(*) from servers where owner_id is not null) as servers,
    (select count(*) from channels where type in ('text', 'voice', 'forum', 'stage')) as channels,
    coalesce((select (reltuples - rows)::bigint from direct),
      (select count(*) from messages where recipient_id is null)) as messages,
    coalesce((select rows::bigint from direct),
      (select count(*) from messages where recipient_id is not null)) as direct_messages,
    (select count(*) from files) as files,
    (select coalesce(sum(size), 0)::bigint from files) as file_bytes,
    (select count(*) from object_outbox where due_at < 'infinity') as objects_to_remove,
    coalesce((select reltuples::bigint from many where name = 'events'), (select count(*) from events)) as events,
    pg_total_relation_size('events') as event_bytes,
    pg_database_size(current_database()) as database_bytes`
  return row
}

/** Cache a count for 100 times as long as it took, so that counting uses at most 1 % of one connection per process. */
const KEPT_TIMES = 100

interface CountedFigures {
  figures: Figures
  counted_at: string
}

/**
 * The cached figures of the operator's page. Counting reads whole tables, so it happens only on request, and seldom.
 */
export class CachedFigures {
  private cached: { result: CountedFigures; untilMs: number } | undefined
  private counting: Promise<CountedFigures> | undefined

  constructor(private readonly sql: Sql) {}

  /** The figures, and the time of counting. */
  async now(): Promise<CountedFigures> {
    if (this.cached && performance.now() < this.cached.untilMs) return this.cached.result
    this.counting ??= this.count().finally(() => (this.counting = undefined))
    return this.counting
  }

  private async count(): Promise<CountedFigures> {
    const startedMs = performance.now()
    const figures = await figuresOf(this.sql)
    const endedMs = performance.now()
    const result = { figures, counted_at: new Date().toISOString() }
    this.cached = { result, untilMs: endedMs + (endedMs - startedMs) * KEPT_TIMES }
    return result
  }
}
