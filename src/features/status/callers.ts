import type { Sql, Transaction } from '../../database/database.ts'
import { found } from '../../core/errors.ts'

/** The friends whose calls ring while the account does not want to be disturbed. */
export async function callersOf(sql: Sql, userId: number): Promise<{ user_ids: number[] }> {
  const rows = await sql<{ caller_id: number }[]>`
    select caller_id from dnd_callers where user_id = ${userId} order by caller_id`
  return { user_ids: rows.map(({ caller_id }) => caller_id) }
}

/**
 * Replaces them. Locks the account, as an end of a friendship does: the list never names anybody who is no friend.
 * @returns false if one of them is no friend, and nothing may be committed
 * @throws Problem `token_revoked`
 */
export async function chooseCallers(sql: Transaction, userId: number, callerIds: number[]): Promise<boolean> {
  const [account] = await sql`select 1 from users where id = ${userId} and deleted_at is null for no key update`
  found(account, 'token_revoked')
  await sql`delete from dnd_callers where user_id = ${userId}`
  const rows = await sql`
    insert into dnd_callers (user_id, caller_id) select ${userId}, other_id from relations_of
    where user_id = ${userId} and state = 'friends' and other_id = any(${callerIds})`
  return rows.count === callerIds.length
}

/** Takes two former friends off each other's list. */
export const forgetCaller = (sql: Transaction, one: number, other: number) =>
  sql`delete from dnd_callers
    where user_id = ${one} and caller_id = ${other} or user_id = ${other} and caller_id = ${one}`
