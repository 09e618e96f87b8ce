import { errorFields, type Log } from './log.ts'

/** What a node does again and again. Of several nodes one does it at a time: its work claims the job lock. */
export abstract class Job {
  readonly #timer: Timer
  #running: Promise<void> | undefined

  /**
   * @param period_ms from one beginning to the next; while a run lasts, no other begins
   * @param name of the warning that is logged when a run fails
   */
  constructor(period_ms: number, name: string, log: Log) {
    this.#timer = setInterval(() => {
      this.run().catch((error: unknown) => log('warn', name, errorFields(error)))
    }, period_ms)
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
