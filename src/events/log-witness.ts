import type { Frame } from '../core/events.ts'
import type { Database } from '../database/database.ts'
import { loggedFrames } from './event-log.ts'

/**
 * Number of remembered events. A failover loses the newest commits, so if the newest one is there, all are. Events may
 * be delivered out of commit order, but never by as many as this.
 */
const KEPT_MAX = 1_024

/**
 * Remembers the events that this process delivered last, to find out after a failover whether the new primary has
 * them. An id proves nothing by itself, because the new primary may have given it to another event. So each id is
 * remembered with a digest of the event's text: 16 bytes per event.
 *
 * A process that has delivered nothing yet has lost nothing. If an event is gone or differs, all clients start fresh.
 * That may also happen without a loss, for example if a forwarded message was deleted since.
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
    // An event may be remembered twice, because the log follower can deliver it again.
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
