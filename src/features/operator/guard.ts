import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { signedIn } from '../sessions/identity.ts'
import type { Sessions } from '../sessions/store.ts'
import { demandOperator } from './standing.ts'

/** Stricter than the general limit, for acts and for lists that scan whole tables. */
export const OPERATING: BucketPolicy = { name: 'operator', burst: 30, refillPerS: 1 }

/** The plugin of the operator's routes: signedIn, restricted to operators whose session has proved itself. */
export const operating = (parts: Parts, sessions: Sessions) =>
  signedIn(parts, sessions, (me) => demandOperator(parts.sql, me))
