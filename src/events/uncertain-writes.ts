import type { Bus, Notice } from './bus.ts'
import type { Database } from '../database/database.ts'
import { loggedFrames } from './event-log.ts'

const RETRY_MS = 250
const EVENTS_MAX = 10_000
/** A statement runs for 30 s at most, so what is uncertain now was logged within this time. */
const UNCERTAIN_SECONDS = 35
/** How long other transactions are waited for, once the database answers. */
const SETTLE_SECONDS_MAX = 5

/**
 * Mends what a lost connection leaves open: whether a write was committed, and so whether its events and notices are
 * due. When the database is back, everything of the last moments is published again; clients expect repetition.
 * @param onTooMany called when that is more than can be repeated
 * @param followed whether a follower hands out whatever the log has: then the notices alone are left to be mended
 */
export function openTail(sql: Database, bus: Bus, onTooMany: () => void, followed: boolean) {
  const notices: Notice[] = []
  let [mending, uncertain, stopped] = [false, false, false]
  let missed_ms = Infinity

  /** Waits until the database answers and what was under way has ended, so that the log is final. */
  async function settle(): Promise<void> {
    let [horizon, deadline] = [0n, Infinity]
    while (!stopped && Date.now() < deadline) {
      const [now] = await sql<{ oldest: string; next: string }[]>`
        select pg_snapshot_xmin(now)::text as oldest, pg_snapshot_xmax(now)::text as next
        from pg_current_snapshot() as now`.catch(() => [])
      if (now && deadline === Infinity) {
        horizon = BigInt(now.next)
        deadline = Date.now() + SETTLE_SECONDS_MAX * 1000
      }
      if (now && BigInt(now.oldest) >= horizon) return
      await Bun.sleep(RETRY_MS)
    }
  }

  async function mend(since: Date): Promise<void> {
    const due = notices.splice(0)
    await settle()
    if (stopped) return
    const frames = followed ? [] : await recent(since)
    if (frames.length > EVENTS_MAX) onTooMany()
    else for (const frame of frames) bus.deliver(frame)
    for (const notice of due) await bus.notify(await whatIsTrue(notice))
  }

  const recent = (since: Date) =>
    loggedFrames(
      sql,
      sql`select * from (select * from events order by id desc limit ${EVENTS_MAX + 1}) newest
        where created_at > ${since}`,
    )

  /** Of a notice whose write may have come to nothing, what holds: nobody is told of an end that has not come. */
  async function whatIsTrue(notice: Notice): Promise<Notice> {
    if (notice.kind === 'sessions_revoked') {
      const alive = await sql<{ id: number }[]>`select id from sessions where id = any(${notice.session_ids})`
      const living = new Set(alive.map((row) => row.id))
      return { ...notice, session_ids: notice.session_ids.filter((id) => !living.has(id)) }
    }
    if (notice.kind === 'user_gone') {
      const [session] = await sql`select 1 from sessions where user_id = ${notice.user_id} limit 1`
      return session ? { kind: 'access_changed', user_ids: [] } : notice
    }
    if (notice.kind !== 'server_deleted') return notice
    const [lives] = await sql`select 1 from servers where id = ${notice.server_id}`
    return lives ? { kind: 'access_changed', user_ids: [] } : notice
  }

  async function mendAll(): Promise<void> {
    mending = true
    while (uncertain && !stopped) {
      uncertain = false
      const lost = [...notices]
      const since_ms = Math.min(Date.now(), missed_ms)
      missed_ms = Infinity
      await mend(new Date(since_ms - UNCERTAIN_SECONDS * 1000)).catch(() => {
        notices.push(...lost)
        missed_ms = Math.min(since_ms, missed_ms)
        uncertain = true
      })
    }
    mending = false
  }

  const begin = () => {
    uncertain = true
    if (!mending) void mendAll()
  }

  return {
    /** A write may or may not have been committed: publish what was, and act on its notices, once that is known. */
    uncertain(due: Notice[]) {
      notices.push(...due)
      begin()
    },
    /** What other processes have committed since then may not have been published here. */
    missed(since: Date) {
      missed_ms = Math.min(since.getTime(), missed_ms)
      begin()
    },
    stop: () => void (stopped = true),
  }
}
