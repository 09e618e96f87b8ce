import type { Frame } from '../core/events.ts'
import { errorFields, type Log } from '../core/log.ts'
import type { Database } from '../database/database.ts'
import { currentTopic, loggedFrames } from './event-log.ts'
import { newerEvents } from './newer-events.ts'
import type { RedisBus } from './redis-bus.ts'

/** Interval between reads of the log while Redis carries the events, and while Redis is away. */
const PERIOD_MS = 1_000
const PERIOD_AWAY_MS = 200
const PAGE_ROWS_MAX = 5_000
/** A node further behind than this skips to the end, and its clients start fresh. */
const BEHIND_ROWS_MAX = 100_000
/** After a failover this much of the log is read again: less than what the bus remembers to have delivered. */
const AGAIN_SECONDS = 45

/** A position in the log, ordered by the start of transactions. */
interface Position {
  xid: string
  id: number
}

/**
 * Reads the event log after the commits of all nodes, and delivers on this node any event that the bus lost: events of
 * a node that died between commit and publish, and frames that Redis lost. It reads only the final part of the log,
 * before the oldest open transaction, where no event can appear any more. Source: docs/gateway.md, guarantee 2.
 */
export class LogFollower {
  /** The connection of the notice listener, so that reads do not wait for requests in the pool. */
  #sql: Database | undefined
  #position: Position | undefined
  /** True if the position to find is that of `readAgain`. */
  #isReadingAgain = false
  /** Counts `restart` and `readAgain`: a read that began before must not set the position. */
  #restarts = 0
  #readUntil = performance.now()
  /** Serialises the reads. */
  #newestRead: Promise<unknown> = Promise.resolve()
  #isStopped = false

  /** @param onTooMany called when this node was so far behind that it skips events */
  constructor(
    private readonly bus: RedisBus,
    private readonly onTooMany: () => void,
    private readonly log: Log,
  ) {}

  /** Everything that was final in the log at this time has been delivered here; by performance.now(). */
  readUntil = (): number => this.#readUntil

  /**
   * Delivers events missed while this node received no notices. The first call only finds the end of the log.
   * @param sql a connection, used for all reads from now on
   * @param mayDeliver called before each delivery; true if the subscriptions are up to date
   * @throws database errors
   */
  async catchUp(sql: Database, mayDeliver: () => boolean): Promise<void> {
    this.#sql = sql
    await this.#inTurn(() => this.#readOn(sql, mayDeliver))
    const [newest] = await sql<{ s: number }[]>`select max(id) as s from events`
    this.bus.caughtUp(newest?.s ?? 0)
  }

  /** Restarts at the end of the log, after the log lost events. */
  restart(): void {
    this.#position = undefined
    this.#isReadingAgain = false
    this.#restarts++
  }

  /** Reads the recent log again, after a failover that lost nothing. The new primary gives xids again. */
  readAgain(): void {
    this.#position = undefined
    this.#isReadingAgain = true
    this.#restarts++
  }

  start(): void {
    void this.#follow()
  }

  stop(): void {
    this.#isStopped = true
  }

