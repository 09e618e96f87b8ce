/** Without an echo of its own messages for this long, this node counts as disconnected. */
const SILENCE_MS_MAX = 5_000
/** An echo that takes longer than this was delayed, and proves nothing. */
const ECHO_MS_MAX = 1_000

/** Callbacks that wait for an echo. While Redis is away, each caller adds one with every beat. */
const EXPECTED_MAX = 16

/** The channels of a node; a Redis Cluster may lose only one of them. */
type Channel = 'broadcast' | 'direct'

/**
 * Tracks whether this node receives its own messages on both channels. While it does not, the silence of other nodes
 * proves nothing.
 */
export class NodeConnection {
  readonly #echoedAt: Record<Channel, number> = { broadcast: -Infinity, direct: -Infinity }
  #since = 0
  readonly #onEcho: (() => void)[] = []

  isUp(): boolean {
    return performance.now() - Math.min(this.#echoedAt.broadcast, this.#echoedAt.direct) < SILENCE_MS_MAX
  }

  /** Since when other nodes could be heard, by performance.now(). */
  since(): number {
    return this.#since
  }

  /** Call when this node has subscribed. */
  restart(): void {
    this.#since = performance.now()
  }

  /** Calls back at the next echo on the direct channel. @returns the time to send along */
  expectEcho(onEcho: () => void): number {
    this.#onEcho.push(onEcho)
    if (this.#onEcho.length > EXPECTED_MAX) this.#onEcho.shift()
    return performance.now()
  }

  /** Call when an echo arrives. */
  echoed(channel: Channel, sentAt: number): void {
    const now = performance.now()
    if (now - sentAt > ECHO_MS_MAX) return
    if (!this.isUp()) this.restart()
    this.#echoedAt[channel] = now
    if (channel === 'direct') for (const onEcho of this.#onEcho.splice(0)) onEcho()
  }
}
