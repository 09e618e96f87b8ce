/** Handles one message. @returns whether that was an answer */
type Step = () => boolean

/**
 * Handles messages in the order of their arrival. What an answer brings about is sent in the microtasks after it, so
 * whatever arrives after an answer waits for the next turn of the event loop.
 */
export class ArrivalOrder {
  readonly #waiting: Step[] = []
  #held = false

  run(step: Step): void {
    if (this.#held) this.#waiting.push(step)
    else this.#take(step)
  }

  #take(step: Step): void {
    if (!step()) return
    this.#held = true
    setImmediate(() => {
      this.#held = false
      while (!this.#held) {
        const next = this.#waiting.shift()
        if (!next) break
        this.#take(next)
      }
    })
  }
}
