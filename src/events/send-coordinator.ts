/**
 * Connects the sending of messages with the delivery of their frames, in one process.
 *
 * SendGroups collects messages into groups, and FrameBatcher collects frames into batches. A batch for many sockets
 * waits for messages that are being committed, or wait to be; and a group waits for the senders that a batch has
 * answered. Each side says here how many it has, and reads what the other one said. Nothing here can fail: a side that
 * says nothing has nothing, and both sides bound how long they wait.
 */
export class SendCoordinator {
  #waiting = 0
  #underway = 0
  #isAwaited = false
  readonly #listeners: (() => void)[] = []

  /** Messages that wait for a statement. */
  get waiting(): number {
    return this.#waiting
  }

  /** Statements that have not ended yet. */
  get underway(): number {
    return this.#underway
  }

  /** Frames to many sockets wait for the next messages. */
  get isAwaited(): boolean {
    return this.#isAwaited
  }

  noteWaiting(messages: number): void {
    this.#waiting = messages
  }

  noteAwaited(isAwaited: boolean): void {
    this.#isAwaited = isAwaited
  }

  /** Calls the listener each time that the number of statements changes. */
  onUnderway(listener: () => void): void {
    this.#listeners.push(listener)
  }

  /** Counts a statement until it ends, and not the delivery of its events. */
  async during<T>(statement: PromiseLike<T>): Promise<T> {
    this.#count(1)
    try {
      return await statement
    } finally {
      this.#count(-1)
    }
  }

  #count(change: 1 | -1): void {
    this.#underway += change
    for (const listener of this.#listeners) listener()
  }
}
