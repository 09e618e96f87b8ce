import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { signedIn } from '../sessions/identity.ts'
import type { Sessions } from '../sessions/store.ts'
import { demandOperator } from './standing.ts'

/** Acts, and lists that scan whole tables: stricter than the general limit. */
export const OPERATING: BucketPolicy = { name: 'operator', burst: 30, refill_per_s: 1 }

/** The plugin of the operator's routes: as signedIn, for operators whose session has proved itself. */
export const operating = (parts: Parts, sessions: Sessions) =>
  signedIn(parts, sessions, (me) => demandOperator(parts.sql, me))
