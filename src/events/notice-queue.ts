import type { Database } from '../database/database.ts'
import { type Bus, dispatch } from './bus.ts'
import { loggedFrames } from './event-log.ts'
import { type NoticeBatch, receiptChannel } from './notice-delivery.ts'

/**
 * Acts on the batches of other processes, and sends a receipt for each. Batches begin in commit order, without waiting
 * for the one before to finish, so that one slow lookup does not delay everybody's writes.
 */
export class NoticeQueue {
  /** The batches in progress, and the time up to which everything sent had arrived before each. */
  readonly #underway = new Map<Promise<void>, number>()
  /** Resolves when the newest batch has begun. */
  #newestBegun: Promise<void>

  /**
   * @param connection the listening connection, also used for receipts
   * @param ready resolves when the first batch may begin
   */
  constructor(
    private readonly connection: Database,
    private readonly sql: Database,
    private readonly bus: Bus,
    ready: Promise<void>,
  ) {
    this.#newestBegun = ready
  }

  /**
   * Resolves when the batch has been acted on and its receipt sent.
   * @param sentAfter a time before which the batch was not sent, by performance.now()
   */
  async act({ from, id, notices, event_ids }: NoticeBatch, sentAfter: number): Promise<void> {
    const before = [...this.#underway.keys()]
    const framesRead = this.#framesOf(event_ids)
    const beginning = Promise.all([framesRead, this.#newestBegun]).then(([frames]) => ({
      acted: dispatch(this.bus, notices, frames, 'deliver'),
    }))
    // A failed batch does not block the next: the listener reconnects and checks everything.
    this.#newestBegun = beginning.then(
      () => {},
      () => {},
    )
    const acting = beginning.then(({ acted }) => acted)
    this.#underway.set(acting, sentAfter)
    await acting.finally(() => this.#underway.delete(acting))
    // An empty batch asks whether everything before it has been acted on.
    if (notices.length === 0) await Promise.all(before)
    await this.connection`select pg_notify(${receiptChannel(from)}, ${id}::text || ' ' || pg_backend_pid())`
  }

  /** Resolves when everything received so far has been acted on. */
  async idle(): Promise<void> {
    await Promise.all(this.#underway.keys())
  }

  /** The earliest `sentAfter` of the batches in progress; Infinity if there are none. */
  sentAfter(): number {
    return Math.min(...this.#underway.values())
  }

  async #framesOf(event_ids: number[]) {
    if (event_ids.length === 0) return []
    return loggedFrames(this.sql, this.sql`select * from events where id = any(${event_ids})`)
  }
}
