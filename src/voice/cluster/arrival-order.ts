/** Handles one message. @returns true if it was an answer */
type Step = () => boolean

/**
 * Handles messages in order of arrival. Effects of an answer are sent in the microtasks after it, so messages that
 * arrived after an answer wait for the next turn of the event loop.
 */
export class ArrivalOrder {
  readonly #waitingSteps: Step[] = []
  #isHeld = false

  run(step: Step): void {
    if (this.#isHeld) this.#waitingSteps.push(step)
    else this.#take(step)
  }

  #take(step: Step): void {
    if (!step()) return
    this.#isHeld = true
    setImmediate(() => {
      this.#isHeld = false
      while (!this.#isHeld) {
        const next = this.#waitingSteps.shift()
        if (!next) break
        this.#take(next)
      }
    })
  }
}
