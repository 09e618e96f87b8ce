import { takesWrites } from '../../database/reach.ts'
import type { Parts } from '../../parts.ts'

const READY_SECONDS_MAX = 2

/** States of optional parts, which do not affect readiness. */
export interface OptionalStates {
  turn: () => string
  sfu: () => string
}

/** Checks that the database answers, accepts writes, and has space. */
export const databaseState = ({ sql, space }: Parts) =>
  Promise.race([
    takesWrites(sql).then(async (writes) => {
      if (!writes) return 'away' as const
      return (await space.isFull()) ? ('full' as const) : ('ok' as const)
    }),
    Bun.sleep(READY_SECONDS_MAX * 1000).then(() => 'away' as const),
  ]).catch(() => 'away' as const)

/** Checks that the object store answers and has space. */
export async function objectStoreState({ objects }: Parts) {
  // Check space first: a full store fails its probe too, but can still be read.
  if (await objects.isFull()) return 'full' as const
  return (await objects.isReady()) ? ('ok' as const) : ('away' as const)
}
