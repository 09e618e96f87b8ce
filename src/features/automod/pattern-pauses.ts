/** Servers to remember; beyond this the oldest one is forgotten. */
const SERVERS_MAX = 10_000
/** The first pause, and the longest; each is twice the one before it. */
const PAUSE_MS = 60_000
const PAUSE_MS_MAX = 3_600_000

/**
 * Pauses the patterns of a server after passes that kept other requests waiting: the installation must not suffer from
 * the rules of one server. A single slow pass is forgiven, because the machine may have been busy.
 */
export class PatternPauses {
  readonly #pauses = new Map<number, { untilMs: number; pauseMs: number }>()

  /** @param now a clock in milliseconds */
  constructor(private readonly now: () => number = Date.now) {}

  /** Notes a pass that took far too long. @returns the pause that begins, in milliseconds; 0 for none */
  note(serverId: number): number {
    const before = this.#pauses.get(serverId)
    const isOld = before !== undefined && this.now() - before.untilMs > 2 * PAUSE_MS_MAX
    const pauseMs = before === undefined || isOld ? 0 : Math.min(PAUSE_MS_MAX, before.pauseMs * 2 || PAUSE_MS)
    this.#pauses.delete(serverId)
    this.#pauses.set(serverId, { untilMs: this.now() + pauseMs, pauseMs })
    for (const id of this.#pauses.keys()) {
      if (this.#pauses.size <= SERVERS_MAX) break
      this.#pauses.delete(id)
    }
    return pauseMs
  }

  isPaused(serverId: number): boolean {
    return this.#pauses.size > 0 && (this.#pauses.get(serverId)?.untilMs ?? 0) > this.now()
  }
}
