import { Problem } from '../../core/errors.ts'
import type { Seat } from '../seat.ts'
import { LISTENS } from '../sfu/peer-producers.ts'

/** Changes that a speaker may announce to a stage at once, and per second: each goes to all listeners. */
const CHANGES_AT_ONCE = 30
const CHANGES_PER_S = 2

const budgets = new WeakMap<Seat, { left: number; at: number }>()

/** Refuses a listener of a stage. @throws Problem `forbidden` */
export function demandSpeaker({ listens }: Pick<Seat, 'listens'>): void {
  if (listens) throw new Problem('forbidden', LISTENS)
}

/**
 * Charges a speaker of a stage for a change that all listeners receive.
 * @param now ms
 * @throws Problem `rate_limited`
 */
export function chargeSpeaker(seat: Seat, now: number): void {
  if (!seat.room.is_stage || seat.listens) return
  const { left, at } = budgets.get(seat) ?? { left: CHANGES_AT_ONCE, at: now }
  const available = Math.min(CHANGES_AT_ONCE, left + (Math.max(0, now - at) / 1000) * CHANGES_PER_S)
  if (available < 1) throw new Problem('rate_limited', 'Too many changes for a stage', { retry_after: 1 })
  budgets.set(seat, { left: available - 1, at: now })
}
