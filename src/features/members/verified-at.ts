import type { Sql } from '../../database/database.ts'

/**
 * When a member `m` with the account `u` is verified in the server `s`: now or earlier if it is, null if only a proven
 * address makes it so.
 */
export const verifiedAt = (sql: Sql) => sql`case s.verification
  when 'mail' then u.email_verified_at
  when 'account_minutes' then u.created_at + s.verification_minutes * interval '1 minute'
  when 'member_minutes' then m.joined_at + s.verification_minutes * interval '1 minute'
  else now() end`

/** True if a member is not verified. Of the same tables as verifiedAt. */
export const isUnverified = (sql: Sql) => sql`coalesce(${verifiedAt(sql)} > now(), true)`

/**
 * Ends quarantines of members `m`: who was not verified before goes on waiting for that.
 * @returns the accounts
 */
export async function endQuarantines(sql: Sql, serverId: number, userIds: number[]): Promise<number[]> {
  const waits = sql`m.was_unverified and ${isUnverified(sql)}`
  const members = await sql<{ user_id: number }[]>`
    update members m set held_back = case when ${waits} then 'unverified' end,
      held_until = case when ${waits} then ${verifiedAt(sql)} end, was_unverified = false
    from servers s, users u
    where m.server_id = ${serverId} and m.user_id = any(${userIds}) and m.held_back = 'quarantined'
      and s.id = m.server_id and u.id = m.user_id
    returning m.user_id`
  return members.map(({ user_id }) => user_id)
}
