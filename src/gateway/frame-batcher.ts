import type { Frame } from '../core/events.ts'

/** Several frames wait at most this long for the next write to begin. */
const HOLD_MS_MAX = 1

/**
 * Frames on their way to the sockets. The frames of one batch cost one write a socket, however many they are. To write
 * to many sockets takes this process milliseconds: the database had better work meanwhile.
 */
export class FrameBatcher {
  readonly #batch: Frame[] = []

  /** @param writesUnderWay how many writes have not ended yet */
  constructor(
    private readonly publish: (frame: Frame) => void,
    private readonly writesUnderWay: () => number,
  ) {}

  add(frame: Frame): void {
    if (this.#batch.push(frame) === 1) afterStatements(this.#flushUnlessIdle)
  }

  /** Publishes the batch now. To be called before a change of subscriptions, and before an answer. */
  readonly flush = (): void => {
    for (const frame of this.#batch.splice(0)) this.publish(frame)
  }

  /** Where several messages came at once, those who sent them have their answers and may be about to send more. */
  readonly #flushUnlessIdle = (): void => {
    if (this.#batch.length > 1 && this.writesUnderWay() === 0)
      setTimeout(() => afterStatements(this.flush), HOLD_MS_MAX)
    else this.flush()
  }
}

/** Runs `work` when the statements of the requests that have just come in are on their way to the database. */
function afterStatements(work: () => void): void {
  // One turn until the messages are sent in a group, and one until the driver writes.
  setImmediate(() => setImmediate(work))
}
