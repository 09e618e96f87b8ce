import type { Sql, Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { topic } from '../../core/events.ts'
import { found } from '../../core/errors.ts'
import type { Permission } from '../../core/permissions.ts'
import { demand, demandSight } from '../servers/guard.ts'
import type { Message } from './model.ts'

/** Where a message is. */
interface MessageLocation {
  author_id: number
  channel_id: number
  server_id: number
  restricted: boolean
}

/** The same, with the caller's permissions in the channel. */
export interface MessagePlace extends MessageLocation {
  permissions: number
}

/**
 * Finds a message through the account that asks for it.
 * @throws Problem `not_found` when the message does not exist or the account does not see its channel
 */
export async function messagePlace(sql: Sql, message_id: number, user_id: number): Promise<MessagePlace> {
  const [place] = await sql<MessagePlace[]>`
    select m.author_id, m.channel_id, c.server_id, c.restricted, cp.permissions
    from messages m join channels c on c.id = m.channel_id
    join channel_permissions cp on cp.channel_id = m.channel_id and cp.user_id = ${user_id}
    where m.id = ${message_id}`
  demandSight(place?.permissions)
  return found(place)
}

/** Keeps access to the channel, and the accounts of caller and author, from changing until the commit. */
async function lockAccess(sql: Transaction, message_id: number, user_id: number | null): Promise<void> {
  await sql`select share_access(c.server_id) from messages m join channels c on c.id = m.channel_id
    where m.id = ${message_id}`
  await sql`select 1 from users
    where id in (${user_id}::bigint, (select author_id from messages where id = ${message_id}))
    order by id for key share`
}

/** Locks the access to a message with lockAccess, then finds the message. @throws Problem `not_found` */
export async function lockedPlace(sql: Transaction, message_id: number, user_id: number): Promise<MessagePlace> {
  await lockAccess(sql, message_id, user_id)
  return messagePlace(sql, message_id, user_id)
}

/**
 * lockedPlace for the operator, who may change every message.
 * @throws Problem `not_found`
 */
export async function lockedLocation(sql: Transaction, message_id: number): Promise<MessageLocation> {
  await lockAccess(sql, message_id, null)
  const [location] = await sql<MessageLocation[]>`select m.author_id, m.channel_id, c.server_id, c.restricted
    from messages m join channels c on c.id = m.channel_id where m.id = ${message_id}`
  return found(location)
}

/**
 * Changes a message or its files, and publishes the message.
 * @param work the change
 * @returns the message as it is now
 * @throws Problem `not_found`, and what `work` throws
 */
export async function reworkMessage(
  sql: Transaction,
  emit: Emit,
  message_id: number,
  location: MessageLocation,
  work: () => Promise<void>,
): Promise<Message> {
  // The row is locked before the event gets its id, so that a message's events have the order of its changes.
  found((await sql`select 1 from messages where id = ${message_id} for update`)[0])
  await work()
  const [row] = await sql<{ message: Message }[]>`
    select message_json(m) as message from messages m where id = ${message_id}`
  const { message } = found(row)
  emit(topic.channel({ ...location, id: location.channel_id }), 'message.updated', message)
  return message
}

/**
 * reworkMessage for a caller.
 * @param bit the permission that the caller needs in the channel, besides seeing it
 * @throws Problem `not_found`, `missing_permission`, and what `work` throws
 */
export async function changeMessage(
  sql: Transaction,
  emit: Emit,
  message_id: number,
  user_id: number,
  bit: Permission | undefined,
  work: (place: MessagePlace) => Promise<void>,
): Promise<{ place: MessagePlace; message: Message }> {
  const place = await lockedPlace(sql, message_id, user_id)
  if (bit) demand(place.permissions, bit)
  return { place, message: await reworkMessage(sql, emit, message_id, place, () => work(place)) }
}
