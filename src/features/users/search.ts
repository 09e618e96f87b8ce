import type { Sql } from '../../database/database.ts'
import type { PublicUser } from '../../core/schema.ts'

/** Accounts whose whole username, or part of whose display name, is `q`; see SQL's `search_users`. */
export async function searchUsers(sql: Sql, userId: number, q: string): Promise<PublicUser[]> {
  const rows = await sql<{ user: PublicUser }[]>`select "user" from search_users(${userId}, ${q}) as "user"`
  return rows.map((row) => row.user)
}
