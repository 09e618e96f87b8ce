import type { Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { topic } from '../../core/events.ts'
import { found } from '../../core/errors.ts'
import type { PublicUser } from '../../core/schema.ts'

/** Publishes an account's PublicUser to its servers, its friends and its conversations. */
export async function emitUserUpdated(sql: Transaction, emit: Emit, id: number): Promise<void> {
  const [row] = await sql<{ user: PublicUser }[]>`select public_user(u) as user from users u where id = ${id}`
  const servers = await sql<{ server_id: number }[]>`select server_id from members where user_id = ${id}`
  const others = await sql<{ id: number }[]>`
    select other_id as id from relations_of where user_id = ${id} and state = 'friends'
    union select other_id from participants where user_id = ${id}`
  const people = [{ id }, ...others].map((other) => topic.user(other.id))
  for (const to of [...people, ...servers.map((server) => topic.server(server.server_id))])
    emit(to, 'user.updated', found(row).user)
}
