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

  /** @param now the time in milliseconds */
  constructor(private readonly now: () => number) {}

  note(notice: Notice): void {
    if (notice.kind === 'recheck_all') this.#moves.clear()
    if (notice.kind !== 'server_access_changed') return
    const until = this.now() + KEPT_MS
    for (const id of notice.hidden) this.#moves.set(id, { restricted: true, until })
    for (const id of notice.revealed) this.#moves.set(id, { restricted: false, until })
  }

  /** True if the frame's topic is the one that its channel has left. */
  isStale({ topic, channel_id }: Frame): boolean {
    const move = channel_id === undefined ? undefined : this.#moves.get(channel_id)
    if (channel_id === undefined || !move) return false
    if (move.until < this.now()) this.#moves.delete(channel_id)
    return topic.startsWith('channel:') !== move.restricted
  }
}
