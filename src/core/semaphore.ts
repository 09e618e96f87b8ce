/** Limits concurrent calls; the others wait in order. */
export class Semaphore {
  #running = 0
  readonly #waiters: (() => void)[] = []

  constructor(
    private readonly atOnce: number,
    private readonly queuedMax: number,
  ) {}

  /** True if the queue is full; the caller must then refuse. */
  isFull(): boolean {
    return this.#running >= this.atOnce && this.#waiters.length >= this.queuedMax
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.atOnce) await new Promise<void>((resolve) => this.#waiters.push(resolve))
    else this.#running++
    try {
      return await work()
    } finally {
      // The next call in the queue inherits the slot, so `running` changes only when the queue is empty.
      const next = this.#waiters.shift()
      if (next) next()
      else this.#running--
    }
  }
}
