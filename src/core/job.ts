import { errorFields, type Log } from './log.ts'

/** Runs work at intervals, on every node. @param name logged when a run fails */
export const repeat = (periodMs: number, name: string, log: Log, work: () => Promise<unknown>): Timer =>
  setInterval(() => void work().catch((error: unknown) => log('warn', name, errorFields(error))), periodMs)

/** Periodic background work. In a cluster only one node runs it, because `work` claims the job lock. */
export abstract class Job {
  readonly #timer: Timer
  readonly #warn: (error: unknown) => void
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined
  protected isStopped = false

  /**
   * @param periodMs interval between starts; a run never overlaps the previous one
   * @param name logged when a run fails
   */
  constructor(periodMs: number, name: string, log: Log) {
    this.#warn = (error) => log('warn', name, errorFields(error))
    this.#timer = setInterval(() => this.#running ?? this.begin(), periodMs)
  }

  /** Runs now without a caller that waits. */
  protected begin(): void {
    this.run().catch(this.#warn)
  }

  /**
   * Works on everything that is committed now. During a run, which may have read before that, it waits for one more
   * run; all who call meanwhile share it.
   */
  run(): Promise<void> {
    if (!this.#running) return (this.#running = this.work().finally(() => (this.#running = undefined)))
    return (this.#next ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined
        return this.isStopped ? undefined : this.run()
      }))
  }

  stop(): void {
    this.isStopped = true
    clearInterval(this.#timer)
  }

  /** One run. */
  protected abstract work(): Promise<void>
}
