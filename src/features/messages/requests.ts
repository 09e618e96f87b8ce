import type { Sql, Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { type Events, topic } from '../../core/events.ts'

/**
 * Message requests: the first dm of a stranger waits until its recipient accepts it. `participants.request` is each
 * account's own; the sender's side never changes, so that a request looks like an unread dm. count_dm makes requests,
 * and accepts one that is answered.
 */

/** A request that changed, and whose it is. */
type Changed = Events['dm.request'] & { me: number }

/** Publishes the requests that changed, each to its own account. */
function emitRequests(emit: Emit, rows: Changed[]): void {
  for (const { me, ...d } of rows) emit(topic.user(me, { channel_id: d.channel_id }), 'dm.request', d)
}

const changed = (sql: Sql) =>
  sql`p.user_id as me, p.channel_id, p.other_id as user_id, nullif(p.request, 'accepted') as request`

/** Accepts or ignores a request of the locked pair. @returns false if there is none that is not accepted */
export async function answerRequest(
  sql: Transaction,
  emit: Emit,
  me: number,
  other: number,
  answer: 'accepted' | 'ignored',
): Promise<boolean> {
  const rows = await sql<Changed[]>`
    update participants p set request = ${answer} from (
      select channel_id, user_id from participants
      where user_id = ${me} and other_id = ${other} and request in ('waiting', 'ignored') for update) before
    where p.channel_id = before.channel_id and p.user_id = before.user_id returning ${changed(sql)}`
  emitRequests(emit, rows)
  return rows.length > 0
}

/** Two accounts are friends now: neither's messages wait any more. The caller has locked the pair. */
export async function acceptFriends(sql: Transaction, emit: Emit, one: number, other: number): Promise<void> {
  await answerRequest(sql, emit, one, other, 'accepted')
  await answerRequest(sql, emit, other, one, 'accepted')
}

/**
 * Somebody joins the call of a dm: that makes a request of a first call by a stranger, and accepts one's own.
 */
export async function noteCall(sql: Transaction, emit: Emit, channelId: number, me: number): Promise<void> {
  const rows = await sql<Changed[]>`
    update participants p set request = case p.user_id when ${me} then 'accepted' else 'waiting' end
    where p.channel_id = ${channelId} and case p.user_id when ${me} then p.request in ('waiting', 'ignored')
      else p.request is null and p.last_message_id is null and is_stranger(${me}, p.user_id) end
    returning ${changed(sql)}`
  emitRequests(emit, rows)
}
