import { createHash, randomBytes } from 'node:crypto'
import type { Sql, Transaction } from '../../database/database.ts'
import { found } from '../../core/errors.ts'
import { SecondStep } from '../accounts/sign-in.ts'
import type { Passkeys } from '../passkeys/ceremonies.ts'
import { methodsOf } from './factors.ts'

const PENDING_SECONDS = 300
const TRIES_MAX = 5
/** Pending logins per account; a further one ends the oldest. */
const PENDING_MAX = 50
const TOKEN_BYTES = 32

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** An identifier of the pending login for limits and challenges, which does not reveal the token. */
export const pendingName = (token: string): string => hashOf(token).toString('hex')

/** Begins a login that awaits a second factor. The caller has locked the account. @returns its token */
async function pendLogin(sql: Transaction, userId: number): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  await sql`delete from pending_logins where hash in (select hash from pending_logins
    where user_id = ${userId} order by expires_at desc offset ${PENDING_MAX - 1})`
  await sql`insert into pending_logins (hash, user_id, expires_at)
    values (${hashOf(token)}, ${userId}, now() + ${PENDING_SECONDS} * interval '1 second')`
  return token
}

/**
 * The second step that is required after an account's password or identity was right; undefined if none is. The caller
 * has locked the account.
 */
export async function secondStepOf(
  sql: Transaction,
  passkeys: Passkeys,
  userId: number,
): Promise<SecondStep | undefined> {
  const methods = await methodsOf(sql, passkeys, userId)
  return methods.length > 0 ? new SecondStep({ pending_token: await pendLogin(sql, userId), methods }) : undefined
}

export async function pendingAccount(sql: Sql, token: string): Promise<number> {
  const [row] = await sql<{ user_id: number }[]>`select user_id from pending_logins
    where hash = ${hashOf(token)} and expires_at > now() and tries < ${TRIES_MAX}`
  return found(row, 'login_expired').user_id
}

/** Counts an attempt of a pending login before it is checked. @returns the account. @throws Problem `login_expired` */
export async function countTry(sql: Sql, token: string): Promise<number> {
  const [row] = await sql<{ user_id: number }[]>`update pending_logins set tries = tries + 1
    where hash = ${hashOf(token)} and expires_at > now() and tries < ${TRIES_MAX} returning user_id`
  return found(row, 'login_expired').user_id
}

/** Ends a pending login, so that it opens only one session. @throws Problem `login_expired` */
export async function endPendingLogin(sql: Transaction, token: string): Promise<void> {
  const [row] = await sql`delete from pending_logins where hash = ${hashOf(token)} and expires_at > now() returning 1`
  found(row, 'login_expired')
}
