/** Runs work one after another for each key; different keys run side by side. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Runs `work` after all earlier work of the key, whether that succeeded or failed. */
  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#last.get(key) ?? Promise.resolve()).catch(() => {}).then(work)
    this.#last.set(key, turn)
    const end = () => void (this.#last.get(key) === turn && this.#last.delete(key))
    turn.then(end, end)
    return turn
  }
}
