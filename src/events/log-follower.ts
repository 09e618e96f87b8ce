import type { Frame } from '../core/events.ts'
import { errorFields, type Log } from '../core/log.ts'
import type { Database } from '../database/database.ts'
import { currentTopic, loggedFrames } from './event-log.ts'
import type { RedisBus } from './redis-bus.ts'

/** How often the log is read while Redis carries the events, and while it is away. */
const PERIOD_MS = 1_000
const PERIOD_AWAY_MS = 200
const PAGE_ROWS_MAX = 5_000
/** A node that is further behind skips to the end, and its sockets begin anew. */
const BEHIND_ROWS_MAX = 100_000

/** A position in the log, in the order in which transactions began. */
interface Position {
  xid: string
  id: number
}

/**
 * Reads the event log behind the commits of all nodes, and delivers here what has not come by the bus: the events of a
 * node that died between commit and publish, and those that Redis lost. Only the final part of the log is read: all
 * before the oldest transaction that has not ended. Source: docs/gateway.md, guarantee 2.
 */
export class LogFollower {
  #position: Position | undefined
  #stopped = false

  /** @param onTooMany called when this node was so far behind that events are skipped */
  constructor(
    private readonly sql: Database,
    private readonly bus: RedisBus,
    private readonly onTooMany: () => void,
    private readonly log: Log,
  ) {}

  /** Begins with what is committed from now on. */
  async start(): Promise<void> {
    this.#position = await this.#end()
    void this.#follow()
  }

  stop(): void {
    this.#stopped = true
  }

  async #follow(): Promise<void> {
    while (!this.#stopped) {
      const failed = await this.#readOn().then(
        () => false,
        (error: unknown) => {
          this.log('warn', 'follower', errorFields(error))
          return true
        },
      )
      await Bun.sleep(failed || this.bus.state() === 'ok' ? PERIOD_MS : PERIOD_AWAY_MS)
    }
  }

  /** Delivers what is new in the log and has not been delivered. */
  async #readOn(): Promise<void> {
    for (let rows_read = 0; !this.#stopped && this.bus.receivesNotices();) {
      const from = (this.#position ??= await this.#end())
      const rows = await this.#page(from)
      await this.#deliverMissing(rows)
      // A node that receives no notices has dropped what it was to deliver.
      if (!this.bus.receivesNotices()) return
      for (const { id } of rows) if (!this.bus.hasDelivered(id)) this.bus.skip(id)
      this.#position = rows.at(-1) ?? from
      if (rows.length < PAGE_ROWS_MAX) return
      rows_read += rows.length
      if (rows_read > BEHIND_ROWS_MAX) {
        this.#position = await this.#end()
        return this.onTooMany()
      }
    }
  }

  async #end(): Promise<Position> {
    const [row] = await this.sql<{ xid: string }[]>`select pg_snapshot_xmin(pg_current_snapshot())::text as xid`
    if (!row) throw new Error('a snapshot has an xmin')
    return { xid: row.xid, id: 0 }
  }

  #page(from: Position) {
    const { sql } = this
    return sql<(Position & { topic: string })[]>`
      select e.id, e.xid::text as xid, ${currentTopic(sql)} as topic
      from (
        select id, xid, topic, user_id, channel_id from events
        where (xid, id) > (${from.xid}::text::xid8, ${from.id}::bigint)
          and xid < pg_snapshot_xmin(pg_current_snapshot())
        order by xid, id limit ${PAGE_ROWS_MAX}
      ) e left join channels c on c.id = e.channel_id order by xid, id`
  }

  async #deliverMissing(rows: { id: number; topic: string }[]): Promise<void> {
    const { sql, bus } = this
    const missing = rows.filter(({ id, topic }) => bus.isFollowed(topic) && !bus.hasDelivered(id)).map(({ id }) => id)
    if (missing.length === 0) return
    const newer = await this.#newerOnes(missing)
    const isDue = ({ s }: Frame) => s === undefined || newer.includes(s) || !bus.hasDelivered(s)
    const frames = await loggedFrames(sql, sql`select * from events where id = any(${[...missing, ...newer]})`)
    for (const frame of frames) if (isDue(frame)) bus.deliver(frame)
  }

  /**
   * The newest events of the same resources, where newer than these. They may have been delivered in time; a socket
   * that has subscribed since must not take the late event for the last word.
   */
  async #newerOnes(ids: number[]): Promise<number[]> {
    const rows = await this.sql<{ id: number }[]>`
      select max(newer.id) as id from events e
      join events newer on newer.resource = e.resource and newer.user_id is not distinct from e.user_id
      where e.id = any(${ids}) and newer.id > e.id group by e.resource, e.user_id`
    return rows.map(({ id }) => id)
  }
}
