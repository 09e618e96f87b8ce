import type { Sql } from '../../adapters/database.ts'
import type { PublicUser } from '../../core/schema.ts'
import { SEARCH_RESULTS_MAX } from './model.ts'

/** Whether the trigram index knows the text: three letters or digits in a row. */
const hasTrigram = (q: string): boolean => /[\p{L}\p{N}]{3}/u.test(q)

/** Accounts that are looked through before an index is asked, which gathers all matches though twenty are enough. */
const LOOKED_THROUGH = 2000

/**
 * Accounts whose whole username, or part of whose display name, the text is: the username, then names that begin with
 * it, then names that hold it, until there are enough. What many names hold is found among the newest accounts; what
 * few hold, by an index. The order says nothing of which it was.
 */
export async function searchUsers(sql: Sql, user_id: number, q: string): Promise<PublicUser[]> {
  const key = sql`lower(${q})`
  const name = sql`lower(u.display_name)`
  const begins = sql`(${name} collate "C" >= ${key} and ${name} collate "C" < ${key} || chr(1114111))`
  const part = `%${q.replace(/[\\%_]/g, '\\$&')}%`
  const holds = sql`${name} like lower(${part}) and not ${begins}`
  const indexed = hasTrigram(q) ? sql`` : sql`and bigrams(${name}) @> bigrams(${key})`
  const newest = sql`select * from users order by id desc limit ${LOOKED_THROUGH}`
  const open = sql`u.deleted_at is null and not exists (
    select from relations_of r where r.user_id = ${user_id} and r.other_id = u.id and (r.blocks or r.is_blocked))`
  const others = sql`u.username <> ${key} and ${open} limit ${SEARCH_RESULTS_MAX}`
  const rows = await sql<{ user: PublicUser }[]>`
    select public_user(u) as user from users u where u.id in (
      (select u.id from users u where u.username = ${key} and ${open})
      union all (select u.id from users u where ${begins} and ${others})
      union all (select u.id from (${newest}) u where ${holds} and ${others})
      union all (select u.id from users u where u.id < (select min(id) from (${newest}) n) and ${holds} ${indexed}
        and ${others})
      limit ${SEARCH_RESULTS_MAX}
    ) order by ${name} collate "C", u.id`
  return rows.map((row) => row.user)
}
