import type { VoiceClient } from '../seat.ts'

/** The joins of this node's clients that are not answered yet: a client that leaves meanwhile gives them up. */
export class UnansweredJoins {
  readonly #controllers = new WeakMap<VoiceClient, Set<AbortController>>()

  /** @param join gets a signal that is aborted when the client leaves before the end */
  async run<T>(client: VoiceClient, join: (left: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController()
    const all = this.#controllers.get(client) ?? new Set()
    this.#controllers.set(client, all.add(controller))
    try {
      return await join(controller.signal)
    } finally {
      all.delete(controller)
    }
  }

  /** The client leaves. */
  giveUp(client: VoiceClient): void {
    for (const controller of this.#controllers.get(client) ?? []) controller.abort()
  }
}
