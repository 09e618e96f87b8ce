/** Time slice; then other work on the event loop runs first. */
const TURN_MS_MAX = 4

/** Runs short tasks in order, and yields to the event loop between time slices. */
export class Turns {
  readonly #waiting: (() => void)[] = []
  #scheduled = false

  /** @returns the task's result */
  run<T>(work: () => T): Promise<T> {
    const turn = Promise.withResolvers<T>()
    this.#waiting.push(() => {
      try {
        turn.resolve(work())
      } catch (error) {
        turn.reject(error)
      }
    })
    this.#schedule()
    return turn.promise
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => this.#work())
  }

  #work(): void {
    const until = performance.now() + TURN_MS_MAX
    let done = 0
    do this.#waiting[done++]?.()
    while (done < this.#waiting.length && performance.now() < until)
    this.#waiting.splice(0, done)
    this.#scheduled = false
    if (this.#waiting.length > 0) this.#schedule()
  }
}
