import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { VoiceSessionId } from '../session-id.ts'

/** The order of a group on its way to another node. */
export const GroupState = z.object({
  id: z.string().max(64),
  epoch: z.int().min(0),
  leaves: z.array(VoiceSessionId),
  waiting: z.array(VoiceSessionId),
})
export type GroupState = z.output<typeof GroupState>

/**
 * The order of a call's MLS group, as docs/voice.md describes. It counts epochs and knows which voice sessions are
 * leaves; it reads no message. The first commit for an epoch counts. The joins that a commit claims only
 * decide who receives its welcome: members verify the commit itself.
 */
export class GroupOrder {
  readonly id: string
  #epoch: number
  /** Voice sessions that are leaves and have every commit. */
  readonly #leaves: Set<string>
  /** Voice sessions whose key packages wait for a commit. */
  readonly #waiting: Set<string>

  /** @param before the order of a group that began on another node */
  constructor(before: GroupState = { id: randomBytes(16).toString('hex'), epoch: 0, leaves: [], waiting: [] }) {
    this.id = before.id
    this.#epoch = before.epoch
    this.#leaves = new Set(before.leaves)
    this.#waiting = new Set(before.waiting)
  }

  /** For the next owner of the call. */
  state(): GroupState {
    return { id: this.id, epoch: this.#epoch, leaves: [...this.#leaves], waiting: [...this.#waiting] }
  }

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
