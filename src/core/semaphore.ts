/** Lets a number of calls run at once; the others wait in their order. */
export class Semaphore {
  #running = 0
  readonly #waiting: (() => void)[] = []

  constructor(
    private readonly at_once: number,
    private readonly queued_max: number,
  ) {}

  /** Whether the queue has no room for one more; the caller turns it away. */
  isFull(): boolean {
    return this.#running >= this.at_once && this.#waiting.length >= this.queued_max
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.at_once) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#running++
    try {
      return await work()
    } finally {
      // The next in the queue takes the place over, so `running` changes only when nobody waits.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }
}
