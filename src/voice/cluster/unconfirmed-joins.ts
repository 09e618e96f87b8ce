import { Problem } from '../../core/errors.ts'
import type { VoiceClient } from '../seat.ts'
import { REMOTE_CLIENTS_MAX } from './model.ts'

/** Time that a confirmation may still take after the requesting node stopped waiting. */
const CONFIRM_MS_MAX = 1_000

interface Join {
  node: string
  n: number
  client: VoiceClient
  controller: AbortController
  timer: Timer
}

/**
 * Joins that other nodes requested and have not confirmed. A node confirms each answer that arrives in time; otherwise
 * a seat that no client knows of would stay like one whose socket died.
 */
export class UnconfirmedJoins {
  readonly #joins = new Map<string, Join>()

  /**
   * @param n the number of the node's request
   * @param waitMs how long the node waits for the answer
   * @returns aborted if the node gives up, the client's socket closes, or no confirmation arrives
   * @throws Problem `unavailable` if there are too many
   */
  begin(node: string, n: number, client: VoiceClient, waitMs: number): AbortSignal {
    if (this.#joins.size >= REMOTE_CLIENTS_MAX) throw new Problem('unavailable')
    const controller = new AbortController()
    const timer = setTimeout(() => this.cancel(node, n), waitMs + CONFIRM_MS_MAX)
    this.#joins.set(keyOf(node, n), { node, n, client, controller, timer })
    return controller.signal
  }

  /** Call when the node has the answer. */
  confirm(node: string, n: number): void {
    const key = keyOf(node, n)
    clearTimeout(this.#joins.get(key)?.timer)
    this.#joins.delete(key)
  }

  /** Call when the node has given up the request. */
  cancel(node: string, n: number): void {
    const join = this.#joins.get(keyOf(node, n))
    this.confirm(node, n)
    join?.controller.abort()
  }

  /** Call when the client's socket has closed. */
  cancelOf(client: VoiceClient): void {
    for (const join of this.#joins.values()) if (join.client === client) this.cancel(join.node, join.n)
  }
}

const keyOf = (node: string, n: number): string => `${node} ${n}`
