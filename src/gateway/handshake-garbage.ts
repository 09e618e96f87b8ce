/** Fewer handshakes leave little behind. */
const HANDSHAKES_MIN = 500
/** A storm lasts for as long as more handshakes than this come within LOOK_MS. */
const CALM_HANDSHAKES_MAX = 50
const LOOK_MS = 1_000
/** A collection stops the process for some tens of milliseconds: storms that follow each other share one. */
const PAUSE_MS = 10_000

/**
 * Collects garbage once after a storm of handshakes. By itself the engine keeps what the storm took, some 10 KB a
 * handshake, for as long as the process is quiet.
 */
export class HandshakeGarbage {
  /** Handshakes since the last look, and those of the storm before it. */
  #lately = 0
  #ofStorm = 0
  #collected_at = -Infinity
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
    else if (performance.now() >= this.#collected_at + PAUSE_MS) this.#collect()
    if (this.#ofStorm > 0) this.#lookLater()
  }

  #collect(): void {
    this.#ofStorm = 0
    this.#collected_at = performance.now()
    Bun.gc(true)
  }
}
