import { found } from '../../core/errors.ts'
import type { PublicUser } from '../../core/schema.ts'
import type { Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { botsOf } from '../access/bots.ts'

/** Publishes a ban, or its end, to the bots of the server that may ban. */
export async function emitBan(
  sql: Transaction,
  emit: Emit,
  type: 'ban.created' | 'ban.deleted',
  { server_id, user_id }: { server_id: number; user_id: number },
): Promise<void> {
  const bots = await botsOf(sql, server_id, 'ban_members')
  if (bots.length === 0) return
  const [row] = await sql<{ user: PublicUser }[]>`
    select public_user(u) as user from users u where id = ${user_id}`
  emit(bots, type, { server_id, user: found(row).user })
}
