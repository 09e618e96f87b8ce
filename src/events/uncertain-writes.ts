import type { Database } from '../database/database.ts'
import type { Bus, Notice } from './bus.ts'
import { loggedFrames } from './event-log.ts'
import type { Uncertain } from './write.ts'

const RETRY_MS = 250
const EVENTS_MAX = 10_000
/** A statement runs for 30 s at most, so an uncertain write was logged within this time. */
export const UNCERTAIN_SECONDS = 35
/** How long other transactions are waited for, once the database answers. */
const OTHERS_SECONDS_MAX = 5

/**
 * Publishes what writes left open when they lost the database: whether they were committed is known only when it is
 * back. Then the events of the last moments are delivered once more, which clients expect, and the notices acted on.
 */
export class UncertainWrites implements Uncertain {
  readonly #notices: Notice[] = []
  /** Since when events may not have been published, ms since the epoch. */
  #since_ms = Infinity
  /** Whether there is something to do, and whether it is being done. */
  #uncertain = false
  #resolving = false
  /** While events wait to be delivered. */
  #undelivered: PromiseWithResolvers<void> | undefined
  #stopped = false

  /**
   * @param onTooMany called when there are more events than can be delivered once more
   * @param hasFollower whether a LogFollower delivers the events: then only the notices are left to act on
   */
  constructor(
    private readonly sql: Database,
    private readonly bus: Bus,
    private readonly onTooMany: () => void,
    private readonly hasFollower: boolean,
  ) {}

  /** A write may have been committed: when that is known, its events are delivered and its notices acted on. */
  add(notices: Notice[]): void {
    this.#notices.push(...notices)
    this.#begin()
  }

  /** What other processes have committed since then may not have been published here. */
  missed(since: Date): void {
    this.#since_ms = Math.min(since.getTime(), this.#since_ms)
    this.#begin()
  }

  /** Who has received a newer event resumes after it, so newer ones wait; a LogFollower delivers in the right order. */
  delivered(): Promise<void> | undefined {
    return this.#undelivered?.promise
  }

  stop(): void {
    this.#stopped = true
    this.#undelivered?.resolve()
  }

  #begin(): void {
    this.#uncertain = true
    if (!this.hasFollower && !this.#stopped) this.#undelivered ??= Promise.withResolvers()
    if (!this.#resolving) void this.#resolveAll()
  }

  async #resolveAll(): Promise<void> {
    this.#resolving = true
    while (this.#uncertain && !this.#stopped) {
      this.#uncertain = false
      const due = this.#notices.splice(0)
      const since_ms = Math.min(Date.now(), this.#since_ms)
      this.#since_ms = Infinity
      await this.#resolve(due, new Date(since_ms - UNCERTAIN_SECONDS * 1000)).catch(() => {
        this.#notices.push(...due)
        this.#since_ms = Math.min(since_ms, this.#since_ms)
        this.#uncertain = true
      })
    }
    this.#resolving = false
  }

  async #resolve(due: Notice[], since: Date): Promise<void> {
    await this.#othersEnded()
    if (this.#stopped) return
    const frames = this.hasFollower ? [] : await this.#newestSince(since)
    if (frames.length > EVENTS_MAX) this.onTooMany()
    else for (const frame of frames) this.bus.deliver(frame)
    // What has become uncertain meanwhile is delivered next.
    if (!this.#uncertain) {
      this.#undelivered?.resolve()
      this.#undelivered = undefined
    }
    for (const notice of due) await this.bus.notify(await this.#whatHolds(notice))
  }

  /** Waits until the database answers and the transactions of that moment have ended, so that the log is final. */
  async #othersEnded(): Promise<void> {
    const horizon = await this.#newestTransaction()
    const deadline = performance.now() + OTHERS_SECONDS_MAX * 1000
    while (!this.#stopped && performance.now() < deadline) {
      const [now] = await this.sql<{ ended: boolean }[]>`
        select pg_snapshot_xmin(pg_current_snapshot()) >= ${horizon}::xid8 as ended`.catch(() => [])
      if (now?.ended) return
      await Bun.sleep(RETRY_MS)
    }
  }

  /** The id of a new transaction, above those of all in progress, which xmax of a snapshot need not be. */
  async #newestTransaction(): Promise<string> {
    while (!this.#stopped) {
      const [own] = await this.sql<{ xid: string }[]>`select pg_current_xact_id()::text as xid`.catch(() => [])
      if (own) return own.xid
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

  /** The part of a notice that the database confirms, since its write may have been rolled back. */
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
