import type { Database } from '../database/database.ts'
import type { Log } from '../core/log.ts'

/** Any key of its own: one process at a time. */
const ORIGIN_LOCK = 7_201_506

/**
 * Makes the event log one that clients can resume from, before anything else reads it:
 * - A log from another cluster (dumped and restored) is emptied: its xids mean nothing here, and everyone begins fresh.
 * - Ids go on above every id that was given out before, also by data newer than what was restored: a client that holds
 *   one of those finds it nowhere in the log, and begins fresh. They go on from the time in units of 10 µs, which no
 *   rate of events outruns and which has 15 digits until 2286.
 */
export async function renewLogOrigin(sql: Database, log: Log): Promise<void> {
  const emptied = await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${ORIGIN_LOCK})`
    const [origin] = await tx<{ foreign: boolean }[]>`
      select o.system_identifier <> c.system_identifier
        or coalesce((select max(xid) from events) >= pg_snapshot_xmax(pg_current_snapshot()), false) as foreign
      from event_log_origin o, pg_control_system() c`
    if (origin?.foreign) {
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
    if (origin?.foreign) await tx`insert into events (type, topic, resource) values ('log.started', 'nobody', 'log')`
    return origin?.foreign === true
  })
  if (emptied) log('warn', 'events.emptied', { cause: 'the database was restored from another cluster' })
}
