import type { Sql, Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { topic } from '../../core/events.ts'
import { eachSide, lockPair } from '../dms/conversation.ts'
import { blankEvents, type DuePlace, oldMessages, releaseFiles } from './prune-messages.ts'

/** The conversations that hold messages older than the operator lets them be, the longest overdue first. */
export const dueConversations = (sql: Sql, days: number) => sql<DuePlace[]>`
  select id, overdue_s from (
    select c.id, extract(epoch from now() - ${days} * interval '1 day' - (
      select d.created_at from dm_messages d where d.conversation_id = c.id order by d.id limit 1))::float8 as overdue_s
    from conversations c
  ) kept where overdue_s > 0 order by overdue_s desc limit 1000`

/** As BATCH_MAX; less, since sends of the two wait, and each deletion updates both sides. */
export const DIRECT_BATCH_MAX = 100

/** As pruneChannel does for a channel. @returns how many messages were deleted */
export async function pruneConversation(sql: Transaction, emit: Emit, id: number, days: number): Promise<number> {
  const [pair] = await sql<{ low: number; high: number }[]>`select low, high from conversations where id = ${id}`
  if (!pair) return 0
  await lockPair(sql, [pair.low, pair.high])
  const messages: ReturnType<Sql> = sql`select id, created_at from dm_messages where conversation_id = ${id}`
  const ids = await oldMessages(sql, messages, days, DIRECT_BATCH_MAX)
  const newest_id = ids.at(-1)
  if (newest_id === undefined) return 0
  await releaseFiles(sql, sql`f.dm_message_id = any(${ids})`)
  await sql`delete from dm_messages where id = any(${ids})`
  await blankEvents(sql, 'dm', ids)
  await eachSide(sql, id, ({ user_id, ...side }) =>
    emit(topic.user(user_id), 'dm.pruned', {
      user_id: user_id === pair.low ? pair.high : pair.low,
      before_id: newest_id + 1,
      ...side,
    }),
  )
  return ids.length
}
