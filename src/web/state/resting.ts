import { indexOf, PAGE, type Timeline } from './timeline.ts'

/** Messages that a place that is read at its end holds at most, once it has rested there. */
const RESTING_MAX = 2 * PAGE

/**
 * The oldest message to keep when messages far above the end are unloaded; undefined if there are few, or if a
 * requested page has to connect to them.
 * @param lineId the message above the "new" line, which stays
 */
export function oldestToKeep({ entries, meanwhile }: Timeline, lineId: number): number | undefined {
  if (meanwhile || entries.length <= RESTING_MAX) return undefined
  return entries[Math.min(entries.length - PAGE, Math.max(0, indexOf(entries, lineId) - 1))]?.id
}

/** Forgets the messages with smaller ids: they can be fetched again. */
export function forgetBefore(timeline: Timeline, id: number): void {
  const dropped = timeline.entries.splice(0, indexOf(timeline.entries, id))
  if (dropped.length > 0) timeline.atOldest = false
}
