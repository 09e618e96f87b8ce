import type { Frame } from '../core/events.ts'
import type { SendCoordinator } from '../events/send-coordinator.ts'

/** Writing to this many sockets takes milliseconds, so their frames are batched. */
const AUDIENCE_MIN = 100
/** Longest wait for messages that are being or about to be committed. */
const COMMIT_MS_MAX = 4
/** Wait for a following message, if the last ones came in quick succession; longer if several came at once. */
const NEXT_MS_MAX = 0.4
const NEXT_OF_SEVERAL_MS_MAX = 1

/**
 * Batches the frames for sockets: a batch costs one write per socket, however many frames it has. Writing to many
 * sockets blocks this process for milliseconds, so the batch goes out while the database works.
 */
export class FrameBatcher {
  readonly #batch: Frame[] = []
  /** Sockets that the batch will be written to. */
  #audience = 0
  /** True if messages follow so closely that waiting for the next one pays off. */
  #isBusy = false
  /** Time until which the batch waits for messages to arrive or commit, by performance.now(). */
  #deadline = 0
  /** Runs while the batch waits for a commit. */
  #commitTimer: Timer | undefined

  /**
   * @param audienceOf number of sockets subscribed to a topic
   * @param sendOn called before a batch is published, so that other nodes get it at the same time
   */
  constructor(
    private readonly publish: (frame: Frame) => void,
    private readonly audienceOf: (topic: string) => number,
    private readonly coordinator: SendCoordinator,
    private readonly sendOn: () => void,
  ) {
    coordinator.onUnderway(() => {
      if (this.#commitTimer) afterStatements(this.#flushUnlessMoreWait)
    })
  }

  add(frame: Frame): void {
    this.#audience += this.audienceOf(frame.topic)
    this.coordinator.noteAwaited(this.#audience >= AUDIENCE_MIN)
    if (this.#batch.push(frame) === 1) afterStatements(this.#flushOrWait)
  }

  /** Publishes the batch now. Call before subscriptions change, and before an answer. */
  readonly flush = (): void => {
    clearTimeout(this.#commitTimer)
    this.#commitTimer = undefined
    this.#audience = 0
    this.coordinator.noteAwaited(false)
    if (this.#batch.length === 0) return
    this.sendOn()
    for (const frame of this.#batch.splice(0)) this.publish(frame)
  }

  readonly #flushOrWait = (): void => {
    if (this.#commitTimer) return
    const now = performance.now()
    this.#deadline = now + COMMIT_MS_MAX
    if (this.#audience < AUDIENCE_MIN) this.flush()
    else if (this.coordinator.underway > 0) this.#waitForCommit()
    else if (this.#isBusy) this.#waitForNext(now + (this.#batch.length > 1 ? NEXT_OF_SEVERAL_MS_MAX : NEXT_MS_MAX))
    else {
      this.flush()
      // By then, input that arrived during the write has been read.
      afterStatements(() => (this.#isBusy = this.#isNextHere()))
    }
  }

  #waitForCommit(): void {
    clearTimeout(this.#commitTimer)
    this.#commitTimer = setTimeout(this.flush, this.#deadline - performance.now())
  }

  /** Waits for the senders, who now have their answers, to send more. */
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

/** Runs `work` after the statements of requests that just arrived were sent to the database. */
function afterStatements(work: () => void): void {
  // One turn until the messages are grouped, and one until the driver writes.
  setImmediate(() => setImmediate(work))
}
