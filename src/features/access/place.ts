import type { Sql, Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { type Audience, type Events, topic } from '../../core/events.ts'
import { found, Problem } from '../../core/errors.ts'
import { holds, type Permission } from '../../core/permissions.ts'
import { demand, demandSight } from './guard.ts'

type Message = Events['message.updated']

/** The channel of a message and its kind of place. */
export interface MessageLocation {
  kind: Message['kind']
  author_id: number
  /** The other account in a dm; null elsewhere. */
  recipient_id: number | null
  channel_id: number
  /** Null in a dm or group. */
  server_id: number | null
  restricted: boolean
  participant_ids: number[]
  /** The channel whose members see the message: for a thread, its parent. */
  audience_id: number
  is_thread: boolean
  /** True in a thread where only members with manage_threads may write. */
  locked: boolean
  /** Of a hidden post: the accounts that may read it; otherwise null. */
  moderator_ids: number[] | null
}

/** A MessageLocation with the caller's permissions in the channel. */
export interface MessagePlace extends MessageLocation {
  permissions: number
}

const commonColumns = (sql: Sql) =>
  sql`m.kind, m.author_id, m.recipient_id, m.channel_id, c.server_id, c.participant_ids, c.audience_id,
    audience_restricted(c) as restricted, c.type = 'thread' as is_thread, c.locked`

/** The columns of a MessageLocation, of one message `m` and its channel `c`. */
export const location = (sql: Sql) =>
  sql`${commonColumns(sql)},
    case when c.hidden then array_to_json(array(select thread_moderators(c))) end as moderator_ids`

/**
 * Locations of messages, in the order of their ids. Moderators are looked up once per hidden post.
 * @param where a condition on messages `m`
 */
export const selectLocations = (sql: Sql, where: ReturnType<Sql>) => sql<(MessageLocation & { id: number })[]>`
  with m as materialized (
    select m.id, m.kind, m.author_id, m.recipient_id, m.channel_id from messages m where ${where}
  ), post as materialized (
    select c.id, array_to_json(array(select thread_moderators(c))) as moderator_ids
    from channels c where c.hidden and c.id in (select channel_id from m)
  )
  select m.id, ${commonColumns(sql)}, post.moderator_ids
  from m join channels c on c.id = m.channel_id left join post on post.id = c.id order by m.id`

/** The audience of a message's events. In a hidden post, each account that may read it is notified by itself. */
export const seersOf = (place: MessageLocation): Audience[] =>
  place.moderator_ids ? moderatorTopics(place.moderator_ids, place) : topic.seers(place)

const moderatorTopics = (
  ids: number[],
  { server_id, audience_id }: Pick<MessageLocation, 'server_id' | 'audience_id'>,
) => ids.map((id) => topic.user(id, { ...(server_id === null ? {} : { server_id }), channel_id: audience_id }))

/** The audience of what happens in a channel of a server: in a hidden post, each account that may read it. */
export async function audienceOf(
  sql: Sql,
  channel: Pick<MessageLocation, 'server_id' | 'audience_id' | 'restricted' | 'participant_ids'> & {
    id: number
    hidden?: boolean | null | undefined
  },
): Promise<Audience[]> {
  if (!channel.hidden) return topic.seers(channel)
  const rows = await sql<{ user_id: number }[]>`
    select user_id from channels c cross join lateral thread_moderators(c) user_id where c.id = ${channel.id}`
  return moderatorTopics(
    rows.map(({ user_id }) => user_id),
    channel,
  )
}

/** Locks the posts that begin with these messages: before the messages, as a send and a deletion do. */
export const lockPosts = (sql: Transaction, messageIds: number[]) =>
  sql`select 1 from channels where first_message_id = any(${messageIds}) order by id for no key update`

/**
 * Locks messages of many channels in the same order as a single message's change: access to their channels in the order
 * of share_channel, then the messages.
 * @returns the locations of messages that still exist
 */
export async function lockMessages(sql: Transaction, ids: number[]): Promise<(MessageLocation & { id: number })[]> {
  await sql`select share_channel(c) from (select channels from channels
    where id in (select channel_id from messages where id = any(${ids}))
    order by array_position(array['group', 'dm'], type) nulls first, server_id, id) there (c)`
  await lockPosts(sql, ids)
  await sql`select 1 from messages where id = any(${ids}) order by id for update`
  return selectLocations(sql, sql`m.id = any(${ids})`)
}

/**
 * Finds a message through the account that asks for it.
 * @throws Problem `not_found` when the message does not exist or the account does not see its channel
 */
export async function messagePlace(sql: Sql, messageId: number, user_id: number): Promise<MessagePlace> {
  const [place] = await sql<MessagePlace[]>`
    select ${location(sql)}, ca.permissions
    from messages m join channels c on c.id = m.channel_id
    cross join lateral channel_access(m.channel_id, ${user_id}) ca
    where m.id = ${messageId}`
  demandSight(place?.permissions)
  return found(place)
}

/**
 * Locks access to the channel, and the accounts of caller, author and recipient, until the commit. Does not lock
 * anything in a channel that the caller does not see.
 */
async function lockAccess(sql: Transaction, messageId: number, user_id: number | null): Promise<void> {
  await sql`select share_channel(c) from messages m join channels c on c.id = m.channel_id
    where m.id = ${messageId} and (${user_id}::bigint is null
      or exists (select from channel_access(m.channel_id, ${user_id})))`
  await sql`select 1 from users u
    where u.id = ${user_id}::bigint or u.id in (
      select unnest(array[author_id, recipient_id]) from messages where id = ${messageId})
    order by u.id for key share`
}

/**
 * Locks an account that acts in a dm, because a deleted account keeps its side of the dm.
 * @throws Problem `token_revoked` if the account has been deleted since it was authenticated
 */
export async function demandLiving(sql: Transaction, user_id: number): Promise<void> {
  const [account] = await sql`select 1 from users where id = ${user_id} and deleted_at is null for key share`
  found(account, 'token_revoked')
}

/**
 * Locks the access to a message with lockAccess, then finds the message.
 * @throws Problem `not_found`, `token_revoked` in a dm for a caller who has been deleted meanwhile
 */
export async function lockedPlace(sql: Transaction, messageId: number, user_id: number): Promise<MessagePlace> {
  await lockAccess(sql, messageId, user_id)
  const place = await messagePlace(sql, messageId, user_id)
  if (place.recipient_id !== null) await demandLiving(sql, user_id)
  return place
}

/** lockedPlace for the operator, who may change every message. @throws Problem `not_found` */
export async function lockedLocation(sql: Transaction, messageId: number): Promise<MessageLocation> {
  await lockAccess(sql, messageId, null)
  return found((await selectLocations(sql, sql`m.id = ${messageId}`))[0])
}

/** @throws Problem `forbidden` for a notice, which the server wrote */
export function demandWritten({ kind }: Pick<Message, 'kind'>): void {
  if (kind !== 'default') throw new Problem('forbidden', 'This message is a notice and cannot be changed')
}

/**
 * For acts that need no permission of their own, such as joining a reaction or voting. A timeout forbids them, and so
 * does being held back; both remove add_reactions.
 * @throws Problem `missing_permission`
 */
export async function demandFree(sql: Sql, place: MessagePlace, user_id: number): Promise<void> {
  if (place.server_id === null || holds(place.permissions, 'add_reactions')) return
  const [limit] = await sql`
    select from member_permissions
    where server_id = ${place.server_id} and user_id = ${user_id} and (timed_out or held_back is not null)`
  if (limit) demand(place.permissions, 'add_reactions')
}

/** Publishes a message as it is now. @returns the message, as its author sees it */
export async function emitUpdated(
  sql: Transaction,
  emit: Emit,
  messageId: number,
  place: MessageLocation,
): Promise<Message> {
  const [row] = await sql<{ message: Message; received: Message | null }[]>`
    select message_json(m) as message,
      case when m.receipt_at is not null or m.recipient_id is not null and is_requested(m.recipient_id, m.channel_id)
        then message_json(m, m.recipient_id) end as received
    from messages m where id = ${messageId}`
  const { message, received } = found(row)
  const isReceiver = ({ user_id }: { user_id?: number }) => received !== null && user_id === place.recipient_id
  const { true: receivers = [], false: others = [] } = Object.groupBy(seersOf(place), (to) => `${isReceiver(to)}`)
  emit(others, 'message.updated', message)
  if (received) emit(receivers, 'message.updated', received)
  return message
}

/**
 * Changes a message or its files, and publishes the message.
 * @param work the change
 * @returns the message as it is now, as its author sees it
 * @throws Problem `not_found`, and what `work` throws
 */
export async function reworkMessage(
  sql: Transaction,
  emit: Emit,
  messageId: number,
  place: MessageLocation,
  work: () => Promise<void>,
): Promise<Message> {
  // Lock the row before the event gets its id, so that events of a message have the order of its changes.
  found((await sql`select 1 from messages where id = ${messageId} for update`)[0])
  await work()
  return emitUpdated(sql, emit, messageId, place)
}

/**
 * reworkMessage with a permission check.
 * @param bit the permission that the caller needs in the channel, besides seeing it
 * @throws Problem `not_found`, `missing_permission`, and what `work` throws
 */
export async function changeMessage(
  sql: Transaction,
  emit: Emit,
  messageId: number,
  user_id: number,
  bit: Permission | undefined,
  work: (place: MessagePlace) => Promise<void>,
): Promise<{ place: MessagePlace; message: Message }> {
  const place = await lockedPlace(sql, messageId, user_id)
  if (bit) demand(place.permissions, bit)
  return { place, message: await reworkMessage(sql, emit, messageId, place, () => work(place)) }
}
