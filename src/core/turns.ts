/** Works for so long at a time; then whatever else waits for the event loop comes first. */
const TURN_MS_MAX = 4

/** Runs short pieces of work in order, and leaves the event loop to others in between when there are many. */
export class Turns {
  readonly #waiting: (() => void)[] = []
  #scheduled = false

  /** @returns what the work returns, when its turn has come */
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
