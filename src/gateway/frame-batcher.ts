import type { Frame } from '../core/events.ts'

/** A frame waits at most this long. */
const HOLD_MS_MAX = 2

/**
 * Frames on their way to the sockets. The frames of one batch cost one write a socket, however many they are, so a
 * batch waits while writes that will add to it are under way.
 */
export class FrameBatcher {
  readonly #batch: Frame[] = []
  /** When the oldest frame of the batch came, by performance.now(). */
  #since = 0

  /** @param writesUnderWay how many writes have not ended yet */
  constructor(
    private readonly publish: (frame: Frame) => void,
    private readonly writesUnderWay: () => number,
  ) {}

  add(frame: Frame): void {
    if (this.#batch.push(frame) > 1) return
    this.#since = performance.now()
    // After the statements of the requests that have just come in, so that the database works meanwhile.
    setImmediate(this.#flushWhenDue)
  }

  /** Publishes the batch now. To be called before a change of subscriptions, and before an answer. */
  readonly flush = (): void => {
    for (const frame of this.#batch.splice(0)) this.publish(frame)
  }

  readonly #flushWhenDue = (): void => {
    if (this.#batch.length > 0 && this.writesUnderWay() > 0 && performance.now() - this.#since < HOLD_MS_MAX)
      setTimeout(this.#flushWhenDue, 1)
    else this.flush()
  }
}
