/** Runs work sequentially per key; different keys run concurrently. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Runs `work` after all earlier work of the same key has settled. */
  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#last.get(key) ?? Promise.resolve()).catch(() => {}).then(work)
    this.#last.set(key, turn)
    const end = () => void (this.#last.get(key) === turn && this.#last.delete(key))
    turn.then(end, end)
    return turn
  }
}
