/** A token bucket in memory, because every packet asks it. */
export class Budget {
  #tokens: number
  #at = 0

  constructor(
    private readonly perS: number,
    private readonly burst: number,
  ) {
    this.#tokens = burst
  }

  /** @param now ms, of a clock that never goes back */
  take(now: number): boolean {
    this.#tokens = Math.min(this.burst, this.#tokens + ((now - this.#at) / 1000) * this.perS)
    this.#at = now
    if (this.#tokens < 1) return false
    this.#tokens--
    return true
  }
}
