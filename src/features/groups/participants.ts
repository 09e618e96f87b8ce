import type { Transaction } from '../../database/database.ts'
import type { Emit, Notify } from '../../events/write.ts'
import { type Audience, topic } from '../../core/events.ts'
import { found, Problem } from '../../core/errors.ts'
import { type Channel, channelOf } from '../access/model.ts'
import { channelColumns, type ChannelRow } from '../access/channel-rows.ts'
import { sendNotice } from '../messages/notice.ts'
import { visibleChannel } from '../access/guard.ts'

/**
 * Locks one of the caller's groups: until the commit nothing is sent there and nobody joins or leaves.
 * @throws Problem `not_found`, `forbidden` for a channel of another type
 */
async function lockedGroup(sql: Transaction, id: number, me: number): Promise<ChannelRow> {
  const { type } = await visibleChannel(sql, id, me)
  if (type !== 'group') throw new Problem('forbidden', 'Only a group’s participants can change')
  await sql`select change_group(${id})`
  // Lock the channel before accounts, whose counts change. The deletion of a file used as its icon does the same.
  await sql`select 1 from channels where id = ${id} for no key update`
  return visibleChannel(sql, id, me)
}

/**
 * Publishes a group as it is now, and blanks earlier copies in the event log, because they may name former
 * participants.
 */
export async function emitGroup(
  sql: Transaction,
  emit: Emit,
  type: 'channel.created' | 'channel.updated',
  id: number,
  newcomer?: number,
): Promise<Channel> {
  await sql`update events set body = null where resource = ${`channel:${id}`} and body is not null`
  const [row] = await sql<ChannelRow[]>`select ${channelColumns(sql)} from channels c where id = ${id}`
  const group = channelOf(found(row))
  const isNew = (to: Audience) => to.user_id === newcomer
  const seers = topic.seers(found(row))
  emit(
    seers.filter((to) => !isNew(to)),
    type,
    group,
  )
  emit(seers.filter(isNew), 'channel.created', group)
  return group
}

/**
 * Locks the relations between each newcomer and everybody else, and the accounts, because their group counts change.
 * @param people all future participants, newcomers included
 * @throws Problem `not_found` when one does not exist, `cannot_contact` when a newcomer and another block each other
 */
export async function demandPeace(sql: Transaction, people: number[], newcomers = people): Promise<void> {
  await sql`select lock_pair(low, high) from (
    select one as low, other as high from unnest(${people}::bigint[]) one, unnest(${people}::bigint[]) other
    where one < other and (one = any(${newcomers}) or other = any(${newcomers})) order by one, other) pairs`
  const accounts = await sql`select 1 from users where id = any(${people}) and deleted_at is null
    order by id for no key update`
  if (accounts.length < people.length) throw new Problem('not_found')
  const blocks = await sql`select 1 from relations where low = any(${people}) and high = any(${people})
    and (low = any(${newcomers}) or high = any(${newcomers}))
    and (low_blocked_at is not null or high_blocked_at is not null) limit 1`
  if (blocks.length > 0) throw new Problem('cannot_contact')
}

/**
 * @throws Problem `cannot_contact` unless these accounts are friends of the caller. Call demandPeace first: it locks
 * them
 */
export async function demandFriends(sql: Transaction, me: number, others: number[]): Promise<void> {
  const friends = await sql`select 1 from relations_of
    where user_id = ${me} and other_id = any(${others}) and state = 'friends'`
  if (friends.length < others.length) throw new Problem('cannot_contact')
}

/**
 * Adds a friend of the caller to a group; does nothing if the friend is in it already.
 * @throws Problem `not_found`, `forbidden` for somebody who has left, unless the caller is the owner; `cannot_contact`
 * for an account that is not a friend, or if a block exists between it and a participant; `too_many_participants`,
 * `too_many_groups`
 */
