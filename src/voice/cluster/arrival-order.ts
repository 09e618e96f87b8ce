/** Handles one message. @returns true if it was an answer */
type Step = () => boolean

/**
 * Handles messages in order of arrival. Effects of an answer are sent in the microtasks after it, so messages that
 * arrived after an answer wait for the next turn of the event loop.
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
