import { Problem } from '../../core/errors.ts'
import type { Room, Seat } from '../seat.ts'
import { HAND_MS, HANDS_MAX } from './model.ts'

/** Hands that a stage shows at once, and per second: each is an event for everybody who sees the stage. */
const HANDS_AT_ONCE = 20
const HANDS_PER_S = 2

type LastTimes = WeakMap<Room, Map<number, number>>

interface Budget {
  left: number
  at: number
}

const tooSoon = (ms: number): Problem =>
  new Problem('rate_limited', 'Too many raised hands', { retry_after: Math.max(1, Math.ceil(ms / 1000)) })

/** Limits of raised hands and invitations, which are announced to everybody who sees a stage. */
export class Hands {
  /** When each account last raised its hand, and was last invited, in a room, ms. Kept when it takes another seat. */
  readonly #raised: LastTimes = new WeakMap()
  readonly #invited: LastTimes = new WeakMap()
  readonly #budgets = new WeakMap<Room, Budget>()

  /**
   * Charges a raised hand.
   * @param now ms
   * @throws Problem `rate_limited` if too many are up, or were raised in a short time
   */
  take(seat: Seat, now: number): void {
    demandWait(this.#raised, seat, now)
    let up = 0
    for (const { raised_at } of seat.room.seats.values()) if (raised_at !== null) up++
    if (up >= HANDS_MAX) throw tooSoon(HAND_MS)
    this.#charge(seat.room, now)
    note(this.#raised, seat, now)
  }

  /** Charges an invitation. @throws Problem `rate_limited` if the listener was asked a moment ago */
  invite(seat: Seat, now: number): void {
    demandWait(this.#invited, seat, now)
    note(this.#invited, seat, now)
  }

  #charge(room: Room, now: number): void {
    const { left, at } = this.#budgets.get(room) ?? { left: HANDS_AT_ONCE, at: now }
    const available = Math.min(HANDS_AT_ONCE, left + (Math.max(0, now - at) / 1000) * HANDS_PER_S)
    if (available < 1) throw tooSoon(((1 - available) / HANDS_PER_S) * 1000)
    this.#budgets.set(room, { left: available - 1, at: now })
  }
}

function demandWait(lasts: LastTimes, { room, user }: Seat, now: number): void {
  const waitMs = (lasts.get(room)?.get(user.id) ?? -HAND_MS) + HAND_MS - now
  if (waitMs > 0 && waitMs <= HAND_MS) throw tooSoon(waitMs)
}

function note(lasts: LastTimes, { room, user }: Seat, now: number): void {
  const times = lasts.get(room) ?? new Map<number, number>()
  for (const [id, at] of times) if (now - at >= HAND_MS) times.delete(id)
  lasts.set(room, times.set(user.id, now))
}
