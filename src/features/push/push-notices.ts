import { repeat } from '../../core/job.ts'
import type { Parts } from '../../parts.ts'
import { type Attention, Decisions } from './decisions.ts'
import { LogReader } from './log-reader.ts'
import { PushSender } from './push-sender.ts'
import type { PushServices } from './push-services.ts'

const PERIOD_MS = 1_000
const FORGETTING_MS = 600_000

/**
 * Notifies accounts' devices of unread messages by Web Push: finds messages in the event log, decides once they have
 * been unread long enough, and sends notices. With WEB_PUSH=off it does nothing.
 */
export class PushNotices {
  readonly #reader: LogReader
  readonly #decisions: Decisions
  readonly #sender: PushSender
  readonly #timers: Timer[] = []
  #stepping: Promise<void> | undefined

  constructor(
    private readonly parts: Pick<Parts, 'sql' | 'log' | 'metrics' | 'environment'>,
    services: PushServices,
    attention: Attention,
  ) {
    this.#reader = new LogReader(parts.sql)
    this.#decisions = new Decisions(parts.sql, attention)
    this.#sender = new PushSender(parts, services)
    if (!this.#isOn) return
    this.#timers.push(
      repeat(PERIOD_MS, 'push', parts.log, () => this.#step()),
      repeat(FORGETTING_MS, 'push', parts.log, () => this.#decisions.forget()),
    )
  }

  get #isOn(): boolean {
    return this.parts.environment.WEB_PUSH === 'on'
  }

  /** Does everything that is due now. */
  async run(): Promise<void> {
    if (!this.#isOn) return
    await this.#stepping
    await this.#decisions.forget()
    await this.#step()
    await this.#sender.waitForSends()
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer)
    this.#sender.stop()
  }

  /** A second caller waits for the first. */
  #step(): Promise<void> {
    return (this.#stepping ??= this.#work().finally(() => (this.#stepping = undefined)))
  }

  async #work(): Promise<void> {
    while (await this.#reader.read());
    await this.#decisions.run()
    await this.#sender.begin()
  }
}
