import type { Frame } from '../core/events.ts'
import type { SendCoordinator } from '../events/send-coordinator.ts'

/** Writing to so many sockets takes milliseconds: their frames wait for others to go with. */
const AUDIENCE_MIN = 100
/** Frames wait at most this long for the messages that are being committed, or are about to be. */
const COMMIT_MS_MAX = 4
/** They wait this long for a next message to come, where the one before did not come alone; several at once, longer. */
const NEXT_MS_MAX = 0.4
const NEXT_OF_SEVERAL_MS_MAX = 1

/**
 * Frames on their way to the sockets. The frames of one batch cost one write a socket, however many they are. To write
 * to many sockets takes this process milliseconds: the database had better work meanwhile.
 */
export class FrameBatcher {
  readonly #batch: Frame[] = []
  /** The sockets that the batch is written to. */
  #audience = 0
  /** Whether messages come so close to each other that the next one is worth waiting for. */
  #isBusy = false
  /** Until when the batch waits for messages to come or to be committed, in milliseconds of performance.now(). */
  #deadline = 0
  /** Runs while the batch waits for a commit. */
  #waiting: Timer | undefined

  /**
   * @param audienceOf how many sockets receive what is published to a topic
   * @param sendOn called before a batch is published: other nodes get it at the same time
   */
  constructor(
    private readonly publish: (frame: Frame) => void,
    private readonly audienceOf: (topic: string) => number,
    private readonly coordinator: SendCoordinator,
    private readonly sendOn: () => void,
  ) {
    coordinator.onUnderway(() => {
      if (this.#waiting) afterStatements(this.#flushUnlessMoreWait)
    })
  }

  add(frame: Frame): void {
    this.#audience += this.audienceOf(frame.topic)
    this.coordinator.noteAwaited(this.#audience >= AUDIENCE_MIN)
    if (this.#batch.push(frame) === 1) afterStatements(this.#flushOrWait)
  }

  /** Publishes the batch now. To be called before a change of subscriptions, and before an answer. */
  readonly flush = (): void => {
    clearTimeout(this.#waiting)
    this.#waiting = undefined
    this.#audience = 0
    this.coordinator.noteAwaited(false)
    if (this.#batch.length === 0) return
    this.sendOn()
    for (const frame of this.#batch.splice(0)) this.publish(frame)
  }

  readonly #flushOrWait = (): void => {
    if (this.#waiting) return
    const now = performance.now()
    this.#deadline = now + COMMIT_MS_MAX
    if (this.#audience < AUDIENCE_MIN) this.flush()
    else if (this.coordinator.underway > 0) this.#waitForCommit()
    else if (this.#isBusy) this.#waitForNext(now + (this.#batch.length > 1 ? NEXT_OF_SEVERAL_MS_MAX : NEXT_MS_MAX))
    else {
      this.flush()
      // What has come while the sockets were written to is read by then.
      afterStatements(() => (this.#isBusy = this.#isNextHere()))
    }
  }

  #waitForCommit(): void {
    clearTimeout(this.#waiting)
    this.#waiting = setTimeout(this.flush, this.#deadline - performance.now())
  }

  /** Those who sent the messages have their answers and may be about to send more, which are committed meanwhile. */
  #waitForNext(deadline: number): void {
    if (this.#batch.length === 0) return
    const isEarly = performance.now() < deadline
    this.#isBusy = isEarly || this.#isNextHere()
    if (isEarly && this.coordinator.underway === 0) setImmediate(() => this.#waitForNext(deadline))
    else afterStatements(this.#flushUnlessMoreWait)
  }

  readonly #flushUnlessMoreWait = (): void => {
    if (this.coordinator.waiting > 0 && performance.now() < this.#deadline) this.#waitForCommit()
    else this.flush()
  }

  #isNextHere(): boolean {
    return this.coordinator.waiting > 0 || this.coordinator.underway > 0
  }
}

/** Runs `work` when the statements of the requests that have just come in are on their way to the database. */
function afterStatements(work: () => void): void {
  // One turn until the messages are sent in a group, and one until the driver writes.
  setImmediate(() => setImmediate(work))
}
