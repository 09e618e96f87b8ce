import { found, Problem } from '../../core/errors.ts'
import type { Sql, Transaction } from '../../database/database.ts'
import { BatchJob } from '../../events/batch-job.ts'
import type { Emit, Notify } from '../../events/write.ts'
import type { Parts } from '../../parts.ts'
import { lockServer } from '../access/guard.ts'
import { audit } from '../audit/record.ts'
import { isForFew } from '../automod/rules.ts'
import { sendNotice } from '../messages/notice.ts'
import { announceMember } from './membership.ts'
import type { Raid } from './model.ts'
import type { StatusOf } from '../status/model.ts'
import { endQuarantines } from './verified-at.ts'

/** A quarantine by a raid ends after this time unless somebody decides before. */
const QUARANTINE_HOURS = 24
/** Joins are kept for this long; raids are counted over at most ten minutes. */
const JOIN_HOURS = 24
const PERIOD_MS = 60_000
const BATCH_MAX = 1000

/** The raid mode of a server, also where it has never been set. */
export async function selectRaid(sql: Sql, server_id: number): Promise<Raid> {
  const [raid] = await sql<Raid[]>`
    select ${server_id}::bigint as server_id, g.alert_channel_id, coalesce(g.raid_joins, 15) as raid_joins,
      coalesce(g.raid_seconds, 30) as raid_seconds, coalesce(g.raid_minutes, 30) as raid_minutes,
      case when g.until > now() then g.until end as until, case when g.until > now() then g.since end as since,
      (select count(*)::int from quarantines q where q.server_id = ${server_id} and q.by_raid) as quarantined
    from (select) one left join raid_guards g on g.server_id = ${server_id}`
  return found(raid, 'internal')
}

/** @throws Problem `joining_paused` while the server is in raid mode */
export async function demandOpenDoor(sql: Sql, server_id: number): Promise<void> {
  const [guard] = await sql<{ left_s: number }[]>`
    select ceil(extract(epoch from until - now()))::int as left_s from raid_guards
    where server_id = ${server_id} and until > now()`
  if (guard) throw new Problem('joining_paused', undefined, { retry_after: guard.left_s })
}

/**
 * Counts a join, in its transaction.
 * @returns true if there are too many: call beginRaid after the commit
 */
export async function noteJoin(sql: Transaction, server_id: number, user_id: number): Promise<boolean> {
  const [guard] = await sql<{ raid_joins: number; raid_seconds: number }[]>`
    select raid_joins, raid_seconds from raid_guards where server_id = ${server_id} and alert_channel_id is not null`
  if (!guard) return false
  await sql`insert into server_joins values (${server_id}, ${user_id}, now())
    on conflict (server_id, user_id) do update set joined_at = excluded.joined_at`
  const [row] = await sql<{ count: number }[]>`select count(*)::int from server_joins
    where server_id = ${server_id} and joined_at > now() - ${guard.raid_seconds} * interval '1 second'`
  return (row?.count ?? 0) > guard.raid_joins
}

/**
 * Begins raid mode by itself: everybody who joined since the first join that counted is quarantined, nobody else joins,
 * and moderators are alerted. Does nothing if it has begun already, or if a moderator has ended it since these joins.
 */
export const beginRaid = (
  parts: Pick<Parts, 'write'>,
  server_id: number,
  user_id: number,
  statusOf: StatusOf,
): Promise<void> =>
  parts.write(async (sql, emit, notify) => {
    await lockServer(sql, server_id)
    const raid = await selectRaid(sql, server_id)
    if (raid.until !== null || raid.alert_channel_id === null) return
    const [first] = await sql<{ since: string; count: number }[]>`
      select min(joined_at) as since, count(*)::int as count from server_joins
      where server_id = ${server_id} and joined_at > now() - ${raid.raid_seconds} * interval '1 second'`
    if (!first || first.count <= raid.raid_joins) return
    await setRaid(sql, server_id, raid.raid_minutes, first.since)
    await sql`select change_access(${server_id})`
    const ids = await quarantineSince(sql, server_id, first.since)
    await announce(sql, emit, notify, server_id, ids, statusOf)
    const now = { raid_minutes: raid.raid_minutes, members: ids.length }
    await audit(sql, { server_id, actor_id: user_id, action: 'raid.began' }, ['server', server_id], null, now)
    if (!(await isForFew(sql, server_id, raid.alert_channel_id))) return
    await sql`select share_channel(c) from channels c where c.id = ${raid.alert_channel_id}`
    await sendNotice(sql, emit, raid.alert_channel_id, user_id, 'raid_alert', { count: ids.length, since: first.since })
  })

