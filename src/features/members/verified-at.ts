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
