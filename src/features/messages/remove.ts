import type { Sql, Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { type Seen, topic } from '../../core/events.ts'
import { found } from '../../core/errors.ts'
import { clearPictures } from '../files/access.ts'
import { emitUpdated, type MessageLocation, selectLocations } from './place.ts'

/** Of a message that many have forwarded, so many forwards are published again; the others are right when next read. */
const FORWARDS_MAX = 200

/** Where messages of one channel are. */
type RemovalPlace = Seen & Pick<MessageLocation, 'channel_id' | 'recipient_id'>

/**
 * Deletes messages of one channel with their files, and their content in the event log; publishes the deletion.
 * @param place where the messages are; access to it is locked
 * @returns the ids of those that were there
 */
export async function removeMessages(
  sql: Transaction,
  emit: Emit,
  ids: number[],
  place: RemovalPlace,
): Promise<number[]> {
  const { channel_id } = place
  const theirs: ReturnType<Sql> = sql`select id from messages where channel_id = ${channel_id} and id = any(${ids})`
  // Locks in the order of a channel's deletion: the channel, then its messages,
  await sql`update channels set newest_deleted_id = greatest(newest_deleted_id, (select max(id) from (${theirs}) own))
    where id = ${channel_id}`
  const locked = await sql<{ id: number; goes: boolean }[]>`
    select id, id in (${theirs}) as goes from messages where id in (
      ${theirs} union (select id from messages where forwarded_id in (${theirs}) order by id limit ${FORWARDS_MAX}))
    order by id for update`
  const { true: going = [], false: forwards = [] } = Object.groupBy(locked, ({ goes }) => `${goes}`)
  const gone = going.map(({ id }) => id)
  // then their files.
  await clearPictures(sql, emit, sql`f.message_id = any(${gone})`)
  await sql`delete from messages where id = any(${gone})`
  await sql`update events set body = null where resource = any(${gone.flatMap((id) => [
    `message:${id}`,
    `reactions:${id}`,
  ])})`
  for (const id of gone)
    if (place.recipient_id === null) emit(topic.seers(place), 'message.deleted', { id, channel_id })
    else
      for (const { user_id, ...side } of await sidesOf(sql, channel_id))
        emit(topic.user(user_id, { channel_id }), 'message.deleted', { id, channel_id, ...side })
  const forward_ids = forwards.map(({ id }) => id)
  if (forward_ids.length > 0)
    for (const { id, ...where } of await selectLocations(sql, sql`m.id = any(${forward_ids}) order by m.id`))
      await emitUpdated(sql, emit, id, where)
  return gone
}

/**
 * The same for one message.
 * @param place where the message is; locked by lockedPlace or lockedLocation
 * @throws Problem `not_found` when it has just been deleted
 */
export async function removeMessage(sql: Transaction, emit: Emit, id: number, place: RemovalPlace): Promise<void> {
  found((await removeMessages(sql, emit, [id], place))[0])
}

/** Both sides of a dm: each one's newest message, if the conversation is not hidden, and its unread count. */
export const sidesOf = (sql: Transaction, channel_id: number) =>
  sql<{ user_id: number; last_message_id: number | null; unread_count: number }[]>`
    select user_id, unread_count, case when last_message_id > hidden_id then last_message_id end as last_message_id
    from participants where channel_id = ${channel_id} order by user_id`
