import type { Sql, Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { topic } from '../../core/events.ts'

/** Messages that one transaction deletes: it takes some 50 ms, and sends do not wait for it. */
export const BATCH_MAX = 500
/** Places that one look at the backlog finds. */
const PLACES_MAX = 1_000

/** A channel or conversation whose oldest message is older than it may be. */
export interface DuePlace {
  id: number
  /** How long ago the oldest message should have been deleted. */
  overdue_s: number
}

/** The days that messages of a channel `c` of a server `s` are kept; null: for ever. */
const daysOf = (sql: Sql, operator_days: number | undefined) =>
  sql`least(${operator_days ?? null}::int, s.message_retention_days, c.message_retention_days)`

/** The channels that hold messages older than they may be, the longest overdue first. */
export const dueChannels = (sql: Sql, operator_days: number | undefined) => sql<DuePlace[]>`
  select id, overdue_s from (
    select c.id, extract(epoch from now() - days * interval '1 day' - (
      select m.created_at from messages m where m.channel_id = c.id and m.id >= c.from_id
      order by m.id limit 1))::float8 as overdue_s
    from (
      select c.id, coalesce(c.pruned_before_id, 0) as from_id, ${daysOf(sql, operator_days)} as days
      from channels c left join servers s on s.id = c.server_id
    ) c where days is not null
  ) kept where overdue_s > 0 order by overdue_s desc limit ${PLACES_MAX}`

/**
 * The oldest messages up to the first that is young enough.
 * @param of a query for the `id` and the `created_at` of a place's messages
 */
export async function oldMessages(sql: Sql, of: ReturnType<Sql>, days: number, count_max: number): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    with oldest as (
      select id, created_at < now() - ${days} * interval '1 day' as is_due from (${of}) m order by id limit ${count_max}
    )
    select id from oldest
    where is_due and id < coalesce((select min(id) from oldest where not is_due), 9223372036854775807) order by id`
  return rows.map((row) => row.id)
}

/**
 * Prepares the files of messages that are about to be deleted with them: those that are somebody's avatar or a server's
 * icon stay, and the uploaders are locked, whose byte counts change.
 * @param theirs the condition for the files, as `f`
 */
export async function releaseFiles(sql: Transaction, theirs: ReturnType<Sql>): Promise<void> {
  // Locked before their uses are read, so that none becomes a picture in between.
  await sql`select count(*) from (select 1 from files f where ${theirs} order by f.id for update) locked`
  await sql`update files f set message_id = null, dm_message_id = null, ordinal = 0 where ${theirs} and (
    exists (select from users u where u.avatar_file_id = f.id)
    or exists (select from servers s where s.icon_file_id = f.id))`
  await sql`select 1 from users where id in (select f.uploader_id from files f where ${theirs})
    order by id for no key update`
}

/** Removes the content of deleted messages from the event log. @param kind the first part of their resource */
export const blankEvents = (sql: Transaction, kind: 'message' | 'dm', ids: number[]) =>
  sql`update events set body = null where resource in (select ${`${kind}:`} || id from unnest(${ids}::bigint[]) id)
    and body is not null`

/**
 * Deletes the oldest messages of a channel that are older than they may be, at most BATCH_MAX, with their files and
 * their content in the event log; publishes up to where.
 * @returns how many
 */
export async function pruneChannel(
  sql: Transaction,
  emit: Emit,
  channel_id: number,
  operator_days: number | undefined,
): Promise<number> {
  // Locks in the order of a message's deletion: access, the channel, its messages, their files.
  await sql`select share_access(server_id) from channels where id = ${channel_id}`
  // Index entries of deleted messages stay for a while: the scan begins behind them.
  const [channel] = await sql<{ server_id: number; restricted: boolean; from_id: number; days: number | null }[]>`
    select c.server_id, c.restricted, coalesce(c.pruned_before_id, 0) as from_id, ${daysOf(sql, operator_days)} as days
    from channels c left join servers s on s.id = c.server_id where c.id = ${channel_id} for no key update of c`
  if (!channel || channel.days === null) return 0
  const messages: ReturnType<Sql> = sql`select id, created_at from messages
    where channel_id = ${channel_id} and id >= ${channel.from_id}`
  const ids = await oldMessages(sql, messages, channel.days, BATCH_MAX)
  const newest_id = ids.at(-1)
  if (newest_id === undefined) return 0
  await sql`select count(*) from (select 1 from messages where id = any(${ids}) order by id for update) locked`
  await releaseFiles(sql, sql`f.message_id = any(${ids})`)
  await sql`delete from messages where id = any(${ids})`
  await blankEvents(sql, 'message', ids)
  const before_id = newest_id + 1
  await sql`update channels set newest_deleted_id = greatest(newest_deleted_id, ${newest_id}),
    pruned_before_id = greatest(pruned_before_id, ${before_id}) where id = ${channel_id}`
  emit(topic.channel({ ...channel, id: channel_id }), 'channel.pruned', { channel_id, before_id })
  return ids.length
}
