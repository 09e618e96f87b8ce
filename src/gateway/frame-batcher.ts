import type { Frame } from '../core/events.ts'
import type { Write } from '../events/write.ts'

/** Writing to so many sockets takes milliseconds: their frames wait for others to go with. */
const AUDIENCE_MIN = 100
/** Frames wait at most this long for the messages that are being committed. */
const COMMIT_MS_MAX = 4
/** They wait this long for more messages to come while none is being committed; several that came at once, longer. */
const NEXT_MS_MAX = 0.4
const NEXT_OF_SEVERAL_MS_MAX = 1
/** Whoever sent a message may send the next one within this time. Frames of another node have waited there already. */
const ANSWERED_MS = 2

/**
 * Frames on their way to the sockets. The frames of one batch cost one write a socket, however many they are. To write
 * to many sockets takes this process milliseconds: the database had better work meanwhile.
 */
export class FrameBatcher {
  readonly #batch: Frame[] = []
  /** The sockets that the batch is written to. */
  #audience = 0
  /** Runs while the batch waits for a commit. */
  #waiting: Timer | undefined
  /** How many messages are being committed, and when the last ones were, by performance.now(). */
  #underway = 0
  #committed_at = -Infinity

  /**
   * @param audienceOf how many sockets receive what is published to a topic
   * @param sendOn called before a batch is published: other nodes get it at the same time
   */
  constructor(
    private readonly publish: (frame: Frame) => void,
    private readonly audienceOf: (topic: string) => number,
    private readonly write: Pick<Write, 'underway' | 'onUnderway'>,
    private readonly sendOn: () => void,
  ) {
    write.onUnderway(() => {
      if (write.underway() < this.#underway) this.#committed_at = performance.now()
      this.#underway = write.underway()
      if (this.#waiting) afterStatements(this.flush)
    })
  }

  add(frame: Frame): void {
    this.#audience += this.audienceOf(frame.topic)
    if (this.#batch.push(frame) === 1) afterStatements(this.#flushOrWait)
  }

  /** Publishes the batch now. To be called before a change of subscriptions, and before an answer. */
  readonly flush = (): void => {
    clearTimeout(this.#waiting)
    this.#waiting = undefined
    this.#audience = 0
    if (this.#batch.length === 0) return
    this.sendOn()
    for (const frame of this.#batch.splice(0)) this.publish(frame)
  }

  readonly #flushOrWait = (): void => {
    if (this.#waiting) return
    const now = performance.now()
    if (this.#audience < AUDIENCE_MIN) this.flush()
    else if (this.write.underway() > 0) this.#waiting = setTimeout(this.flush, COMMIT_MS_MAX)
    else if (now - this.#committed_at > ANSWERED_MS) this.flush()
    else this.#flushAtNext(now + (this.#batch.length > 1 ? NEXT_OF_SEVERAL_MS_MAX : NEXT_MS_MAX))
  }

  /** Those who sent the messages have their answers and may be about to send more, which are committed meanwhile. */
  #flushAtNext(deadline: number): void {
    if (this.#batch.length === 0) return
    if (this.write.underway() > 0 || performance.now() > deadline) afterStatements(this.flush)
    else setImmediate(() => this.#flushAtNext(deadline))
  }
}

/** Runs `work` when the statements of the requests that have just come in are on their way to the database. */
function afterStatements(work: () => void): void {
  // One turn until the messages are sent in a group, and one until the driver writes.
  setImmediate(() => setImmediate(work))
}
