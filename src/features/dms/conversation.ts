import type { Sql, Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { topic } from '../../core/events.ts'
import { found, Problem } from '../../core/errors.ts'
import { clearPictures } from '../files/access.ts'
import type { Conversation, DirectMessage } from './model.ts'

/** Where a direct message is: its conversation and its two people. */
interface Place {
  id: number
  conversation_id: number
  sender_id: number
  recipient_id: number
}

/**
 * Locks two people: until the commit no other transaction changes what is between them, and neither is deleted.
 * @param me the caller; absent for the operator
 * @throws Problem `token_revoked` when the caller has been deleted meanwhile
 */
export async function lockPair(sql: Transaction, [one, other]: [number, number], me?: number): Promise<void> {
  await sql`select lock_pair(${one}, ${other})`
  const people = await sql<{ id: number; lives: boolean }[]>`
    select id, deleted_at is null as lives from users where id in (${one}, ${other}) order by id for key share`
  if (me !== undefined && !people.find(({ id }) => id === me)?.lives) throw new Problem('token_revoked')
}

/**
 * Finds a direct message through one of its two people, and locks both with lockPair.
 * @param me the caller; absent for the operator, who may change every message
 * @throws Problem `not_found` when the message does not exist or is not the caller's, `token_revoked`
 */
export async function lockedMessage(sql: Transaction, id: number, me?: number): Promise<Place> {
  const look = () => sql<Place[]>`select id, conversation_id, sender_id, recipient_id from dm_messages
    where id = ${id} ${me === undefined ? sql`` : sql`and ${me} in (sender_id, recipient_id)`}`
  const { sender_id, recipient_id } = found((await look())[0])
  await lockPair(sql, [sender_id, recipient_id], me)
  const [place] = await look()
  return found(place)
}

/**
 * Deletes a locked direct message with its files, and its content in the event log; publishes this to both people.
 * @throws Problem `not_found` when it has just been deleted
 */
export async function removeDirectMessage(sql: Transaction, emit: Emit, { conversation_id, ...place }: Place) {
  const { id } = place
  await clearPictures(sql, emit, sql`f.dm_message_id = ${id}`)
  found((await sql`delete from dm_messages where id = ${id} returning 1`)[0])
  await sql`update events set body = null where resource = ${`dm:${id}`}`
  await eachSide(sql, conversation_id, ({ user_id, ...side }) =>
    emit(topic.user(user_id), 'dm.deleted', { ...place, ...side }),
  )
}

/** @throws Problem `cannot_contact` */
export async function demandContact(sql: Sql, sender_id: number, recipient_id: number): Promise<void> {
  const [row] = await sql<{ takes: boolean }[]>`select takes_dm(${sender_id}, ${recipient_id}) as takes`
  if (!row?.takes) throw new Problem('cannot_contact')
}

/**
 * The id of the caller's conversation with another.
 * @returns undefined when the two have never written to each other
 * @throws Problem `cannot_target_self`, `not_found` when there is no such account
 */
export async function conversationWith(sql: Sql, me: number, other: number): Promise<number | undefined> {
  if (me === other) throw new Problem('cannot_target_self')
  const [row] = await sql<{ conversation_id: number | null }[]>`
    select p.conversation_id from users u left join participants p on p.user_id = ${me} and p.other_id = u.id
    where u.id = ${other}`
  return found(row).conversation_id ?? undefined
}

/** Conversations of an account. @param page a query that selects rows of participants, ordered */
export const selectConversations = (sql: Sql, page: ReturnType<Sql>) => sql<Conversation[]>`
  select public_user(u) as user, p.unread_count,
    (select dm_json(d) from dm_messages d where d.id = p.last_message_id) as last_message
  from (${page}) p join users u on u.id = p.other_id order by p.last_message_id desc`

/** Calls `emit` for both people of a conversation, with each one's newest message and unread count. */
async function eachSide(
  sql: Transaction,
  conversation_id: number,
  tell: (side: { user_id: number; last_message_id: number | null; unread_count: number }) => void,
): Promise<void> {
  const sides = await sql<{ user_id: number; last_message_id: number | null; unread_count: number }[]>`
    select user_id, unread_count, case when last_message_id > hidden_id then last_message_id end as last_message_id
    from participants where conversation_id = ${conversation_id} order by user_id`
  for (const side of sides) tell(side)
}

/** Publishes a direct message to both people. @returns the message as it is now */
export async function emitDmUpdated(sql: Transaction, emit: Emit, id: number): Promise<DirectMessage> {
  const [row] = await sql<{ message: DirectMessage }[]>`
    select dm_json(d) as message from dm_messages d where id = ${id}`
  const { message } = found(row)
  for (const user_id of [message.sender_id, message.recipient_id]) emit(topic.user(user_id), 'dm.updated', message)
  return message
}

/**
 * Marks messages of the locked conversation as read; messages that are read already keep their time.
 * @param me the recipient
 * @param id one message; all of them when absent
 */
export async function markRead(sql: Transaction, emit: Emit, conversation_id: number, me: number, id?: number) {
  const [marked] = await sql<{ sender_id: number; message_id: number; read_at: string }[]>`
    with marked as (
      update dm_messages set read_at = (select clock_timestamp())
      where conversation_id = ${conversation_id} and recipient_id = ${me} and read_at is null
        ${id === undefined ? sql`` : sql`and id = ${id}`} returning id, sender_id, read_at
    ), counted as (
      update participants p set unread_count = p.unread_count - (select count(*) from marked)
      where p.conversation_id = ${conversation_id} and p.user_id = ${me}
    )
    select sender_id, max(id) as message_id, max(read_at) as read_at from marked group by sender_id`
  if (!marked) return
  await eachSide(sql, conversation_id, ({ user_id, unread_count }) =>
    emit(topic.user(user_id), 'dm.read', { ...marked, recipient_id: me, all: id === undefined, unread_count }),
  )
}
