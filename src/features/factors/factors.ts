import type { Caller } from '../../http/caller.ts'
import type { WindowPolicy } from '../../http/limits/limiter.ts'
import type { Sql, Transaction } from '../../database/database.ts'
import { Problem, type SecondFactorMethod } from '../../core/errors.ts'
import type { Parts } from '../../parts.ts'
import { sendsMail } from '../mail/outbox.ts'
import type { Passkeys } from '../passkeys/ceremonies.ts'
import type { FactorGiven } from './model.ts'
import { takeRecoveryCode } from './recovery-codes.ts'
import { stepOf, unseal } from './totp.ts'

/** Wrong codes per account, from all addresses: six digits are quickly guessed. */
const CODE_FAILURES: WindowPolicy = { name: 'second-factor', max: 20, windowS: 3600 }

export async function hasSecondFactor(sql: Sql, userId: number): Promise<boolean> {
  const [row] = await sql`select 1 from totp where user_id = ${userId} and confirmed_at is not null`
  return row !== undefined
}

/**
 * If mail is on, demands that the account's address is proven, because the first proof removes second factors that were
 * set up before it.
 * @throws Problem `email_unverified`
 */
export async function demandProvenAddress(sql: Sql, environment: Parts['environment'], userId: number): Promise<void> {
  if (!sendsMail(environment)) return
  const [row] = await sql`select 1 from users where id = ${userId} and email_verified_at is not null`
  if (!row) throw new Problem('email_unverified')
}

/** The second factors that the account can use; undefined if it needs none. */
export async function methodsOf(sql: Sql, passkeys: Passkeys, userId: number): Promise<SecondFactorMethod[]> {
  const [isUsable] = await sql<Record<SecondFactorMethod, boolean>[]>`select true as code,
    exists (select from recovery_codes where user_id = ${userId}) as recovery_code,
    exists (select from passkeys where user_id = ${userId}) and ${passkeys.isOn} as passkey
    from totp where user_id = ${userId} and confirmed_at is not null`
  if (!isUsable) return []
  return (['code', 'recovery_code', 'passkey'] as const).filter((method) => isUsable[method])
}

/** Accepts the current code of the account's authenticator app, once per time step. @throws Problem `invalid_code` */
export async function takeCode(
  sql: Transaction,
  key: string,
  userId: number,
  code: string,
  isConfirmed = true,
): Promise<void> {
  const [row] = await sql<{ secret: Uint8Array; last_step: number }[]>`select secret, last_step from totp
    where user_id = ${userId} and (confirmed_at is not null) = ${isConfirmed} for update`
  const secret = row && unseal(row.secret, key, userId)
  const step = row && secret && stepOf(secret, code, row.last_step)
  if (step === undefined) throw new Problem('invalid_code')
  await sql`update totp set last_step = ${step} where user_id = ${userId}`
}

/**
 * Accepts a code, a recovery code or a passkey of the account. The caller has locked the account.
 * @throws Problem `invalid_code`, `invalid_passkey`
 */
export async function takeFactor(
  sql: Transaction,
  { secrets }: Pick<Parts, 'secrets'>,
  passkeys: Passkeys,
  userId: number,
  purpose: Parameters<Passkeys['answer']>[2],
  factor: FactorGiven,
): Promise<void> {
  if (factor.passkey) return passkeys.answer(sql, userId, purpose, factor.passkey)
  if (factor.code !== undefined) return takeCode(sql, secrets.factors, userId, factor.code)
  if (!(await takeRecoveryCode(sql, userId, factor.recovery_code ?? ''))) throw new Problem('invalid_code')
}

/**
 * Runs `take` under the account's limit of wrong codes, which covers all addresses and logins. An attempt is counted
 * before it is checked, so that simultaneous attempts cannot exceed the limit; only wrong codes stay counted.
 * @throws Problem `rate_limited`, and what `take` throws
 */
export async function limitCodes<T>(
  { limits }: Pick<Parts, 'limits'>,
  caller: Caller,
  userId: number,
  take: () => Promise<T>,
): Promise<T> {
  const key = `id ${userId}`
  await limits.take(caller, CODE_FAILURES, key)
  let hasFailed = false
  try {
    return await take()
  } catch (error) {
    hasFailed = error instanceof Problem && error.code === 'invalid_code'
    throw error
  } finally {
    if (!hasFailed) await limits.giveBack(CODE_FAILURES, key)
  }
}

/** Removes the account's second factors and passkeys, and its pending logins. */
export async function removeFactors(sql: Transaction, userId: number): Promise<void> {
  await sql`delete from totp where user_id = ${userId}`
  await sql`delete from recovery_codes where user_id = ${userId}`
  await sql`delete from passkeys where user_id = ${userId}`
  await sql`delete from pending_logins where user_id = ${userId}`
}
