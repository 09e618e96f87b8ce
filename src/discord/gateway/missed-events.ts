import type { Database } from '../../database/database.ts'
import { loggedBody } from '../../events/event-log.ts'
import { isInHiddenPost, marksAt } from '../../gateway/replay.ts'
import type { ParleyEvent } from './dispatch.ts'

const EVENTS_MAX = 10_000
const BYTES_MAX = 8 * 1024 * 1024

/** The position of a returning bot in the event log. */
export interface Position {
  user_id: number
  /** The newest event that it has received. */
  newest_id: number
  /** Events that it was sent: the newest ones, as far as they are known. */
  sent_ids: Pick<ReadonlySet<number>, 'has'> | undefined
  /** Since when it has been away. */
  seen_at: string
  /** Earlier events than this one are not considered, because it is unknown whether they were sent. */
  from_id: number
}

interface Row {
  id: number
  type: string
  topic: string
  body: string
  bytes: number
}

/**
 * The transaction from which to read the log for a bot that has received an event.
 * @returns undefined if later events may be gone from the log, or there was no such event
 */
async function positionOf(
  sql: Database,
  newest_id: number,
  seen_at: string,
  windowS: number,
): Promise<string | undefined> {
  const mark = (await marksAt(sql, [newest_id], windowS)).get(newest_id)
  if (mark) return mark.from_xid
  // In a quiet server, the newest event has left the log although the bot has missed nothing after it.
  const [log] = await sql<{ is_whole: boolean }[]>`
    select ${seen_at}::timestamptz > now() - ${windowS} * interval '1 second'
      and not exists (select from events where id <= ${newest_id})
      and ${newest_id} >= (
        select resumable_from from event_log_origin where timeline is not distinct from log_timeline()) - 1 as is_whole`
  return log?.is_whole ? '0' : undefined
}

/**
 * The events that a bot has missed and may see now, in order: every one, not just the newest of each resource, because
 * a bot acts on each. An event whose transaction committed later than those of greater ids is among them if the bot was
 * not sent it.
 * @param windowS how long events can be resumed from, in seconds
 * @param types of the events that are wanted
 * @returns undefined if there are too many, or the position is too old
 */
export async function missedEvents(
  sql: Database,
  { user_id, newest_id, sent_ids, seen_at, from_id }: Position,
  windowS: number,
  types: string[],
): Promise<ParleyEvent[] | undefined> {
  const fromXid = await positionOf(sql, newest_id, seen_at, windowS)
  if (fromXid === undefined) return undefined
  const rows = await sql<Row[]>`
    with logged as (
      select e.* from events e
      where e.user_id = ${user_id} and e.xid >= ${fromXid}::xid8 and e.body is not null
      union all
      select e.* from members m cross join lateral (
        select * from events where server_id = m.server_id and user_id is null
          and xid >= ${fromXid}::xid8 and body is not null offset 0) e
      where m.user_id = ${user_id}
    ), place as materialized (
      select c.channel_id, ca.permissions
      from (select distinct channel_id from logged where channel_id is not null) c
      cross join lateral channel_access(c.channel_id, ${user_id}) ca
    ), server as materialized (
      select mp.server_id, mp.permissions from members m
      cross join lateral (select * from member_permissions mp
        where mp.server_id = m.server_id and mp.user_id = m.user_id offset 0) mp
      where m.user_id = ${user_id}
    )
    select e.id, e.type, e.topic, ${loggedBody(sql)} as body,
      sum(octet_length(e.body::text)) over (order by e.id)::float8 as bytes
    from logged e left join place p using (channel_id)
    left join server s on s.server_id = e.server_id
    where e.id > ${from_id} and (e.id > ${newest_id} or ${sent_ids !== undefined})
      and e.type = any(${types})
      and (e.channel_id is null or can_view(p.permissions))
      and (e.type not like 'message.%' or holds(p.permissions, 'read_history'))
      and (holds(p.permissions, 'manage_threads') or not ${isInHiddenPost(sql)})
      and (e.type <> 'audit.created' or holds(s.permissions, 'view_audit_log'))
      and ((e.type not like 'invite.%' and e.type not like 'automod.%') or holds(s.permissions, 'manage_server'))
    order by e.id limit ${EVENTS_MAX + 1}`
  if (rows.length > EVENTS_MAX || (rows.at(-1)?.bytes ?? 0) > BYTES_MAX) return undefined
  return rows
    .filter(({ id }) => id > newest_id || !sent_ids?.has(id))
    .map(({ id, type, topic, body }): ParleyEvent => ({ type, s: id, topic, d: JSON.parse(body) }))
}
