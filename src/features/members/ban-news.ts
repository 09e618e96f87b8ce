import { found } from '../../core/errors.ts'
import { topic } from '../../core/events.ts'
import type { PublicUser } from '../../core/schema.ts'
import type { Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'

/** Publishes a ban, or its end, to the bots of the server that may ban. A server without bots pays one look-up. */
export async function emitBan(
  sql: Transaction,
  emit: Emit,
  type: 'ban.created' | 'ban.deleted',
  { server_id, user_id }: { server_id: number; user_id: number },
): Promise<void> {
  const bots = await sql<{ id: number }[]>`
    select r.bot_id as id from roles r
    cross join lateral (select permissions from member_permissions mp
      where mp.server_id = r.server_id and mp.user_id = r.bot_id offset 0) mp
    where r.server_id = ${server_id} and r.bot_id is not null and holds(mp.permissions, 'ban_members')`
  if (bots.length === 0) return
  const [row] = await sql<{ user: PublicUser }[]>`
    select public_user(u) as user from users u where id = ${user_id}`
  const audience = bots.map(({ id }) => topic.user(id, { server_id }))
  emit(audience, type, { server_id, user: found(row).user })
}
