import { errorFields, type Log } from './log.ts'

/** What a node does again and again. Of several nodes one does it at a time: its work claims the job lock. */
export abstract class Job {
  readonly #timer: Timer
  readonly #warn: (error: unknown) => void
  #running: Promise<void> | undefined

  /**
   * @param period_ms from one beginning to the next; while a run lasts, no other begins
   * @param name of the warning that is logged when a run fails
   */
  constructor(period_ms: number, name: string, log: Log) {
    this.#warn = (error) => log('warn', name, errorFields(error))
    this.#timer = setInterval(() => this.begin(), period_ms)
  }

  /** Runs now without a caller that waits. */
  protected begin(): void {
    this.run().catch(this.#warn)
  }

  /** Runs once now; a second caller waits for the run that is under way. */
  run(): Promise<void> {
    return (this.#running ??= this.work().finally(() => (this.#running = undefined)))
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** One run. */
  protected abstract work(): Promise<void>
}
