import type { Database } from '../database/database.ts'
import { type Bus, dispatch } from './bus.ts'
import { loggedFrames } from './event-log.ts'
import { type NoticeBatch, receiptChannel } from './notice-delivery.ts'

/**
 * Acts on the batches of other processes, and sends a receipt for each. Batches begin in the order of their commits;
 * none waits until the one before has ended, so one slow lookup does not hold up everybody's writes.
 */
export class NoticeQueue {
  /** The batches that are being acted on, and until when everything sent had arrived before each. */
  readonly #underway = new Map<Promise<void>, number>()
  /** Resolves when the newest batch has begun. */
  #begun: Promise<void>

  /**
   * @param connection the listening connection; receipts go by it too
   * @param ready resolves when the first batch may begin
   */
  constructor(
    private readonly connection: Database,
    private readonly sql: Database,
    private readonly bus: Bus,
    ready: Promise<void>,
  ) {
    this.#begun = ready
  }

  /**
   * Resolves when the batch has been acted on and its receipt is sent.
   * @param sent_after a time before which the batch was not sent, by performance.now()
   */
  async act({ from, id, notices, event_ids }: NoticeBatch, sent_after: number): Promise<void> {
    const before = [...this.#underway.keys()]
    const reading = this.#framesOf(event_ids)
    const beginning = Promise.all([reading, this.#begun]).then(([frames]) => ({
      acted: dispatch(this.bus, notices, frames, 'deliver'),
    }))
    // A failed batch does not stop the next: after a failure the listener begins anew.
    this.#begun = beginning.then(
      () => {},
      () => {},
    )
    const acting = beginning.then(({ acted }) => acted)
    this.#underway.set(acting, sent_after)
    await acting.finally(() => this.#underway.delete(acting))
    // An empty batch asks whether all that came before has been acted on.
    if (notices.length === 0) await Promise.all(before)
    await this.connection`select pg_notify(${receiptChannel(from)}, ${id}::text || ' ' || pg_backend_pid())`
  }

  /** Resolves when everything that has arrived so far has been acted on. */
  async idle(): Promise<void> {
    await Promise.all(this.#underway.keys())
  }

  /** Of the batches that are being acted on, the earliest `sent_after`; Infinity when there is none. */
  sentAfter(): number {
    return Math.min(...this.#underway.values())
  }

  async #framesOf(event_ids: number[]) {
    if (event_ids.length === 0) return []
    return loggedFrames(this.sql, this.sql`select * from events where id = any(${event_ids})`)
  }
}
