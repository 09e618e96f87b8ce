import type { Sql } from '../../database/database.ts'
import type { Parts } from '../../parts.ts'
import { Problem } from '../../core/errors.ts'

/** Who may register, the stricter the later. */
const MODES = ['open', 'invite', 'closed'] as const
type Mode = (typeof MODES)[number]

/**
 * Who may register: the stricter of the variable REGISTRATION and what an operator has chosen.
 * @returns what holds, and the two
 */
export async function registrationState({ environment, sql }: { environment: Parts['environment']; sql: Sql }) {
  const [row] = await sql<{ value: Mode }[]>`select value from installation_settings where name = 'registration'`
  const [configured, chosen] = [environment.REGISTRATION, row?.value ?? null]
  const rank = (mode: Mode) => MODES.indexOf(mode)
  const mode = chosen !== null && rank(chosen) > rank(configured) ? chosen : configured
  return { mode, configured, chosen }
}

/**
 * Applies who may register. `invite` demands the code of a live invite, which registering does not use up. Invites of
 * suspended accounts do not count: a suspended person could come back with their own invite.
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
