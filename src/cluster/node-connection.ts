/** Without an own message for this long, this node is disconnected. */
const SILENCE_MS_MAX = 5_000
/** A message that comes back later than this was held up on the way, and shows nothing. */
const ECHO_MS_MAX = 1_000

/** The channels of a node; a cluster of Redis may lose one of them. */
type Channel = 'broadcast' | 'direct'

/**
 * Whether this node receives its own messages, by both channels. While it does not, the silence of other nodes says
 * nothing about them.
 */
export class NodeConnection {
  readonly #echoed_at: Record<Channel, number> = { broadcast: -Infinity, direct: -Infinity }
  #since = 0
  #onEcho = (): void => {}

  isUp(): boolean {
    return performance.now() - Math.min(this.#echoed_at.broadcast, this.#echoed_at.direct) < SILENCE_MS_MAX
  }

  /** Since when other nodes can have been received, by performance.now(). */
  since(): number {
    return this.#since
  }

  /** To be called when this node has subscribed. */
  restart(): void {
    this.#since = performance.now()
  }

  /** Calls back at the next own direct message. @returns the time to send with it */
  expectEcho(received: () => void): number {
    this.#onEcho = received
    return performance.now()
  }

  /** An own message has come back. */
  echoed(channel: Channel, sent_at: number): void {
    const now = performance.now()
    if (now - sent_at > ECHO_MS_MAX) return
    if (!this.isUp()) this.restart()
    this.#echoed_at[channel] = now
    if (channel === 'direct') this.#onEcho()
  }
}
