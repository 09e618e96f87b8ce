import { takesWrites } from '../../database/reach.ts'
import type { Parts } from '../../parts.ts'

const READY_SECONDS_MAX = 2

/** The states of parts that the server is ready without. */
export interface OptionalStates {
  turn: () => string
  sfu: () => string
}

/** Whether the database answers, takes writes, and has space. */
export const databaseState = ({ sql, space }: Parts) =>
  Promise.race([
    takesWrites(sql).then(async (writes) => {
      if (!writes) return 'away' as const
      return (await space.isFull()) ? ('full' as const) : ('ok' as const)
    }),
    Bun.sleep(READY_SECONDS_MAX * 1000).then(() => 'away' as const),
  ]).catch(() => 'away' as const)

/** Whether the object store answers, and has space. */
export async function objectStoreState({ objects }: Parts) {
  // First: a store without space fails its probe too, and can still be read.
  if (await objects.isFull()) return 'full' as const
  return (await objects.isReady()) ? ('ok' as const) : ('away' as const)
}