/** Pauses joining for some minutes from now. */
export async function setRaid(sql: Transaction, server_id: number, minutes: number, since: string): Promise<void> {
  await sql`insert into raid_guards (server_id, until, since)
    values (${server_id}, now() + ${minutes} * interval '1 minute', ${since}::timestamptz)
    on conflict (server_id) do update set until = excluded.until, since = excluded.since`
}

async function quarantineSince(sql: Transaction, server_id: number, since: string): Promise<number[]> {
  const members = await sql<{ user_id: number }[]>`
    insert into quarantines (server_id, user_id, until, by_raid)
    select mp.server_id, mp.user_id, now() + ${QUARANTINE_HOURS} * interval '1 hour', true
    from members m join member_permissions mp on mp.server_id = m.server_id and mp.user_id = m.user_id
    join users u on u.id = m.user_id
    where m.server_id = ${server_id} and m.joined_at >= ${since}::timestamptz and u.kind in ('person', 'guest')
      and not mp.is_owner and not holds(mp.base, 'administrator')
    on conflict (server_id, user_id) do nothing returning user_id`
  const ids = members.map((member) => member.user_id)
  await sql`update members m set held_back = 'quarantined', held_until = q.until,
      was_unverified = m.was_unverified or coalesce(m.held_back = 'unverified', false)
    from quarantines q
    where m.server_id = ${server_id} and m.user_id = any(${ids}) and q.server_id = m.server_id
      and q.user_id = m.user_id`
  return ids
}

/** Ends raid mode, and lets in who was quarantined by it. */
export async function endRaid(
  sql: Transaction,
  emit: Emit,
  notify: Notify,
  server_id: number,
  statusOf: StatusOf,
): Promise<number> {
  await sql`update raid_guards set until = null, since = null where server_id = ${server_id}`
  // Joins that led to this raid do not lead to the next one.
  await sql`delete from server_joins where server_id = ${server_id}`
  await sql`select change_access(${server_id})`
  const quarantines = await sql<{ user_id: number }[]>`
    delete from quarantines where server_id = ${server_id} and by_raid returning user_id`
  const endedIds = quarantines.map(({ user_id }) => user_id)
  const ids = await endQuarantines(sql, server_id, endedIds)
  await announce(sql, emit, notify, server_id, ids, statusOf)
  return ids.length
}

async function announce(
  sql: Transaction,
  emit: Emit,
  notify: Notify,
  server_id: number,
  ids: number[],
  statusOf: StatusOf,
): Promise<void> {
  for (const user_id of ids) await announceMember(sql, emit, { server_id, user_id }, statusOf(user_id))
  if (ids.length > 0) notify({ kind: 'access_changed', user_ids: ids })
}

/** Deletes counted joins that are too old to count. */
export class OldJoins extends BatchJob {
  constructor(parts: Pick<Parts, 'sql' | 'write' | 'log'>) {
    const isOld = (sql: Sql) => sql`joined_at < now() - ${JOIN_HOURS} * interval '1 hour'`
    super(parts, {
      name: 'old_joins',
      periodMs: PERIOD_MS,
      batchesMax: 100,
      due: (sql) => sql`select from server_joins where ${isOld(sql)}`,
      batch: async (sql) => {
        const rows = await sql`delete from server_joins where (server_id, user_id) in (
          select server_id, user_id from server_joins where ${isOld(sql)} limit ${BATCH_MAX}) returning 1`
        return rows.length === BATCH_MAX
      },
    })
  }
}
