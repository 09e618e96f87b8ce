import type { Database } from '../database/database.ts'
import { errorFields, type Log } from '../core/log.ts'
import type { RedisBus } from './redis-bus.ts'
import { currentTopic, loggedFrames } from './event-log.ts'

/** How often the log is read while Redis carries the events, and while it is away. */
const PERIOD_MS = 1_000
const PERIOD_AWAY_MS = 200
const PAGE_ROWS_MAX = 5_000
/** A node that is further behind begins anew, and so do its sockets. */
const BEHIND_ROWS_MAX = 100_000

/** A place in the log, in the order in which transactions began. */
interface Place {
  xid: string
  id: number
}

/**
 * Reads the event log behind every commit, of whichever node, and hands out here what has not come by the bus: what a
 * node left that died between commit and publish, and what Redis has lost. Only what is final is read: everything of a
 * transaction is there once all those before it have ended. Source: gateway.md, guarantee 2.
 * @param onTooMany called when there is more than can be made up for
 */
export function openFollower(sql: Database, bus: RedisBus, onTooMany: () => void, log: Log) {
  let place: Place | undefined
  let stopped = false

  const end = async (): Promise<Place> => {
    const [row] = await sql<{ xid: string }[]>`select pg_snapshot_xmin(pg_current_snapshot())::text as xid`
    if (!row) throw new Error('a snapshot has an xmin')
    return { xid: row.xid, id: 0 }
  }

  const page = (from: Place) => sql<(Place & { topic: string })[]>`
    select e.id, e.xid::text as xid, ${currentTopic(sql)} as topic
    from (
      select id, xid, topic, user_id, channel_id from events
      where (xid, id) > (${from.xid}::text::xid8, ${from.id}::bigint)
        and xid < pg_snapshot_xmin(pg_current_snapshot())
      order by xid, id limit ${PAGE_ROWS_MAX}
    ) e left join channels c on c.id = e.channel_id order by xid, id`

  /**
   * The newest events of the same resources, where they are newer: these may have been handed out in time, and to
   * somebody who has begun since then what is late must not be the last word.
   */
  const newerOnes = async (ids: number[]): Promise<number[]> => {
    const rows = await sql<{ id: number }[]>`
      select max(newer.id) as id from events e
      join events newer on newer.resource = e.resource and newer.user_id is not distinct from e.user_id
      where e.id = any(${ids}) and newer.id > e.id group by e.resource, e.user_id`
    return rows.map(({ id }) => id)
  }

  /** Hands out what is new in the log and has not been handed out. */
  async function pass(): Promise<void> {
    for (let rows_read = 0; !stopped && bus.isInTouch();) {
      const from = (place ??= await end())
      const rows = await page(from)
      const missing = rows.filter(({ id, topic }) => bus.isFollowed(topic) && !bus.hasDelivered(id)).map(({ id }) => id)
      if (missing.length > 0) {
        const again = await newerOnes(missing)
        const due = [...missing, ...again]
        for (const frame of await loggedFrames(sql, sql`select * from events where id = any(${due})`))
          if (frame.s === undefined || again.includes(frame.s) || !bus.hasDelivered(frame.s)) bus.deliver(frame)
      }
      // Whoever was out of touch meanwhile has handed out nothing.
      if (!bus.isInTouch()) return
      for (const { id } of rows) if (!bus.hasDelivered(id)) bus.passOver(id)
      place = rows.at(-1) ?? from
      if (rows.length < PAGE_ROWS_MAX) return
      rows_read += rows.length
      if (rows_read > BEHIND_ROWS_MAX) {
        place = await end()
        return onTooMany()
      }
    }
  }

  async function follow(): Promise<void> {
    while (!stopped) {
      const told = await pass().then(
        () => false,
        (error: unknown) => log('warn', 'follower', errorFields(error)),
      )
      await Bun.sleep(told !== false || bus.state() === 'ok' ? PERIOD_MS : PERIOD_AWAY_MS)
    }
  }

  return {
    /** Begins with what is committed from now on. */
    async start() {
      place = await end()
      void follow()
    },
    stop: () => void (stopped = true),
  }
}
