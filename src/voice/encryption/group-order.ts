import { randomBytes } from 'node:crypto'

/**
 * The order of a call's MLS group, as docs/voice.md describes. It counts epochs and knows which voice sessions are
 * leaves; it reads no message. The first commit for an epoch counts. The joins that a commit claims only
 * decide who receives its welcome: members verify the commit itself.
 */
export class GroupOrder {
  readonly id = randomBytes(16).toString('hex')
  #epoch = 0
  /** Voice sessions that are leaves and have every commit. */
  readonly #leaves = new Set<string>()
  /** Voice sessions whose key packages wait for a commit. */
  readonly #waiting = new Set<string>()

  get epoch(): number {
    return this.#epoch
  }

  /** True if members wait and no leaf is left that could add them. */
  get isStuck(): boolean {
    return this.#leaves.size === 0 && this.#waiting.size > 0
  }

  /**
   * Takes a key package: of a new member, or of a leaf that cannot follow any more.
   * @returns the leaves that receive it; undefined if its sender founds the group
   */
  enter(from: string): string[] | undefined {
    const isFirst = this.#epoch === 0 && this.#leaves.size === 0 && this.#waiting.size === 0
    if (isFirst) {
      this.#leaves.add(from)
      return undefined
    }
    this.#leaves.delete(from)
    this.#waiting.add(from)
    return [...this.#leaves]
  }

  /**
   * Takes a commit.
   * @param added voice sessions for its welcome, as it claims
   * @returns who receives it; undefined if it is not the first for its epoch, or not of a leaf
   */
  commit(from: string, epoch: number, added: string[]): { followers: string[]; welcomed: string[] } | undefined {
    if (!this.#leaves.has(from) || epoch !== this.#epoch) return undefined
    this.#epoch++
    const followers = [...this.#leaves].filter((id) => id !== from)
    const welcomed = added.filter((id) => this.#waiting.delete(id))
    for (const id of welcomed) this.#leaves.add(id)
    return { followers, welcomed }
  }

  /** Call when a voice session has ended. */
  leave(id: string): void {
    this.#leaves.delete(id)
    this.#waiting.delete(id)
  }
}
