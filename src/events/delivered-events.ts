/** For how long, and how many of them, the ids of delivered events are kept: twice as long and as many at most. */
const KEPT_MS = 60_000
const KEPT_MAX = 200_000

/** The ids of the events that were delivered lately, so that what comes twice is delivered once. */
export class DeliveredEvents {
  #current = new Set<number>()
  #previous = new Set<number>()
  /** When `current` was begun. */
  #begun_at: number
  #newest = 0
  /** The newest id when `current` was begun, and one generation before: nothing older is remembered. */
  #newest_before = 0
  #floor = 0

  /** @param now the time in milliseconds */
  constructor(private readonly now: () => number) {
    this.#begun_at = now()
  }

  has(s: number): boolean {
    return this.#current.has(s) || this.#previous.has(s)
  }

  /** Whether the event was delivered, or is older than what is kept: a Redis that stood still sends such ones. */
  isOld(s: number): boolean {
    return s <= this.#floor || this.has(s)
  }

  add(s: number): void {
    if (this.#current.size >= KEPT_MAX || this.now() - this.#begun_at > KEPT_MS) {
      this.#previous = this.#current
      this.#current = new Set()
      this.#begun_at = this.now()
      this.#floor = this.#newest_before
      this.#newest_before = this.#newest
    }
    this.#newest = Math.max(this.#newest, s)
    this.#current.add(s)
  }
}
