import type { Frame } from '../core/events.ts'
import type { Notice } from './bus.ts'

/** How long a move is remembered: about twice the longest delay of a frame. */
const KEPT_MS = 60_000

/**
 * Remembers channels whose events recently moved from the server's topic to their own, or back. Notices and frames
 * take different paths: a frame published before the change may arrive after it, and reach members who must not see it
 * any more, or nobody.
 */
export class MovedChannels {
  readonly #moves = new Map<number, { restricted: boolean; until: number }>()

  /** @param now milliseconds of a steady clock: a forgotten move would let frames reach people who must not see them */
  constructor(private readonly now: () => number) {}

  get size(): number {
    return this.#moves.size
  }

  note(notice: Notice): void {
    if (notice.kind === 'recheck_all') this.#moves.clear()
    if (notice.kind !== 'server_access_changed') return
    this.#forgetOld()
    const until = this.now() + KEPT_MS
    for (const id of notice.hidden) this.#remember(id, { restricted: true, until })
    for (const id of notice.revealed) this.#remember(id, { restricted: false, until })
  }

  /** True if the frame's topic is the one that its channel has left. */
  isStale({ topic, channel_id }: Frame): boolean {
    const move = channel_id === undefined ? undefined : this.#moves.get(channel_id)
    if (channel_id === undefined || !move) return false
    if (move.until < this.now()) this.#moves.delete(channel_id)
    return topic.startsWith('channel:') !== move.restricted
  }

  /** The newest move comes last. */
  #remember(id: number, move: { restricted: boolean; until: number }): void {
    this.#moves.delete(id)
    this.#moves.set(id, move)
  }

  /** Most channels get no frame of their former topic, and a deleted one gets none at all. */
  #forgetOld(): void {
    for (const [id, { until }] of this.#moves) {
      if (until >= this.now()) return
      this.#moves.delete(id)
    }
  }
}
