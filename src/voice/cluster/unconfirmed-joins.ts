import { Problem } from '../../core/errors.ts'
import type { VoiceClient } from '../seat.ts'
import { REMOTE_CLIENTS_MAX } from './model.ts'

/** After the asking node has stopped to wait, its confirmation may be under way for this long. */
const CONFIRM_MS_MAX = 1_000

interface Join {
  node: string
  n: number
  client: VoiceClient
  controller: AbortController
  timer: Timer
}

/**
 * The joins that other nodes asked for and have not confirmed. A node confirms each answer that arrives in time; a seat
 * of which no client has learned would otherwise be kept like one whose socket died.
 */
export class UnconfirmedJoins {
  readonly #joins = new Map<string, Join>()

  /**
   * @param n the number of the node's request
   * @param wait_ms how long the node waits for the answer
   * @returns aborted when the node gives up, the client's socket closes, or no confirmation comes
   * @throws Problem `unavailable` when there are too many
   */
  begin(node: string, n: number, client: VoiceClient, wait_ms: number): AbortSignal {
    if (this.#joins.size >= REMOTE_CLIENTS_MAX) throw new Problem('unavailable')
    const controller = new AbortController()
    const timer = setTimeout(() => this.cancel(node, n), wait_ms + CONFIRM_MS_MAX)
    this.#joins.set(keyOf(node, n), { node, n, client, controller, timer })
    return controller.signal
  }

  /** The node has the answer. */
  confirm(node: string, n: number): void {
    const key = keyOf(node, n)
    clearTimeout(this.#joins.get(key)?.timer)
    this.#joins.delete(key)
  }

  /** The node has given the request up. */
  cancel(node: string, n: number): void {
    const join = this.#joins.get(keyOf(node, n))
    this.confirm(node, n)
    join?.controller.abort()
  }

  /** The client's socket has closed. */
  closed(client: VoiceClient): void {
    for (const join of this.#joins.values()) if (join.client === client) this.cancel(join.node, join.n)
  }
}

const keyOf = (node: string, n: number): string => `${node} ${n}`
