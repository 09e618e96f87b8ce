/**
 * Two generations of delivered ids; each is rotated after this time or this many ids, so an id is remembered for at
 * least one and at most two.
 */
const KEPT_MS = 60_000
const KEPT_MAX = 200_000

/** Remembers the ids of recently delivered events, so that no event is delivered twice. */
export class DeliveredEvents {
  #current = new Set<number>()
  #previous = new Set<number>()
  /** When the `current` generation began. */
  #begunAt: number
  #newest = 0
  /** The newest ids when `current` and the generation before it began: older ids are forgotten. */
  #newestBefore = 0
  #floor = 0

  /** @param now the time in milliseconds */
  constructor(private readonly now: () => number) {
    this.#begunAt = now()
  }

  has(s: number): boolean {
    return this.#current.has(s) || this.#previous.has(s)
  }

  /** True if the event was delivered, or is too old to tell. A Redis that hung may send such events. */
  isOld(s: number): boolean {
    return s <= this.#floor || this.has(s)
  }

  add(s: number): void {
    if (this.#current.size >= KEPT_MAX || this.now() - this.#begunAt > KEPT_MS) {
      this.#previous = this.#current
      this.#current = new Set()
      this.#begunAt = this.now()
      this.#floor = this.#newestBefore
      this.#newestBefore = this.#newest
    }
    this.#newest = Math.max(this.#newest, s)
    this.#current.add(s)
  }
}
