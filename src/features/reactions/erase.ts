import type { Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { lockMessages } from '../access/place.ts'
import { countDown, emitReactions } from './react.ts'

/**
 * Removes a deleted account's reactions, and publishes the remaining ones.
 * @param countMax messages to lock at once
 * @returns the number of messages
 */
export async function eraseReactions(sql: Transaction, emit: Emit, userId: number, countMax: number): Promise<number> {
  const rows = await sql<{ id: number }[]>`
    select distinct message_id as id from message_reactions where user_id = ${userId} order by 1 limit ${countMax}`
  const ids = rows.map(({ id }) => id)
  const places = await lockMessages(sql, ids)
  const reactions = await sql<{ message_id: number; emoji: string }[]>`
    delete from message_reactions where user_id = ${userId} and message_id = any(${ids}) returning message_id, emoji`
  await countDown(sql, reactions)
  for (const { id, ...place } of places) await emitReactions(sql, emit, id, place)
  return ids.length
}
