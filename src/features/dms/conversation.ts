import type { Sql, Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { topic } from '../../core/events.ts'
import { found, Problem } from '../../core/errors.ts'
import { clearPictures } from '../files/access.ts'
import type { Conversation, DirectMessage } from './model.ts'

/** How many messages one transaction marks as read: it holds the conversation's lock for some 50 ms. */
const READ_BATCH_MAX = 1_000

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
    (select dm_json(d, p.user_id) from dm_messages d where d.id = p.last_message_id) as last_message
  from (${page}) p join users u on u.id = p.other_id order by p.last_message_id desc`

/** Calls `emit` for both people of a conversation, with each one's newest message and unread count. */
export async function eachSide(
  sql: Transaction,
  conversation_id: number,
  tell: (side: { user_id: number; last_message_id: number | null; unread_count: number }) => void,
): Promise<void> {
  const sides = await sql<{ user_id: number; last_message_id: number | null; unread_count: number }[]>`
    select user_id, unread_count, case when last_message_id > hidden_id then last_message_id end as last_message_id
    from participants where conversation_id = ${conversation_id} order by user_id`
  for (const side of sides) tell(side)
}

/** Publishes a direct message to both people. @returns the message as its sender sees it now */
export async function emitDmUpdated(sql: Transaction, emit: Emit, id: number): Promise<DirectMessage> {
  const [row] = await sql<{ message: DirectMessage; received: DirectMessage }[]>`
    select dm_json(d) as message, dm_json(d, d.recipient_id) as received from dm_messages d where id = ${id}`
  const { message, received } = found(row)
  emit(topic.user(message.sender_id), 'dm.updated', message)
  emit(topic.user(message.recipient_id), 'dm.updated', received)
  return message
}

/** How a message is read: without a receipt while the reader blocks the sender. */
const receipt = (sql: Transaction, me: number) => sql`case when exists (
  select from relations_of r where r.user_id = ${me} and r.other_id = sender_id and r.blocks)
  then 'infinity'::timestamptz end`

interface Marked {
  sender_id: number
  message_id: number
  read_at: string
  count: number
  /** The sender gets no receipt. */
  is_quiet: boolean
}

/**
 * Marks one message of the locked conversation as read; a message that is read already keeps its time.
 * @param me the recipient
 */
export async function markRead(sql: Transaction, emit: Emit, conversation_id: number, me: number, id: number) {
  const [marked] = await sql<Marked[]>`
    with marked as (
      update dm_messages set read_at = clock_timestamp(), receipt_at = ${receipt(sql, me)}
      where conversation_id = ${conversation_id} and recipient_id = ${me} and read_at is null and id = ${id}
      returning id, sender_id, read_at, receipt_at
    ), counted as (
      update participants p set unread_count = p.unread_count - (select count(*) from marked)
      where p.conversation_id = ${conversation_id} and p.user_id = ${me}
    )
    select sender_id, id as message_id, read_at, 1 as count, receipt_at is not null as is_quiet from marked`
  if (marked) await emitRead(sql, emit, conversation_id, me, marked, false)
}

/**
 * Marks the oldest unread messages of the locked conversation as read, at most READ_BATCH_MAX. Those that were read
 * without a receipt give one now, unless the sender is still blocked.
 * @param me the recipient
 * @param after the id after which to begin
 * @returns the id after which more may be unread; undefined when all are read
 */
export async function markAllRead(
  sql: Transaction,
  emit: Emit,
  conversation_id: number,
  me: number,
  after: number,
): Promise<number | undefined> {
  const own = sql`conversation_id = ${conversation_id} and recipient_id = ${me} and id > ${after}`
  const [marked] = await sql<Marked[]>`
    with reading as (
      select clock_timestamp()::timestamptz(3) as at, ${receipt(sql, me)} as receipt_at from (
        select other_id as sender_id from participants
        where conversation_id = ${conversation_id} and user_id = ${me}) other
    ), batch as (
      select id, was_read from (
        (select id, false as was_read from dm_messages where ${own} and read_at is null
          order by id limit ${READ_BATCH_MAX})
        union all
        (select id, true from dm_messages where ${own} and receipt_at = 'infinity'
            and (select receipt_at from reading) is null order by id limit ${READ_BATCH_MAX})
      ) oldest order by id limit ${READ_BATCH_MAX}
    ), marked as (
      update dm_messages d set read_at = coalesce(d.read_at, reading.at),
        receipt_at = case when batch.was_read then reading.at else reading.receipt_at end
      from batch, reading where d.id = batch.id returning d.id, d.sender_id, batch.was_read
    ), counted as (
      update participants p set unread_count = p.unread_count - (select count(*) from marked where not was_read)
      where p.conversation_id = ${conversation_id} and p.user_id = ${me}
    )
    select sender_id, max(id) as message_id, (select at from reading) as read_at, count(*)::int as count,
      (select receipt_at from reading) is not null as is_quiet from marked group by sender_id`
  if (!marked) return undefined
  await emitRead(sql, emit, conversation_id, me, marked, true)
  return marked.count < READ_BATCH_MAX ? undefined : marked.message_id
}

/** Publishes what was read, to the sender too unless it gets no receipt. */
async function emitRead(
  sql: Transaction,
  emit: Emit,
  conversation_id: number,
  me: number,
  { sender_id, message_id, read_at, is_quiet }: Marked,
  all: boolean,
): Promise<void> {
  const read = { sender_id, recipient_id: me, message_id, all, read_at }
  await eachSide(sql, conversation_id, ({ user_id, unread_count }) => {
    if (user_id === me || !is_quiet) emit(topic.user(user_id), 'dm.read', { ...read, unread_count })
  })
}
