import type { Sql, Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { topic } from '../../core/events.ts'
import type { ChannelRow } from '../access/channel-rows.ts'
import { blankEvents, sidesOf } from '../messages/remove.ts'

/** Messages per transaction, which takes about 50 ms and does not delay sends. */
export const BATCH_MAX = 500
/** Lower for a dm, because sends of the two wait and each deletion updates both sides. */
const DM_BATCH_MAX = 100
/** Channels per look at the backlog. */
const CHANNELS_MAX = 1_000

/** A channel with expired messages. */
export interface DueChannel {
  id: number
  /** How overdue the oldest message is. */
  overdue_s: number
}

/** The retention of a channel `c` in a server `s` (or none), in days; null: forever. */
const daysOf = (sql: Sql, operatorDays: number | undefined) =>
  sql`least(${operatorDays ?? null}::int, s.message_retention_days, c.message_retention_days, case c.type
    when 'thread' then (select p.message_retention_days from channels p where p.id = c.parent_id) end)`

/** Channels with expired messages, the most overdue first. */
export const dueChannels = (sql: Sql, operatorDays: number | undefined) => sql<DueChannel[]>`
  select id, overdue_s from (
    select c.id, extract(epoch from now() - days * interval '1 day' - (
      select m.created_at from messages m where m.channel_id = c.id and m.id >= c.from_id
      order by m.id limit 1))::float8 as overdue_s
    from (
      select c.id, coalesce(c.pruned_before_id, 0) as from_id, ${daysOf(sql, operatorDays)} as days
      from channels c left join servers s on s.id = c.server_id
    ) c where days is not null
  ) kept where overdue_s > 0 order by overdue_s desc limit ${CHANNELS_MAX}`

/**
 * The oldest messages, up to the first one that has not expired.
 * @param messages a query for the `id` and the `created_at` of a place's messages
 */
async function oldMessages(sql: Sql, messages: ReturnType<Sql>, days: number, countMax: number): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    with oldest as (
      select id, created_at < now() - ${days} * interval '1 day' as is_due from (${messages}) m
      order by id limit ${countMax}
    )
    select id from oldest
    where is_due and id < coalesce((select min(id) from oldest where not is_due), 9223372036854775807) order by id`
  return rows.map((row) => row.id)
}

/** True if a file `f` is an avatar, the icon of a server or group, or the picture of an event. */
export const isPicture = (sql: Sql) => sql`(exists (select from users u where u.avatar_file_id = f.id)
  or exists (select from servers s where s.icon_file_id = f.id)
  or exists (select from channels c where c.icon_file_id = f.id)
  or exists (select from event_images i where i.file_id = f.id))`

/**
 * Prepares the deletion of files with their messages: detaches avatars and icons, and locks the uploaders, whose byte
 * counts change.
 * @param condition the condition for the files, as `f`
 */
export async function releaseFiles(sql: Transaction, condition: ReturnType<Sql>): Promise<void> {
  // Lock the files before reading their uses, so that none becomes an avatar or icon in between.
  await sql`select count(*) from (select 1 from files f where ${condition} order by f.id for update) locked`
  await sql`update files f set message_id = null, ordinal = 0 where ${condition} and ${isPicture(sql)}`
  await sql`select 1 from users where id in (select f.uploader_id from files f where ${condition})
    order by id for no key update`
}

/**
 * Deletes the oldest expired messages of a channel, at most BATCH_MAX, with their files and their content in the event
 * log; publishes the last deleted id.
 * @returns true if the batch is full, so that more may be due
 */
export async function pruneChannel(
  sql: Transaction,
  emit: Emit,
  id: number,
  operatorDays: number | undefined,
): Promise<boolean> {
  // Locks in the order of a message's deletion: access, the channel, its messages, their files.
  await sql`select share_channel(c) from channels c where c.id = ${id}`
  type ChannelFields = Pick<ChannelRow, 'id' | 'type' | 'server_id' | 'restricted' | 'participant_ids' | 'audience_id'>
  // Start the scan after the last deletion, because index entries of deleted messages remain for a while.
  const [channel] = await sql<(ChannelFields & { from_id: number; days: number | null })[]>`
    select c.id, c.type, c.server_id, audience_restricted(c) as restricted, c.participant_ids, c.audience_id,
      coalesce(c.pruned_before_id, 0) as from_id, ${daysOf(sql, operatorDays)} as days
    from channels c left join servers s on s.id = c.server_id where c.id = ${id} for no key update of c`
  if (!channel || channel.days === null) return false
  const messages: ReturnType<Sql> = sql`select id, created_at from messages
    where channel_id = ${id} and id >= ${channel.from_id}`
  const batchMax = channel.type === 'dm' ? DM_BATCH_MAX : BATCH_MAX
  const ids = await oldMessages(sql, messages, channel.days, batchMax)
  const newestId = ids.at(-1)
  if (newestId === undefined) return false
  await sql`select count(*) from (select 1 from messages where id = any(${ids}) order by id for update) locked`
  await releaseFiles(sql, sql`f.message_id = any(${ids})`)
  await sql`delete from messages where id = any(${ids})`
  await blankEvents(sql, ids)
  const event = { channel_id: id, before_id: newestId + 1 }
  await sql`update channels set newest_deleted_id = greatest(newest_deleted_id, ${newestId}),
    pruned_before_id = greatest(pruned_before_id, ${event.before_id}) where id = ${id}`
  if (channel.type !== 'dm') emit(topic.seers(channel), 'channel.pruned', event)
  else
    for (const { user_id, ...side } of await sidesOf(sql, id))
      emit(topic.user(user_id, { channel_id: id }), 'channel.pruned', { ...event, ...side })
  return ids.length === batchMax
}
