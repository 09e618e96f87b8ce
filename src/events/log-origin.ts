import type { Log } from '../core/log.ts'
import type { Database } from '../database/database.ts'
import { noteTimeline, type ServerTimeline } from '../database/timelines.ts'
import type { LogWitness } from './log-witness.ts'

/** Lets only one process renew the origin. An arbitrary key. */
const ORIGIN_LOCK = 7_201_506

/**
 * Prepares the event log for clients to resume from; runs before anything else reads it:
 * - A log from another cluster (dumped and restored) is emptied: its xids mean nothing here, and all clients start
 *   fresh.
 * - A log that may lack its newest events, because a standby took over, stays, but no client can resume from its
 *   events.
 * - New ids continue above every id ever issued, including ids issued after the restored data was saved: a client with
 * that id does not find it in the log, and starts fresh. Ids continue from the time in units of 10 µs, which no
 * rate of events outruns and which has 15 digits until 2286.
 * @param hasRunBack true if this process knows of events that are missing from the log
 * @param isWhole true if this process knows that nothing which it delivered is missing
 */
export async function renewLogOrigin(sql: Database, log: Log, hasRunBack = false, isWhole = false): Promise<void> {
  const [current] = await sql<{ timeline: number | null }[]>`select log_timeline() as timeline`
  const timeline = current?.timeline ?? null
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
  else if (moved && !isWhole)
    log('warn', 'events.lost', { cause: 'a standby took over, or an older state was restored' })
}

/** The outcome of a failover for the event log. */
export type LogFate = 'kept' | 'lost'

/**
 * Detects that the event log may have lost events while the server runs: the PostgreSQL that answers has a later
 * timeline, or ids below those already issued. Then new ids are raised above all that clients have seen, and nobody
 * resumes from an earlier event. Sockets stay open only if nothing that they received is lost: replication was
 * synchronous, and the log has all that this process delivered last. Otherwise the clients start fresh.
 */
export class LogOrigin {
  #timeline: number | null = null
  #newest = 0
  /** Before the last check on this timeline; by performance.now(). */
  #checkedAt = -Infinity
  #wasSynchronous = false
  /** Serialises the checks: two at once would both find a move, and all clients would check everything twice. */
  #lastCheck: Promise<unknown> = Promise.resolve()

  /**
   * @param onMoved called when the log may have lost events. If it did, everything read from it is invalid
   * @param witness absent if no standby can take over
   */
  constructor(
    private readonly sql: Database,
    private readonly log: Log,
    private readonly onMoved: (fate: LogFate) => void,
    private readonly witness?: LogWitness,
    /** Called with a timeline that this process did not know. */
    private readonly onNewer?: (server: ServerTimeline) => void,
  ) {}

  /**
   * Checks the log on every new connection, and periodically.
   * @returns true if events were lost
   * @throws FormerPrimary if another server has taken over from this one
   */
  check(connection: Database): Promise<boolean> {
    const check = this.#lastCheck.then(() => this.#check(connection))
    this.#lastCheck = check.catch(() => {})
    return check
  }

  async #check(connection: Database): Promise<boolean> {
    const askedAt = performance.now()
    const [row] = await connection<({ newest: number; is_synchronous: boolean } & ServerTimeline)[]>`
      select last_value as newest, log_timeline() as timeline,
        (select system_identifier::text from pg_control_system()) as system,
        current_setting('synchronous_standby_names') <> ''
          and current_setting('synchronous_commit') not in ('off', 'local') as is_synchronous
      from events_id_seq`
    const { newest = 0, timeline = null, system = null, is_synchronous = false } = row ?? {}
    this.#demandNewest({ system, timeline })
    const hasMoved = this.#timeline !== null && timeline !== null && timeline !== this.#timeline
    const isOlder = newest < this.#newest
    const fate = hasMoved || isOlder ? await this.#renew(connection, hasMoved, isOlder) : undefined
    this.#timeline = timeline
    this.#newest = newest
    this.#wasSynchronous = is_synchronous
    this.#checkedAt = askedAt
    if (fate) this.onMoved(fate)
    return fate === 'lost'
  }

  /** @throws FormerPrimary after which the pool connects anew, too */
  #demandNewest(server: ServerTimeline): void {
    // Nothing takes over from the embedded PostgreSQL.
    if (!this.witness) return
    try {
      if (noteTimeline(server)) this.onNewer?.(server)
    } catch (error) {
      this.sql.dropOlder(performance.now())
      throw error
    }
  }

  async #renew(connection: Database, hasMoved: boolean, isOlder: boolean): Promise<LogFate> {
    // A primary that was replaced may live on, and take writes that are lost.
    if (hasMoved) this.sql.dropOlder(this.#checkedAt)
    const isWhole = hasMoved && this.#wasSynchronous && (await this.witness?.isWhole(connection)) === true
    // Not through the pool, where requests from before the failover wait.
    await renewLogOrigin(connection, this.log, isOlder, isWhole)
    this.log('warn', 'database.moved', { events: isWhole ? 'kept' : 'lost' })
    return isWhole ? 'kept' : 'lost'
  }
}
