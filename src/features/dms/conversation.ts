import type { Sql, Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { topic } from '../../core/events.ts'
import { found, Problem } from '../../core/errors.ts'
import { bodiesWithMine } from '../reactions/mine.ts'

/**
 * Locks two accounts: until the commit no other transaction changes their relation or deletes either of them.
 * @param me one of the two: the caller
 * @throws Problem `token_revoked` when the caller has been deleted meanwhile
 */
export async function lockPair(sql: Transaction, me: number, other: number): Promise<void> {
  await sql`select lock_pair(${me}, ${other})`
  const people = await sql<{ id: number; lives: boolean }[]>`
    select id, deleted_at is null as lives from users where id in (${me}, ${other}) order by id for key share`
  if (!people.find(({ id }) => id === me)?.lives) throw new Problem('token_revoked')
}

/**
 * The channel of the caller's dm with another account.
 * @returns undefined if the two have never written to each other
 * @throws Problem `cannot_target_self`, `not_found` if there is no such account
 */
export async function conversationWith(sql: Sql, me: number, other: number): Promise<number | undefined> {
  if (me === other) throw new Problem('cannot_target_self')
  const [row] = await sql<{ channel_id: number | null }[]>`
    select p.channel_id from users u
    left join participants p on p.user_id = ${me} and p.other_id = u.id and p.is_open
    where u.id = ${other}`
  return found(row).channel_id ?? undefined
}

/** Conversations of an account, each as JSON. @param page a query that selects rows of participants, in order */
export async function selectConversations(sql: Sql, userId: number, page: ReturnType<Sql>): Promise<string[]> {
  const rows = await sql<{ head: string; newest: string }[]>`
  select '{"channel_id":' || p.channel_id || ',"user":' || public_user(u)
      || ',"unread_count":' || p.unread_count
      || ',"request":' || coalesce('"' || nullif(p.request, 'accepted') || '"', 'null') as head,
    coalesce(newest.body::text, 'null') as newest
  from (${page}) p join users u on u.id = p.other_id
  left join lateral (
    select wire.body from messages m cross join lateral message_wire(m, p.user_id) wire where m.id = p.last_message_id
  ) newest on true order by p.last_message_id desc`
  const newest = rows.map((row) => row.newest)
  const messages = await bodiesWithMine(sql, userId, newest)
  return rows.map(({ head }, at) => `${head},"last_message":${messages[at]}}`)
}

/** Moves the reader's mark of a dm forward again if the reader had moved it back. */
export async function endMovedBack(sql: Transaction, emit: Emit, channel_id: number, me: number): Promise<void> {
  const [mark] = await sql<{ channel_id: number; message_id: number }[]>`
    update read_marks set moved_back = false, message_id = greatest(message_id, (
      select last_message_id(c) from channels c where c.id = ${channel_id}))
    where user_id = ${me} and channel_id = ${channel_id} and moved_back returning channel_id, message_id`
  if (mark) emit(topic.user(me, { channel_id }), 'channel.read', mark)
}
