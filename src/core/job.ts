import { errorFields, type Log } from './log.ts'

/** Periodic background work. In a cluster one node at a time runs it: `work` claims the job lock. */
export abstract class Job {
  readonly #timer: Timer
  #running: Promise<void> | undefined

  /**
   * @param period_ms interval between starts; a run never overlaps the previous one
   * @param name logged when a run fails
   */
  constructor(period_ms: number, name: string, log: Log) {
    this.#timer = setInterval(() => {
      this.run().catch((error: unknown) => log('warn', name, errorFields(error)))
    }, period_ms)
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
