import { field } from '../../http/answers.ts'
import type { Caller } from '../../http/caller.ts'
import { found, Problem } from '../../core/errors.ts'
import type { Parts } from '../../parts.ts'
import { demandPassword } from '../accounts/limits.ts'
import { verifyPassword } from '../accounts/passwords.ts'
import { hasSecondFactor } from '../factors/factors.ts'
import type { Me } from '../sessions/store.ts'
import { provenUntil } from './proof.ts'

/**
 * Demands that the caller owns the account. If a second factor is on or there is no password, this session must have
 * proved itself; otherwise a proof or the password suffices. A password in the request must be right in any case.
 * @param name the password's field in the request
 * @returns the hash of the account's password; null if it has none
 * @throws Problem `proof_required`, `invalid_credentials`, `rate_limited`, `validation_failed` without a password
 */
export async function demandOwner(
  parts: Parts,
  caller: Caller,
  me: Me,
  name: string,
  password: string | undefined,
): Promise<string | null> {
  const { sql } = parts
  const [account] = await sql<{ password_hash: string | null }[]>`
    select password_hash from users where id = ${me.id} and deleted_at is null`
  const { password_hash } = found(account, 'token_revoked')
  const isProven = (await provenUntil(sql, me)) !== undefined
  if (!isProven && (password_hash === null || (await hasSecondFactor(sql, me.id)))) throw new Problem('proof_required')
  if (password !== undefined)
    await demandPassword(parts, caller, me.id, () => verifyPassword(password, password_hash ?? undefined))
  else if (!isProven) throw field(name, 'Is needed where this session is not proven')
  return password_hash
}
