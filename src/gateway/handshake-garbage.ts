/** Fewer handshakes leave too little garbage to collect. */
const HANDSHAKES_MIN = 500
/** The storm is over once at most this many handshakes come within LOOK_MS. */
const CALM_HANDSHAKES_MAX = 50
const LOOK_MS = 1_000
/** A collection blocks the process for some tens of milliseconds, so successive storms share one. */
const PAUSE_MS = 10_000

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

  add(handshakes: number): void {
    this.#lately += handshakes
    if (!this.#timer) this.#lookLater()
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
