import type { Sql } from '../database/database.ts'
import { eventText } from '../core/events.ts'
import { holds } from '../core/permissions.ts'
import type { Access } from './access.ts'
import { REPLAY_BYTES_MAX, REPLAY_EVENTS_MAX } from './model.ts'

/** A replay starts this long before `s`: what was committed earlier may have been published later. */
const REPLAY_MARGIN_S = 5

/** A place in the event log: everything from this transaction on, except what the snapshot already saw. */
export interface Mark {
  /** The newest event at that place. */
  s: number
  from_xid: string
  /** A pg_snapshot; absent when resuming from an `s`. */
  seen?: string
}

export interface LoggedEvent {
  id: number
  type: string
  server_id: number | null
  channel_id: number | null
  body: string
}

/** The mark of the current transaction's snapshot. */
export async function markNow(sql: Sql): Promise<Mark> {
  const [mark] = await sql<Required<Mark>[]>`
    select max(id) as s, pg_snapshot_xmin(pg_current_snapshot())::text as from_xid,
      pg_current_snapshot()::text as seen from events`
  if (!mark) throw new Error('an aggregate returned no row')
  return mark
}

/**
 * The mark of an event that a client has received.
 * @param window_s how long events can be resumed from, seconds
 * @returns undefined when the event is unknown or too old
 */
export async function markAt(sql: Sql, s: number, window_s: number): Promise<Mark | undefined> {
  const [mark] = await sql<Mark[]>`
    select e.id as s, coalesce((
      select least(earlier.xmin_then, e.xmin_then) from events earlier
      where earlier.id < e.id and earlier.created_at < e.created_at - ${REPLAY_MARGIN_S} * interval '1 second'
      order by earlier.id desc limit 1), '0'::xid8)::text as from_xid
    from events e where e.id = ${s} and e.created_at > now() - ${window_s} * interval '1 second'`
  return mark
}

/**
 * The durable events since the mark that the account may see now, only the newest of each resource, in order.
 * @returns undefined when they exceed REPLAY_EVENTS_MAX or REPLAY_BYTES_MAX
 */
export async function eventsSince(sql: Sql, mark: Mark, access: Access): Promise<LoggedEvent[] | undefined> {
  const visible = access.channels.map((channel) => channel.id)
  const readable = access.channels.filter((channel) => holds(channel.permissions, 'read_history'))
  const managed = access.servers.filter((server) => holds(server.permissions, 'manage_server'))
  const servers = access.servers.map((server) => server.id)
  const unseen = mark.seen ? sql`and not pg_visible_in_snapshot(xid, ${mark.seen}::text::pg_snapshot)` : sql``
  const rows = await sql<(LoggedEvent & { fits: boolean })[]>`
    with seen as (
      select id, xid, type, server_id, channel_id, resource, body from events
      where user_id = ${access.user_id} and xid >= ${mark.from_xid}::text::xid8
        and (server_id is null or server_id = any(${servers}))
      union all
      select id, xid, type, server_id, channel_id, resource, body from events
      where user_id is null and server_id = any(${servers}) and xid >= ${mark.from_xid}::text::xid8
        and (type not like 'message.%' or channel_id = any(${readable.map((channel) => channel.id)}))
        and (type not like 'invite.%' or server_id = any(${managed.map((server) => server.id)}))
    ), newest as (
      select distinct on (resource) id, type, server_id, channel_id, body::text as body from seen
      where body is not null and (channel_id is null or channel_id = any(${visible}) or exists (
        select from participants p
        where p.channel_id = seen.channel_id and p.user_id = ${access.user_id} and p.is_open))
        ${unseen}
      order by resource, id desc
    ), size as (
      select count(*) <= ${REPLAY_EVENTS_MAX} and coalesce(sum(octet_length(body)), 0) <= ${REPLAY_BYTES_MAX} as fits
      from newest
    )
    select newest.*, fits from size left join newest on fits order by id`
  if (!rows[0]?.fits) return undefined
  // With nothing to replay, the left join leaves one row that has `fits` and nothing else.
  return rows.filter((row) => row.id !== null)
}

/** The text of the event's frame, the same as when it was published. */
export const textOf = (event: LoggedEvent): string => eventText(event.type, event.id, event.body)
