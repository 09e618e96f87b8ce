import type { Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { lockMessages } from '../access/place.ts'
import { countDown, emitReactions } from './react.ts'

/**
 * Removes a deleted account's reactions, and publishes the remaining ones.
 * @param count_max messages to lock at once
 * @returns the number of messages
 */
export async function eraseReactions(
  sql: Transaction,
  emit: Emit,
  user_id: number,
  count_max: number,
): Promise<number> {
  const rows = await sql<{ id: number }[]>`
    select distinct message_id as id from message_reactions where user_id = ${user_id} order by 1 limit ${count_max}`
  const ids = rows.map(({ id }) => id)
  const places = await lockMessages(sql, ids)
  const gone = await sql<{ message_id: number; emoji: string }[]>`
    delete from message_reactions where user_id = ${user_id} and message_id = any(${ids}) returning message_id, emoji`
  await countDown(sql, gone)
  for (const { id, ...place } of places) await emitReactions(sql, emit, id, place)
  return ids.length
}
