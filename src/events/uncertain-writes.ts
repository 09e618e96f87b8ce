import type { Database } from '../database/database.ts'
import type { Bus, Notice } from './bus.ts'
import { loggedFrames } from './event-log.ts'
import type { Uncertain } from './write.ts'

const RETRY_MS = 250
const EVENTS_MAX = 10_000
/** Statements time out after 30 s, so an uncertain write was logged within this time. */
export const UNCERTAIN_SECONDS = 35
/** How long to wait for other transactions, once the database answers. */
const OTHERS_SECONDS_MAX = 5

/**
 * Handles writes whose commit outcome is unknown because the database connection was lost. Once the database is back,
 * delivers the recent events again, which clients tolerate, and applies the notices.
 */
export class UncertainWrites implements Uncertain {
  readonly #notices: Notice[] = []
  /** Start of the period whose events may be unpublished, ms since the epoch. */
  #sinceMs = Infinity
  /** Work is pending; work is running. */
  #isUncertain = false
  #isResolving = false
  /** Pending while events wait to be delivered. */
  #undelivered: PromiseWithResolvers<void> | undefined
  #isStopped = false

  /**
   * @param onTooMany called if there are too many events to deliver again
   * @param hasFollower true if a LogFollower delivers the events, so that only the notices remain
   */
  constructor(
    private readonly sql: Database,
    private readonly bus: Bus,
    private readonly onTooMany: () => void,
    private readonly hasFollower: boolean,
  ) {}

  /** Records a write that may have been committed, to deliver its events and apply its notices once that is known. */
  add(notices: Notice[]): void {
    this.#notices.push(...notices)
    this.#begin()
  }

  /** Records that events committed by other processes since then may not have been published here. */
  missed(since: Date): void {
    this.#sinceMs = Math.min(since.getTime(), this.#sinceMs)
    this.#begin()
  }

  /**
   * Newer events wait, because clients resume from the newest one received. A LogFollower keeps the order by itself.
   */
  delivered(): Promise<void> | undefined {
    return this.#undelivered?.promise
  }

  stop(): void {
    this.#isStopped = true
    this.#undelivered?.resolve()
  }

  #begin(): void {
    this.#isUncertain = true
    if (!this.hasFollower && !this.#isStopped) this.#undelivered ??= Promise.withResolvers()
    if (!this.#isResolving) void this.#resolveAll()
  }

  async #resolveAll(): Promise<void> {
    this.#isResolving = true
    while (this.#isUncertain && !this.#isStopped) {
      this.#isUncertain = false
      const dueNotices = this.#notices.splice(0)
      const sinceMs = Math.min(Date.now(), this.#sinceMs)
      this.#sinceMs = Infinity
      await this.#resolve(dueNotices, new Date(sinceMs - UNCERTAIN_SECONDS * 1000)).catch(() => {
        this.#notices.push(...dueNotices)
        this.#sinceMs = Math.min(sinceMs, this.#sinceMs)
        this.#isUncertain = true
      })
    }
    this.#isResolving = false
  }

  async #resolve(dueNotices: Notice[], since: Date): Promise<void> {
    await this.#othersEnded()
    if (this.#isStopped) return
    const frames = this.hasFollower ? [] : await this.#newestSince(since)
    if (frames.length > EVENTS_MAX) this.onTooMany()
    else for (const frame of frames) this.bus.deliver(frame)
    // Writes that became uncertain meanwhile are handled next.
    if (!this.#isUncertain) {
      this.#undelivered?.resolve()
      this.#undelivered = undefined
    }
    for (const notice of dueNotices) await this.bus.notify(await this.#whatHolds(notice))
  }

  /** Waits until the database answers and the transactions of that moment have ended, so that the log is final. */
  async #othersEnded(): Promise<void> {
    const horizon = await this.#newestTransaction()
    const deadline = performance.now() + OTHERS_SECONDS_MAX * 1000
    while (!this.#isStopped && performance.now() < deadline) {
      const [now] = await this.sql<{ ended: boolean }[]>`
        select pg_snapshot_xmin(pg_current_snapshot()) >= ${horizon}::xid8 as ended`.catch(() => [])
      if (now?.ended) return
      await Bun.sleep(RETRY_MS)
    }
  }

  /**
   * The id of a new transaction. It is above those of all transactions in progress; the xmax of a snapshot may not be.
   */
  async #newestTransaction(): Promise<string> {
    while (!this.#isStopped) {
      const [row] = await this.sql<{ xid: string }[]>`select pg_current_xact_id()::text as xid`.catch(() => [])
      if (row) return row.xid
      await Bun.sleep(RETRY_MS)
    }
    return '0'
  }

  #newestSince(since: Date) {
    const { sql } = this
    return loggedFrames(
      sql,
      sql`select * from (select * from events order by id desc limit ${EVENTS_MAX + 1}) newest
        where created_at > ${since}`,
    )
  }

  /**
   * Checks a notice against the database, because its write may have been rolled back.
   * @returns the part that still holds
   */
  async #whatHolds(notice: Notice): Promise<Notice> {
    const { sql } = this
    if (notice.kind === 'sessions_revoked') {
      const rows = await sql<{ id: number }[]>`select id from sessions where id = any(${notice.session_ids})`
      const living = new Set(rows.map((row) => row.id))
      return { ...notice, session_ids: notice.session_ids.filter((id) => !living.has(id)) }
    }
    if (notice.kind === 'user_gone') {
      const [session] = await sql`select 1 from sessions where user_id = ${notice.user_id} limit 1`
      return session ? NOTHING : notice
    }
    if (notice.kind !== 'server_deleted') return notice
    const [server] = await sql`select 1 from servers where id = ${notice.server_id} and owner_id is not null`
    return server ? NOTHING : notice
  }
}

const NOTHING: Notice = { kind: 'access_changed', user_ids: [] }
