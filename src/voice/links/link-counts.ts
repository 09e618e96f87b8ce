import type { types } from 'mediasoup'
import { MISSED_MAX } from './model.ts'

/**
 * The bytes that this end of a link has sent and received. A worker that hangs does not answer: then these are the last
 * numbers, and the beats about the branches of other workers do not wait for it.
 */
export class LinkCounts {
  sent = 0
  received = 0
  #isAsked = false
  #answered = Promise.resolve()
  /** Consecutive beats at which the worker still owed the answer to an earlier question. */
  #unanswered = 0

  constructor(private readonly pipe: Pick<types.PipeTransport, 'getStats'>) {}

  /** True if the worker has not answered for as long as a process may be silent. */
  get isSilent(): boolean {
    return this.#unanswered >= MISSED_MAX
  }

  /** Resolves when the worker has answered the last question, or has died. */
  get answered(): Promise<void> {
    return this.#answered
  }

  /** Asks the worker, unless it still owes an answer. Call with each beat. @returns when it has answered */
  async renew(): Promise<void> {
    if (this.#isAsked) {
      this.#unanswered++
      return
    }
    this.#answered = this.#ask()
    await this.#answered
  }

  async #ask(): Promise<void> {
    this.#isAsked = true
    const [stats] = await this.pipe.getStats().catch(() => [])
    this.#isAsked = false
    this.#unanswered = 0
    if (stats) Object.assign(this, { sent: stats.bytesSent, received: stats.bytesReceived })
  }
}
