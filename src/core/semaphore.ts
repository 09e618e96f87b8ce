/** Limits concurrent calls; the others wait in order. */
export class Semaphore {
  #running = 0
  readonly #waiting: (() => void)[] = []

  constructor(
    private readonly at_once: number,
    private readonly queued_max: number,
  ) {}

  /** True if the queue is full; the caller must then refuse. */
  isFull(): boolean {
    return this.#running >= this.at_once && this.#waiting.length >= this.queued_max
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.at_once) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#running++
    try {
      return await work()
    } finally {
      // The next call in the queue inherits the slot, so `running` changes only when the queue is empty.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }
}
