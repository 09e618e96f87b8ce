/** Time slice; then other work on the event loop runs first. */
const TURN_MS_MAX = 4

/** Runs short tasks in order, and yields to the event loop between time slices. */
export class Turns {
  readonly #waitingWork: (() => void)[] = []
  #isScheduled = false

  /** @returns the task's result */
  run<T>(work: () => T): Promise<T> {
    const turn = Promise.withResolvers<T>()
    this.#waitingWork.push(() => {
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
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#work())
  }

  #work(): void {
    const until = performance.now() + TURN_MS_MAX
    let doneCount = 0
    do this.#waitingWork[doneCount++]?.()
    while (doneCount < this.#waitingWork.length && performance.now() < until)
    this.#waitingWork.splice(0, doneCount)
    this.#isScheduled = false
    if (this.#waitingWork.length > 0) this.#schedule()
  }
}
