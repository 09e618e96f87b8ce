import type { Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { topic } from '../../core/events.ts'
import { sidesOf } from './remove.ts'

/** Messages marked as read per transaction, which locks the dm for about 30 ms. */
const READ_BATCH_MAX = 500

/** Suppresses the read receipt while the reader blocks the sender, or has not accepted the request that the dm is. */
const receipt = (sql: Transaction, me: number, channel_id: number) => sql`case when exists (
  select from relations_of r where r.user_id = ${me} and r.other_id = author_id and r.blocks)
    or is_requested(${me}, ${channel_id})
  then 'infinity'::timestamptz end`

interface ReadResult {
  sender_id: number
  message_id: number
  read_at: string
  count: number
  /** The sender gets no receipt. */
  is_quiet: boolean
}

/**
 * Marks one message of the locked dm as read. A message that is read already keeps its time.
 * @param me the recipient
 */
export async function markRead(sql: Transaction, emit: Emit, channel_id: number, me: number, id: number) {
  const [result] = await sql<ReadResult[]>`
    with marked as (
      update messages set read_at = clock_timestamp(), receipt_at = ${receipt(sql, me, channel_id)}
      where channel_id = ${channel_id} and recipient_id = ${me} and read_at is null and id = ${id}
      returning id, author_id, read_at, receipt_at
    ), counted as (
      update participants p set unread_count = p.unread_count - (select count(*) from marked)
      where p.channel_id = ${channel_id} and p.user_id = ${me}
    )
    select author_id as sender_id, id as message_id, read_at, 1 as count, receipt_at is not null as is_quiet
    from marked`
  if (result) await emitRead(sql, emit, channel_id, me, result, false)
}

/**
 * Marks the oldest unread messages of the locked dm as read, at most READ_BATCH_MAX. Messages that were read without a
 * receipt send one now, unless the sender is still blocked.
 * @param me the recipient
 * @param after the id after which to begin
 * @param until the last id
 * @returns the id after which more may be unread; undefined when all are read
 */
export async function markAllRead(
  sql: Transaction,
  emit: Emit,
  channel_id: number,
  me: number,
  after: number,
  until = Number.MAX_SAFE_INTEGER,
): Promise<number | undefined> {
  const range = sql`channel_id = ${channel_id} and recipient_id = ${me} and id > ${after} and id <= ${until}`
  const [result] = await sql<ReadResult[]>`
    with reading as (
      select clock_timestamp()::timestamptz(3) as at, ${receipt(sql, me, channel_id)} as receipt_at from (
        select other_id as author_id from participants
        where channel_id = ${channel_id} and user_id = ${me}) other
    ), batch as (
      select id, was_read from (
        (select id, false as was_read from messages where ${range} and read_at is null
          order by id limit ${READ_BATCH_MAX})
        union all
        (select id, true from messages where ${range} and receipt_at = 'infinity'
            and (select receipt_at from reading) is null order by id limit ${READ_BATCH_MAX})
      ) oldest order by id limit ${READ_BATCH_MAX}
    ), marked as (
      update messages m set read_at = coalesce(m.read_at, reading.at),
        receipt_at = case when batch.was_read then reading.at else reading.receipt_at end
      from batch, reading where m.id = batch.id returning m.id, m.author_id, batch.was_read
    ), counted as (
      update participants p set unread_count = p.unread_count - (select count(*) from marked where not was_read)
      where p.channel_id = ${channel_id} and p.user_id = ${me}
    )
    select author_id as sender_id, max(id) as message_id, (select at from reading) as read_at, count(*)::int as count,
      (select receipt_at from reading) is not null as is_quiet from marked group by author_id`
  if (!result) return undefined
  await emitRead(sql, emit, channel_id, me, result, true)
  return result.count < READ_BATCH_MAX ? undefined : result.message_id
}

/** Publishes a read receipt to the reader, and to the sender unless the receipt is suppressed. */
async function emitRead(
  sql: Transaction,
  emit: Emit,
  channel_id: number,
  me: number,
  { sender_id, message_id, read_at, is_quiet }: ReadResult,
  all: boolean,
): Promise<void> {
  const event = { channel_id, sender_id, recipient_id: me, message_id, all, read_at }
  for (const { user_id, unread_count } of await sidesOf(sql, channel_id))
    if (user_id === me || !is_quiet) emit(topic.user(user_id, { channel_id }), 'dm.read', { ...event, unread_count })
}
