import { isDatabaseFault, type Database, type Sql } from '../database/database.ts'
import type { Log } from '../core/log.ts'

/** Lets only one process renew the origin. An arbitrary key. */
const ORIGIN_LOCK = 7_201_506

/**
 * PostgreSQL's timeline, which increases when a standby takes over.
 * @returns null if it cannot be queried, as at some hosting providers
 */
async function timelineOf(sql: Sql): Promise<number | null> {
  try {
    // pg_control_checkpoint() reports the previous timeline for some seconds. Source: PostgreSQL, xlog_internal.h.
    const [row] = await sql<{ timeline: number }[]>`
      select ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline`
    return row?.timeline ?? null
  } catch (error) {
    if (isDatabaseFault(error)) throw error
    return null
  }
}

/**
 * Prepares the event log for clients to resume from; runs before anything else reads it:
 * - A log from another cluster (dumped and restored) is emptied: its xids mean nothing here, and all clients start
 *   fresh.
 * - A log that may lack its newest events, because a standby took over, stays, but no client can resume from its
 *   events.
 * - New ids continue above every id ever issued, including ids issued after the restored data was saved: a client with
 * that id does not find it in the log, and starts fresh. Ids continue from the time in units of 10 µs, which no
 * rate of events outruns and which has 15 digits until 2286.
 * @param ranBack true if this process knows of events that are missing from the log
 */
export async function renewLogOrigin(sql: Database, log: Log, hasRunBack = false): Promise<void> {
  const timeline = await timelineOf(sql)
  const { foreign, moved } = await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${ORIGIN_LOCK})`
    const [origin = { foreign: false, moved: false }] = await tx<{ foreign: boolean; moved: boolean }[]>`
      select o.system_identifier <> c.system_identifier
        or coalesce((select max(xid) from events) >= pg_snapshot_xmax(pg_current_snapshot()), false) as foreign,
        ${hasRunBack} or coalesce(o.timeline <> ${timeline}::int, false) as moved
      from event_log_origin o, pg_control_system() c`
    if (origin.foreign) {
      // Deleting a long log takes time, and nobody else reads it yet.
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
 * Detects that the event log lost events while the server runs: the PostgreSQL that answers has a later timeline, or
 * ids below those already issued. Then new ids are raised above all that clients have seen, and the clients start
 * fresh.
 */
export class LogOrigin {
  #timeline: number | null = null
  #newest = 0

  /** @param onRunBack called when events were lost; everything read from the log is then invalid */
  constructor(
    private readonly sql: Database,
    private readonly log: Log,
    private readonly onRunBack: () => void,
  ) {}

  /**
   * Checks the log on every new connection, and periodically.
   * @returns true if events were lost
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