export async function addParticipant(
  sql: Transaction,
  emit: Emit,
  notify: Notify,
  id: number,
  me: number,
  user_id: number,
): Promise<Channel> {
  const group = await lockedGroup(sql, id, me)
  if (group.participant_ids.includes(user_id)) return channelOf(group)
  await demandPeace(sql, [...group.participant_ids, user_id], [user_id])
  await demandFriends(sql, me, [user_id])
  const departures =
    await sql`delete from group_departures where channel_id = ${id} and user_id = ${user_id} returning 1`
  if (departures.length > 0 && group.owner_id !== me)
    throw new Problem('forbidden', 'Only the owner can add somebody who has left')
  await sql`insert into participants ${sql({ channel_id: id, user_id })}`
  // The new participant can read the history, which does not count as unread.
  await sql`insert into read_marks (user_id, channel_id, message_id)
    select ${user_id}, c.id, last_message_id(c) from channels c where c.id = ${id} and last_message_id(c) is not null`
  notify({ kind: 'participant_changed', channel_id: id, user_id, is_in: true })
  const updatedGroup = await emitGroup(sql, emit, 'channel.updated', id, user_id)
  await sendNotice(sql, emit, id, me, 'recipient_added', { user_id })
  return updatedGroup
}

/**
 * Removes a participant from a locked group. If the owner leaves, the longest-standing participant becomes the owner; a
 * group without participants is left to EmptyGroups.
 * @param by who removed the account, or the account itself if it left; named in a notice to the others. Without it, no
 * notice is posted
 * @throws Problem `not_found` if the account is not in the group
 */
export async function endParticipation(
  sql: Transaction,
  emit: Emit,
  notify: Notify,
  id: number,
  user_id: number,
  by?: number,
): Promise<void> {
  found((await sql`delete from participants where channel_id = ${id} and user_id = ${user_id} returning 1`)[0])
  await sql`insert into group_departures ${sql({ channel_id: id, user_id })} on conflict do nothing`
  await sql`delete from read_marks where channel_id = ${id} and user_id = ${user_id}`
  await sql`delete from notification_settings where channel_id = ${id} and user_id = ${user_id}`
  const cancelled = await sql<{ id: number }[]>`
    delete from scheduled_messages where author_id = ${user_id} and channel_id = ${id} returning id`
  for (const one of cancelled) emit(topic.user(user_id), 'scheduled.removed', { id: one.id, message_id: null })
  await sql`delete from saved_messages s using messages m
    where s.user_id = ${user_id} and m.id = s.message_id and m.channel_id = ${id}`
  // If the account rejoins later, it must not replay events of this participation.
  await sql`update events set body = null where user_id = ${user_id} and channel_id = ${id}`
  const updatedGroups = await sql`update channels c set owner_id = next.user_id, updated_at = now() from (
      select user_id from participants where channel_id = ${id}
      order by user_id <> (select owner_id from channels where id = ${id}), joined_at, user_id limit 1) next
    where c.id = ${id} returning 1`
  // Addressed to the user, not the channel: the account is no longer in it.
  emit(topic.user(user_id), 'channel.deleted', { id, server_id: null })
  notify({ kind: 'participant_changed', channel_id: id, user_id, is_in: false })
  if (updatedGroups.length === 0) return
  await emitGroup(sql, emit, 'channel.updated', id)
  if (by !== undefined) await sendNotice(sql, emit, id, by, 'recipient_removed', { user_id })
}

/**
 * Removes a participant from a group, or leaves it.
 * @throws Problem `not_found`; `forbidden` for removing others, unless the caller is the owner
 */
export async function removeParticipant(
  sql: Transaction,
  emit: Emit,
  notify: Notify,
  id: number,
  me: number,
  user_id: number,
): Promise<void> {
  const { owner_id } = await lockedGroup(sql, id, me)
  if (user_id !== me && owner_id !== me) throw new Problem('forbidden', 'Only the owner can remove others')
  await endParticipation(sql, emit, notify, id, user_id, me)
}
