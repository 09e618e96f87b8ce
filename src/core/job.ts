import { errorFields, type Log } from './log.ts'

/** Periodic background work. In a cluster only one node runs it, because `work` claims the job lock. */
export abstract class Job {
  readonly #timer: Timer
  readonly #warn: (error: unknown) => void
  #running: Promise<void> | undefined

  /**
   * @param period_ms interval between starts; a run never overlaps the previous one
   * @param name logged when a run fails
   */
  constructor(period_ms: number, name: string, log: Log) {
    this.#warn = (error) => log('warn', name, errorFields(error))
    this.#timer = setInterval(() => this.begin(), period_ms)
  }

  /** Runs now without a caller that waits. */
  protected begin(): void {
    this.run().catch(this.#warn)
  }

  /** Runs once now; a concurrent caller waits for the current run. */
  run(): Promise<void> {
    return (this.#running ??= this.work().finally(() => (this.#running = undefined)))
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** One run. */
  protected abstract work(): Promise<void>
}
