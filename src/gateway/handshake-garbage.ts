/** Fewer handshakes leave little behind. */
const HANDSHAKES_MIN = 500
/** A storm has ended when no more handshakes than this came within CALM_MS. */
const CALM_HANDSHAKES_MAX = 50
const CALM_MS = 1_000

/**
 * Collects garbage once after a storm of handshakes. By itself the engine keeps what the storm took, some 10 KB a
 * handshake, for as long as the process is quiet; a collection takes some tens of milliseconds.
 */
export class HandshakeGarbage {
  #handshakes = 0
  #lately = 0
  #timer: Timer | undefined

  add(handshakes: number): void {
    this.#handshakes += handshakes
    this.#lately += handshakes
    if (this.#handshakes >= HANDSHAKES_MIN && !this.#timer) this.#wait()
  }

  #wait(): void {
    this.#lately = 0
    this.#timer = setTimeout(() => (this.#lately > CALM_HANDSHAKES_MAX ? this.#wait() : this.#collect()), CALM_MS)
    this.#timer.unref()
  }

  #collect(): void {
    this.#timer = undefined
    this.#handshakes = 0
    Bun.gc(true)
  }
}
