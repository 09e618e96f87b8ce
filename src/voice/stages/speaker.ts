import { Problem } from '../../core/errors.ts'
import type { Room, Seat } from '../seat.ts'
import { LISTENS } from '../sfu/peer-producers.ts'

/** Changes that a speaker may announce to a stage at once, and per second: each goes to all listeners. */
const CHANGES_AT_ONCE = 30
const CHANGES_PER_S = 2
/** A budget is full again after this time. */
const FULL_MS = (CHANGES_AT_ONCE / CHANGES_PER_S) * 1000

/** By account, so that a member who joins the same stage again has no fresh one. */
const budgets = new WeakMap<Room, Map<number, { left: number; at: number }>>()

/** Refuses a listener of a stage. @throws Problem `forbidden` */
export function demandSpeaker({ listens }: Pick<Seat, 'listens'>): void {
  if (listens) throw new Problem('forbidden', LISTENS)
}

type Charged = Pick<Seat, 'room' | 'user' | 'listens' | 'raised_at' | 'invited_at'>

/**
 * Charges a member of a stage for a change that everybody receives: a speaker, and a listener with a raised hand or an
 * invitation.
 * @param now ms
 * @throws Problem `rate_limited`
 */
export function chargeSpeaker({ room, user, listens, raised_at, invited_at }: Charged, now: number): void {
  if (!room.is_stage || (listens && raised_at === null && invited_at === null)) return
  const accounts = budgets.get(room) ?? new Map<number, { left: number; at: number }>()
  budgets.set(room, accounts)
  const { left, at } = accounts.get(user.id) ?? { left: CHANGES_AT_ONCE, at: now }
  const available = Math.min(CHANGES_AT_ONCE, left + (Math.max(0, now - at) / 1000) * CHANGES_PER_S)
  if (available < 1) throw new Problem('rate_limited', 'Too many changes for a stage', { retry_after: 1 })
  for (const [id, budget] of accounts) if (now - budget.at >= FULL_MS) accounts.delete(id)
  accounts.set(user.id, { left: available - 1, at: now })
}
