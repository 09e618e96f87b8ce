import { isDatabaseFault, type Database, type Sql } from '../database/database.ts'
import type { Log } from '../core/log.ts'

/** Any key of its own: one process at a time. */
const ORIGIN_LOCK = 7_201_506

/**
 * The timeline of PostgreSQL, which a standby that takes over increases.
 * @returns null where that cannot be asked, such as at some hosters
 */
async function timelineOf(sql: Sql): Promise<number | null> {
  try {
    // pg_control_checkpoint() names the former timeline for some seconds. Source: PostgreSQL, xlog_internal.h.
    const [row] = await sql<{ timeline: number }[]>`
      select ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline`
    return row?.timeline ?? null
  } catch (error) {
    if (isDatabaseFault(error)) throw error
    return null
  }
}

/**
 * Makes the event log one that clients can resume from, before anything else reads it:
 * - A log from another cluster (dumped and restored) is emptied: its xids mean nothing here, and everyone begins fresh.
 * - A log that may lack its newest events, since a standby has taken over, stays, but nobody resumes from its events.
 * - Ids go on above every id that was given out before, also by data newer than what was restored: a client that holds
 *   one of those finds it nowhere in the log, and begins fresh. They go on from the time in units of 10 µs, which no
 *   rate of events outruns and which has 15 digits until 2286.
 * @param ranBack whether this process knows of events that the log no longer has
 */
export async function renewLogOrigin(sql: Database, log: Log, ranBack = false): Promise<void> {
  const timeline = await timelineOf(sql)
  const { foreign, moved } = await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${ORIGIN_LOCK})`
    const [origin = { foreign: false, moved: false }] = await tx<{ foreign: boolean; moved: boolean }[]>`
      select o.system_identifier <> c.system_identifier
        or coalesce((select max(xid) from events) >= pg_snapshot_xmax(pg_current_snapshot()), false) as foreign,
        ${ranBack} or coalesce(o.timeline <> ${timeline}::int, false) as moved
      from event_log_origin o, pg_control_system() c`
    if (origin.foreign) {
      // However long the log is, and nobody reads it yet.
      await tx`set local statement_timeout = 0`
      await tx`truncate events`
      await tx`delete from preview_position`
      await tx`update event_log_origin set since = now(),
        system_identifier = (select system_identifier from pg_control_system())`
    }
    await tx`select setval('events_id_seq', next.id)
      from (select floor(extract(epoch from clock_timestamp()) * 100000)::bigint as id) next, events_id_seq
      where next.id > events_id_seq.last_value`
    await tx`update event_log_origin set timeline = ${timeline} where timeline is distinct from ${timeline}::int`
    if (origin.moved) await tx`update event_log_origin set resumable_from = (select last_value from events_id_seq)`
    if (origin.foreign || origin.moved)
      await tx`insert into events (type, topic, resource) values ('log.started', 'nobody', 'log')`
    return origin
  })
  if (foreign) log('warn', 'events.emptied', { cause: 'the database was restored from another cluster' })
  else if (moved) log('warn', 'events.lost', { cause: 'a standby took over, or an older state was restored' })
}

/**
 * Notices that the event log has lost events while the server runs: another PostgreSQL answers, whose timeline is a
 * later one, or whose ids are lower than those that it gave out before. Then ids are made to go on above all that
 * clients have seen, and the clients begin afresh.
 */
export class LogOrigin {
  #timeline: number | null = null
  #newest = 0

  /** @param onRunBack called when events were lost: what was read of the log is void */
  constructor(
    private readonly sql: Database,
    private readonly log: Log,
    private readonly onRunBack: () => void,
  ) {}

  /**
   * Looks at the log by a connection of whose server nothing is known yet, and now and then later.
   * @returns whether events were lost
   */
  async check(connection: Sql): Promise<boolean> {
    const timeline = await timelineOf(connection)
    const [row] = await connection<{ newest: number }[]>`select last_value as newest from events_id_seq`
    const newest = row?.newest ?? 0
    const isOlder = newest < this.#newest
    const ranBack = isOlder || (this.#timeline !== null && timeline !== null && timeline !== this.#timeline)
    if (ranBack) await renewLogOrigin(this.sql, this.log, isOlder)
    this.#timeline = timeline
    this.#newest = newest
    if (ranBack) this.onRunBack()
    return ranBack
  }
}
