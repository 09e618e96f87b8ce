import type { Sql } from '../../database/database.ts'
import type { PublicUser } from '../../core/schema.ts'

/** Accounts whose whole username or part of whose display name is `q`; see search_users in sql/0008_friends.sql. */
export async function searchUsers(sql: Sql, user_id: number, q: string): Promise<PublicUser[]> {
  const part = `%${q.replace(/[\\%_]/g, '\\$&')}%`
  const rows = await sql<{ user: PublicUser }[]>`
    select "user" from search_users(${user_id}, lower(${q}), lower(${part})) as "user"`
  return rows.map((row) => row.user)
}
