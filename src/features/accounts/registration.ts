import type { Sql } from '../../database/database.ts'
import type { Parts } from '../../parts.ts'
import { Problem } from '../../core/errors.ts'

/** Registration modes, from the most open to the strictest. */
const MODES = ['open', 'invite', 'closed'] as const
type Mode = (typeof MODES)[number]

/**
 * The registration mode: the stricter of the variable REGISTRATION and the operator's choice.
 * @returns the effective mode, and both inputs
 */
export async function registrationState({ environment, sql }: { environment: Parts['environment']; sql: Sql }) {
  const [row] = await sql<{ value: Mode }[]>`select value from installation_settings where name = 'registration'`
  const [configured, chosen] = [environment.REGISTRATION, row?.value ?? null]
  const rank = (mode: Mode) => MODES.indexOf(mode)
  const mode = chosen !== null && rank(chosen) > rank(configured) ? chosen : configured
  return { mode, configured, chosen }
}

/**
 * Enforces the registration mode. `invite` requires the code of a live invite and does not use it up. Invites of
 * suspended accounts do not count, or a suspended person could return through their own invite.
 * @throws Problem `forbidden`
 */
export async function admitRegistration(parts: Parts, code: string | undefined): Promise<void> {
  const { mode } = await registrationState(parts)
  if (mode === 'open') return
  const [invite] =
    mode === 'invite'
      ? await parts.sql`select 1 from invites i join users creator on creator.id = i.creator_id
          where i.code = ${code ?? ''} and is_live(i) and creator.suspended_at is null`
      : []
  if (!invite) throw new Problem('forbidden', `Registration is ${mode}`)
}
