import { createHash, randomBytes } from 'node:crypto'
import type { Sql, Transaction } from '../../database/database.ts'
import { found } from '../../core/errors.ts'
import { SecondStep } from '../accounts/sign-in.ts'
import type { Passkeys } from '../passkeys/ceremonies.ts'
import { methodsOf } from './factors.ts'

const PENDING_SECONDS = 300
const TRIES_MAX = 5
/** Of one account at once; a further one ends the oldest. */
const PENDING_MAX = 50
const TOKEN_BYTES = 32

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** The pending login's name in other places; it does not give the token away. */
export const pendingName = (token: string): string => hashOf(token).toString('hex')

/** Begins a login that awaits a second factor. The caller's transaction has locked the account. @returns its token */
async function pendLogin(sql: Transaction, user_id: number): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  await sql`delete from pending_logins where hash in (select hash from pending_logins
    where user_id = ${user_id} order by expires_at desc offset ${PENDING_MAX - 1})`
  await sql`insert into pending_logins (hash, user_id, expires_at)
    values (${hashOf(token)}, ${user_id}, now() + ${PENDING_SECONDS} * interval '1 second')`
  return token
}

/**
 * The second step that is due after an account's password or identity was right; undefined where it needs none. The
 * caller's transaction has locked the account.
 */
export async function secondStepOf(
  sql: Transaction,
  passkeys: Passkeys,
  user_id: number,
): Promise<SecondStep | undefined> {
  const methods = await methodsOf(sql, passkeys, user_id)
  return methods.length > 0 ? new SecondStep({ pending_token: await pendLogin(sql, user_id), methods }) : undefined
}

/** The account of a pending login. @throws Problem `login_expired` */
export async function pendingAccount(sql: Sql, token: string): Promise<number> {
  const [row] = await sql<{ user_id: number }[]>`select user_id from pending_logins
    where hash = ${hashOf(token)} and expires_at > now() and tries < ${TRIES_MAX}`
  return found(row, 'login_expired').user_id
}

/** Counts a try of a pending login, before it is judged. @returns the account. @throws Problem `login_expired` */
export async function countTry(sql: Sql, token: string): Promise<number> {
  const [row] = await sql<{ user_id: number }[]>`update pending_logins set tries = tries + 1
    where hash = ${hashOf(token)} and expires_at > now() and tries < ${TRIES_MAX} returning user_id`
  return found(row, 'login_expired').user_id
}

/** Ends a pending login: it leads to one session. @throws Problem `login_expired` */
export async function endPendingLogin(sql: Transaction, token: string): Promise<void> {
  const [row] = await sql`delete from pending_logins where hash = ${hashOf(token)} and expires_at > now() returning 1`
  found(row, 'login_expired')
}
