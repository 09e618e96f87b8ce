import type { Sql, Transaction } from '../../database/database.ts'
import { found, Problem } from '../../core/errors.ts'
import type { Me } from '../sessions/store.ts'
import { demandProof } from '../proof/proof.ts'

/** The class of advisory locks on an account's operator status. */
const STANDING_LOCKS = 7_201_509

/**
 * Demands that the caller's account is an operator, and that its session has proved itself.
 * @throws Problem `not_found` for everybody else, to hide the operator's page; `proof_required`
 */
export async function demandOperator(sql: Sql, me: Me): Promise<void> {
  const [operator] = await sql`select 1 from users u join sessions s on s.user_id = u.id
    where u.id = ${me.id} and s.id = ${me.session_id} and operator_since is not null and suspended_at is null`
  found(operator)
  await demandProof(sql, me)
}

/**
 * Locks an account's operator status until the commit. Take this lock before every other; a change of the status waits
 * until running acts have ended.
 */
export const shareStanding = (sql: Transaction, id: number): Promise<unknown> =>
  sql`select pg_advisory_xact_lock_shared(${STANDING_LOCKS}, hashint8(${id}))`

/** Waits until no act of the account, and none on it, is running. */
export const changeStanding = (sql: Transaction, id: number): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(${STANDING_LOCKS}, hashint8(${id}))`

/** @throws Problem `forbidden` if the account is an operator */
export async function demandNoOperator(sql: Transaction, id: number): Promise<void> {
  await shareStanding(sql, id)
  const [operator] = await sql`select 1 from users where id = ${id} and operator_since is not null`
  if (operator) throw new Problem('forbidden', 'Operators can only be changed from the command line')
}
