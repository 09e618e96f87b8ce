import type { Frame } from '../core/events.ts'
import type { Database } from '../database/database.ts'
import { loggedFrames } from './event-log.ts'

/**
 * Events that are remembered: far more than what was delivered in another order than it was committed. A failover
 * loses the newest commits, so if the newest is there, all are.
 */
const KEPT_MAX = 1_024

/**
 * Remembers the events that this process delivered last, to find out after a failover whether the new primary has
 * them. The id is no proof, because the new primary may have given it to another event: each is remembered with
 * a digest of its text. 16 bytes an event.
 *
 * If this process has delivered nothing yet, nothing that it delivered is lost. If an event is gone or differs, all
 * clients start fresh, as also when it differs for another reason, such as a forwarded message that was deleted since.
 */
export class LogWitness {
  readonly #ids = new Float64Array(KEPT_MAX)
  readonly #digests = new Float64Array(KEPT_MAX)
  #count = 0

  /** Call with each frame that this process delivers. */
  readonly note = ({ s, text }: Pick<Frame, 's' | 'text'>): void => {
    if (s === undefined) return
    const at = this.#count++ % KEPT_MAX
    this.#ids[at] = s
    this.#digests[at] = Bun.hash.xxHash32(text)
  }

  /** True if the log has every remembered event as it was delivered, or emptied because its resource was deleted. */
  async isWhole(sql: Database): Promise<boolean> {
    const expected = new Map<number, number>()
    // The newest may be repeated: the follower delivers an event again.
    for (let at = 0; at < Math.min(this.#count, KEPT_MAX); at++)
      expected.set(this.#ids[at] as number, this.#digests[at] as number)
    if (expected.size === 0) return true
    const ids = [...expected.keys()]
    const frames = await loggedFrames(sql, sql`select * from events where id = any(${ids})`)
    for (const { s, text } of frames)
      if (s !== undefined && expected.get(s) === Bun.hash.xxHash32(text)) expected.delete(s)
    if (expected.size === 0) return true
    const emptied = await sql<{ id: number }[]>`
      select id from events where id = any(${[...expected.keys()]}) and body is null`
    return emptied.length === expected.size
  }
}