  async #follow(): Promise<void> {
    while (!this.#isStopped) {
      const hasFailed = await this.#inTurn(async () => {
        if (this.#sql) await this.#readOn(this.#sql, () => this.bus.receivesNotices())
      }).then(
        () => false,
        (error: unknown) => {
          // If the connection is lost, the next one reads everything again, so that is not worth a warning.
          if (this.bus.receivesNotices()) this.log('warn', 'follower', errorFields(error))
          return true
        },
      )
      await Bun.sleep(hasFailed || this.bus.state() === 'ok' ? PERIOD_MS : PERIOD_AWAY_MS)
    }
  }

  #inTurn(read: () => Promise<void>): Promise<void> {
    const thisRead = this.#newestRead.then(read)
    this.#newestRead = thisRead.catch(() => {})
    return thisRead
  }

  /** Reads on, and delivers events that have not been delivered. */
  async #readOn(sql: Database, mayDeliver: () => boolean): Promise<void> {
    for (let rowsRead = 0; !this.#isStopped && mayDeliver();) {
      const beganAt = performance.now()
      const restarts = this.#restarts
      const from = this.#position ?? ((this.#isReadingAgain && (await recentPosition(sql))) || (await endOf(sql)))
      if (restarts !== this.#restarts) continue
      this.#position = from
      this.#isReadingAgain = false
      const { ids, end } = await pageOf(sql, from)
      const undeliveredIds = ids.filter((id) => !this.bus.hasDelivered(id))
      const lateIds = this.bus.late.all()
      const frames =
        undeliveredIds.length + lateIds.length > 0 ? await this.#missingFrames(sql, undeliveredIds, lateIds) : []
      if (!mayDeliver()) return
      if (restarts !== this.#restarts) continue
      for (const frame of frames) this.bus.deliverLate(frame)
      this.bus.late.settle(lateIds)
      for (const id of undeliveredIds) if (!this.bus.hasDelivered(id)) this.bus.skip(id)
      this.#position = end
      if (ids.length < PAGE_ROWS_MAX) return void (this.#readUntil = beganAt)
      rowsRead += ids.length
      if (rowsRead > BEHIND_ROWS_MAX) {
        this.#readUntil = performance.now()
        this.#position = await endOf(sql)
        return this.onTooMany()
      }
    }
  }

  /**
   * The frames of events that were undelivered when the log was read, and of newer ones that have to follow.
   * @param lateIds events that were delivered after newer ones
   */
  async #missingFrames(sql: Database, undelivered: number[], lateIds: number[]): Promise<Frame[]> {
    const { bus } = this
    const rows = undelivered.length > 0 ? await topicsOf(sql, undelivered) : []
    const missingIds = rows
      .filter(({ id, topic }) => bus.isFollowed(topic) && !bus.hasDelivered(id))
      .map(({ id }) => id)
    if (missingIds.length + lateIds.length === 0) return []
    // A newly connected socket must not take the late, older event for the current state, so what is newer is delivered
    // again. Other events keep their order, because clients resume from the last one received.
    const newer = (await newerEvents(sql, [...missingIds, ...lateIds])).filter((id) => bus.hasDelivered(id))
    const dueIds = [...missingIds, ...newer]
    if (dueIds.length === 0) return []
    const isDue = ({ s }: Frame) => s === undefined || newer.includes(s) || !bus.hasDelivered(s)
    return (await loggedFrames(sql, sql`select * from events where id = any(${dueIds})`)).filter(isDue)
  }
}

async function endOf(sql: Database): Promise<Position> {
  const [row] = await sql<{ xid: string }[]>`select pg_snapshot_xmin(pg_current_snapshot())::text as xid`
  if (!row) throw new Error('a snapshot has an xmin')
  return { xid: row.xid, id: 0 }
}

/** Before the oldest of the recent events; undefined if there are none. */
async function recentPosition(sql: Database): Promise<Position | undefined> {
  const [row] = await sql<{ xid: string }[]>`
    select xid::text from (select * from events order by id desc limit ${BEHIND_ROWS_MAX}) newest
    where created_at > now() - ${AGAIN_SECONDS} * interval '1 second' order by newest.xid limit 1`
  return row && { xid: row.xid, id: 0 }
}

/** The next page of the log, as one row: every node reads every event, and most are already delivered. */
async function pageOf(sql: Database, from: Position): Promise<{ ids: number[]; end: Position }> {
  const [page] = await sql<{ ids: string; xid: string | null }[]>`
    with page as materialized (
      select id, xid from events
      where (xid, id) > (${from.xid}::text::xid8, ${from.id}::bigint)
        and xid < pg_snapshot_xmin(pg_current_snapshot())
      order by xid, id limit ${PAGE_ROWS_MAX}
    )
    select coalesce(json_agg(id order by xid, id), '[]')::text as ids,
      (select xid::text from page order by page.xid desc limit 1) as xid
    from page`
  const ids: number[] = JSON.parse(page?.ids ?? '[]')
  const id = ids.at(-1)
  return { ids, end: id === undefined || !page?.xid ? from : { xid: page.xid, id } }
}

const topicsOf = (sql: Database, ids: number[]) => sql<{ id: number; topic: string }[]>`
  select e.id, ${currentTopic(sql)} as topic from events e left join channels c on c.id = e.channel_id
  where e.id = any(${ids}) order by e.xid, e.id`
