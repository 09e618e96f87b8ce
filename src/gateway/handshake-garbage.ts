/** Fewer handshakes leave too little garbage to collect. */
const HANDSHAKES_MIN = 500
/** The storm is over once at most this many handshakes come within LOOK_MS. */
const CALM_HANDSHAKES_MAX = 50
const LOOK_MS = 1_000
/** A collection blocks the process for some tens of milliseconds, so successive storms share one. */
const PAUSE_MS = 10_000
/** Openings of bots, in handshakes, after which their garbage is collected without waiting for calm. */
const OF_BOTS_MIN = 500
/** Share of the time that these collections may take. */
const OF_BOTS_SHARE = 0.1
/** In a larger heap a collection blocks the process for too long. */
const HEAP_BYTES_MAX = 128 * 1024 * 1024

/**
 * Collects garbage once after a storm of handshakes. Otherwise an idle engine keeps the memory, some 10 KB per
 * handshake.
 */
export class HandshakeGarbage {
  /** Handshakes since the last look, and in the storm before that. */
  #lately = 0
  #ofStorm = 0
  #collectedAt = -Infinity
  #timer: Timer | undefined
  /** Openings of bots since their last collection, in handshakes, and the earliest time of the next one. */
  #ofBots = 0
  #ofBotsAt = -Infinity

  add(handshakes: number): void {
    this.#lately += handshakes
    if (!this.#timer) this.#lookLater()
  }

  /**
   * Counts openings of bots on Discord's door, in handshakes. Each leaves more garbage than a handshake, and the engine
   * keeps every block of the heap in which a bot's small objects lie between it. So it is collected while bots come.
   */
  addOfBots(handshakes: number): void {
    this.add(handshakes)
    this.#ofBots += handshakes
    const startMs = performance.now()
    if (this.#ofBots < OF_BOTS_MIN || startMs < this.#ofBotsAt) return
    this.#ofBots = 0
    if (process.memoryUsage().heapUsed > HEAP_BYTES_MAX) return
    Bun.gc(true)
    const endMs = performance.now()
    this.#ofBotsAt = endMs + (endMs - startMs) / OF_BOTS_SHARE
  }

  #lookLater(): void {
    this.#timer = setTimeout(() => this.#look(), LOOK_MS)
    this.#timer.unref()
  }

  #look(): void {
    const lately = this.#lately
    this.#lately = 0
    this.#timer = undefined
    if (lately > CALM_HANDSHAKES_MAX) this.#ofStorm += lately
    else if (this.#ofStorm < HANDSHAKES_MIN) this.#ofStorm = 0
    else if (performance.now() >= this.#collectedAt + PAUSE_MS) this.#collect()
    if (this.#ofStorm > 0) this.#lookLater()
  }

  #collect(): void {
    this.#ofStorm = 0
    this.#collectedAt = performance.now()
    Bun.gc(true)
  }
}
