/** An event counts as late if a newer one was delivered this long before it. */
const LATE_MS = 100
const SAMPLE_MS = 20
/** Late events to keep. Later ones replace the first: they are more likely to be somebody's newest. */
const KEPT_MAX = 5_000

/**
 * Finds events that are delivered after newer ones. A socket that connected in between has the newer state, and takes
 * the late event for a newer one, so what is newer has to be delivered again.
 */
export class LateEvents {
  /** Samples of the newest event delivered so far, oldest first. They cover LATE_MS, and one sample before. */
  readonly #samples: { at: number; newest: number }[] = []
  readonly #late = new Set<number>()
  #newest = 0

  /** @param now the time in milliseconds */
  constructor(private readonly now: () => number) {}

  /** Call with each event that is delivered. */
  note(s: number): void {
    const now = this.now()
    const samples = this.#samples
    while (samples[1] && samples[1].at <= now - LATE_MS) samples.shift()
    const [oldest] = samples
    if (oldest && oldest.at <= now - LATE_MS && s < oldest.newest) this.#keep(s)
    this.#newest = Math.max(this.#newest, s)
    const last = samples.at(-1)
    if (last && now - last.at < SAMPLE_MS) last.newest = this.#newest
    else samples.push({ at: now, newest: this.#newest })
  }

  /** The late events that are not settled. */
  all(): number[] {
    return [...this.#late]
  }

  /** Call when everything newer has been delivered after them. */
  settle(ids: number[]): void {
    for (const s of ids) this.#late.delete(s)
  }

  #keep(s: number): void {
    this.#late.add(s)
    for (const first of this.#late) {
      if (this.#late.size <= KEPT_MAX) break
      this.#late.delete(first)
    }
  }
}
