import { type Bus, settle } from './bus.ts'
import type { Database } from '../database/database.ts'
import { type Parcel, receiptsOf } from './notice-delivery.ts'
import { loggedFrames } from './event-log.ts'

/**
 * Acts on what other processes leave: begins in the order in which it was committed, and lets nothing wait for what
 * takes longer. Whatever follows an answer follows this node's receipt too; and one slow look must not hold up
 * everybody's writes.
 * @param connection by which the receipts go
 * @param begun when it may begin
 */
export function openActor(connection: Database, sql: Database, bus: Bus, begun: Promise<void>) {
  const underway = new Set<Promise<void>>()
  let turn = begun

  const framesOf = async (event_ids: number[]) =>
    event_ids.length === 0 ? [] : loggedFrames(sql, sql`select * from events where id = any(${event_ids})`)

  /** Resolves when a parcel has been acted on and confirmed. */
  async function act({ from, id, notices, event_ids }: Parcel): Promise<void> {
    const before = [...underway]
    const reading = framesOf(event_ids)
    const acting = Promise.all([reading, turn]).then(([frames]) => ({ done: settle(bus, notices, frames, 'deliver') }))
    const acted = acting.then(({ done }) => done)
    // After one that has failed everything begins anew.
    turn = acting.then(
      () => {},
      () => {},
    )
    underway.add(acted)
    await acted.finally(() => underway.delete(acted))
    // One with nothing in it asks whether all that came before has been acted on.
    if (notices.length === 0) await Promise.all(before)
    await connection`select pg_notify(${receiptsOf(from)}, ${id}::text || ' ' || pg_backend_pid())`
  }
  return {
    act,
    /** Resolves when everything that has come so far has been acted on. */
    settled: (): Promise<unknown> => Promise.all(underway),
  }
}
