import { eventFrame } from '../core/contract.ts'
import type { Bus } from './bus.ts'
import type { Database } from './database.ts'

const RETRY_MS = 250
const EVENTS_MAX = 10_000

interface LogRow {
  id: number
  type: string
  topic: string
  body: string
}

/**
 * Mends what a lost connection leaves open: whether a write was committed, and so whether its events are due. When the
 * database is back, everything of the last moments is published again; clients expect repetition.
 * @param onTooMany called when that is more than can be repeated
 */
export function openTail(sql: Database, bus: Bus, onTooMany: () => void) {
  let mending = false
  let stopped = false

  async function mend(since: number): Promise<void> {
    for (;;) {
      if (stopped) return
      const rows = await recent(since).catch(() => undefined)
      if (rows === undefined) await Bun.sleep(RETRY_MS)
      else if (rows.length > EVENTS_MAX) return onTooMany()
      else return rows.forEach((row) => bus.publish(row.topic, eventFrame(row.type, row.id, row.body)))
    }
  }

  const recent = (since: number) => sql<LogRow[]>`
    select id, type, topic, body::text as body from events
    where created_at > ${new Date(since)} and body is not null order by id limit ${EVENTS_MAX + 1}`

  return {
    /** A write may or may not have been committed: publish what was, once that can be known. */
    uncertain() {
      if (mending) return
      mending = true
      // A statement runs for 30 s at most, so what is uncertain now was logged within this time.
      void mend(Date.now() - 35_000).finally(() => (mending = false))
    },
    stop: () => void (stopped = true),
  }
}
