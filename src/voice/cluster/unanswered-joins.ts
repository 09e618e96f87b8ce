import type { VoiceClient } from '../seat.ts'

/** Unanswered joins of this node's clients. A client that leaves meanwhile cancels them. */
export class UnansweredJoins {
  readonly #controllers = new WeakMap<VoiceClient, Set<AbortController>>()

  /** @param join gets a signal that is aborted if the client leaves before the end */
  async run<T>(client: VoiceClient, join: (leaveSignal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController()
    const all = this.#controllers.get(client) ?? new Set()
    this.#controllers.set(client, all.add(controller))
    try {
      return await join(controller.signal)
    } finally {
      all.delete(controller)
    }
  }

  /** Call when the client leaves. */
  giveUp(client: VoiceClient): void {
    for (const controller of this.#controllers.get(client) ?? []) controller.abort()
  }
}
