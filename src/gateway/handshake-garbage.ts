/** Fewer handshakes leave little behind. */
const HANDSHAKES_MIN = 500
/** The pause without a handshake that ends a storm. */
const CALM_MS = 2_000

/**
 * Collects garbage once after a storm of handshakes. By itself the engine keeps what the storm took, some 10 KB a
 * handshake, for as long as the process is quiet; a collection takes some tens of milliseconds.
 */
export class HandshakeGarbage {
  #handshakes = 0
  #timer: Timer | undefined

  add(handshakes: number): void {
    this.#handshakes += handshakes
    if (this.#handshakes < HANDSHAKES_MIN) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#collect(), CALM_MS)
    this.#timer.unref()
  }

  #collect(): void {
    this.#handshakes = 0
    Bun.gc(true)
  }
}
