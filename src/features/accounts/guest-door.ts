import type { Sql } from '../../database/database.ts'
import { Problem } from '../../core/errors.ts'
import type { Parts } from '../../parts.ts'
import { registrationState } from './registration.ts'

type Installation = { environment: Parts['environment']; sql: Sql }

/** True if the installation lets guests in: by GUESTS, or else unless nobody may register. */
export async function areGuestsLetIn(parts: Installation): Promise<boolean> {
  const { GUESTS } = parts.environment
  if (GUESTS !== undefined) return GUESTS === 'on'
  return (await registrationState(parts)).mode !== 'closed'
}

/** @throws Problem `guests_closed` */
export async function demandGuestDoor(parts: Installation): Promise<void> {
  if (!(await areGuestsLetIn(parts))) throw new Problem('guests_closed')
}

/**
 * Demands that guests may become accounts. Those who came by an invite have shown one.
 * @throws Problem `forbidden` where nobody may register
 */
export async function admitClaim(parts: Installation): Promise<void> {
  const { mode } = await registrationState(parts)
  if (mode === 'closed') throw new Problem('forbidden', 'Registration is closed')
}
