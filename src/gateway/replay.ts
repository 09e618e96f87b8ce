import type { Sql } from '../database/database.ts'
import { NeedsPrimary } from '../database/replicas.ts'
import { eventText } from '../core/events.ts'
import { holds } from '../core/permissions.ts'
import { loggedBody } from '../events/event-log.ts'
import type { Access } from './access.ts'
import { REPLAY_BYTES_MAX, REPLAY_EVENTS_MAX } from './model.ts'

/**
 * A replay starts this long before `s`, because events committed earlier may be published later. Must exceed
 * NoticeListener's STILL_MS_MAX: a node that has not read the log for that long delivers nothing.
 */
const REPLAY_MARGIN_S = 8

/** A position in the event log: everything from this transaction on, except what the snapshot already saw. */
export interface Mark {
  /** The newest event at this position. */
  s: number
  from_xid: string
  /** A pg_snapshot; absent when resuming from an `s`. */
  seen?: string
}

/** The mark of a snapshot of the database. */
export interface SnapshotMark extends Mark {
  seen: string
  /** When its transaction began, seconds since the epoch by the database's clock. */
  now_s: number
}

export interface LoggedEvent {
  id: number
  type: string
  server_id: number | null
  channel_id: number | null
  body: string
}

/** An event, and whether it is about a message in a post that is hidden now. */
type ReadEvent = LoggedEvent & { is_hidden: boolean }

/** The mark of the current transaction's snapshot. */
export async function markNow(sql: Sql): Promise<SnapshotMark> {
  const [mark] = await sql<SnapshotMark[]>`
    select max(id) as s, pg_snapshot_xmin(pg_current_snapshot())::text as from_xid,
      pg_current_snapshot()::text as seen, extract(epoch from now())::float8 as now_s from events`
  if (!mark) throw new Error('an aggregate returned no row')
  return mark
}

/** Transactions between the oldest running one and the newest that a mark names; a longer list would cost too much. */
const SPAN_MAX = 1_000

/**
 * The mark of the current transaction's snapshot on a standby. The standby's pg_current_snapshot() does not name the
 * running transactions: they would pass for seen, and their events would be lost. So a transaction above the oldest
 * running one passes for seen only if the snapshot has events of it.
 * @throws NeedsPrimary if these are too many, because one has been running for long
 */
export async function markOnStandby(sql: Sql): Promise<SnapshotMark> {
  const [row] = await sql<(Omit<SnapshotMark, 'seen'> & { to_xid: string; span: number; running: string })[]>`
    with own as materialized (
      select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as low,
        pg_snapshot_xmax(pg_current_snapshot())::text::bigint as high
    )
    select (select max(id) from events) as s, low::text as from_xid, high::text as to_xid, high - low as span,
      extract(epoch from now())::float8 as now_s,
      array_to_string(array(
        select n from generate_series(low, case when high - low <= ${SPAN_MAX} then high - 1 else low - 1 end) n
        where (select true from events e where e.xid = n::text::xid8 limit 1) is null), ',') as running
    from own`
  if (!row) throw new Error('a snapshot has an xmin')
  const { to_xid, span, running, ...mark } = row
  if (span > SPAN_MAX) throw new NeedsPrimary('A transaction has been running for long')
  return { ...mark, seen: `${mark.from_xid}:${to_xid}:${running}` }
}

/**
 * The marks of events that clients received last, by `s`. Unknown and expired events are left out.
 * @param windowS how long events can be resumed from, in seconds
 */
export async function marksAt(sql: Sql, newest: number[], windowS: number): Promise<Map<number, Mark>> {
  if (newest.length === 0) return new Map()
  const marks = await sql<Mark[]>`
    select e.id as s, coalesce((
      select least(earlier.xmin_then, e.xmin_then) from events earlier
      where earlier.id < e.id and earlier.created_at < e.created_at - ${REPLAY_MARGIN_S} * interval '1 second'
      order by earlier.id desc limit 1), '0'::xid8)::text as from_xid
    from events e where e.id = any(${newest}) and e.created_at > now() - ${windowS} * interval '1 second'
      -- A standby has no timeline to ask for: it only serves reads while it follows this one.
      and e.id >= (select resumable_from from event_log_origin
        where pg_is_in_recovery() or timeline is not distinct from log_timeline())`
  return new Map(marks.map((mark) => [mark.s, mark]))
}

/** Bytes of bodies read per call of eventsSince, for all readers together. */
const BODY_BYTES_MAX = 4 * REPLAY_BYTES_MAX

/** An account, and its position in the log. */
export interface Reader {
  access: Access
  mark: Mark
}

/**
 * The durable events since each reader's mark that its account may see now: the newest of each resource, in order.
 * @returns in the readers' order; undefined for a reader whose events exceed REPLAY_EVENTS_MAX or REPLAY_BYTES_MAX
 * @throws RangeError if the readers together exceed BODY_BYTES_MAX
 */
export async function eventsSince(sql: Sql, readers: Reader[]): Promise<(LoggedEvent[] | undefined)[]> {
  if (readers.length === 0) return []
  const selected = await selectSince(sql, readers)
  const fitting = selected.filter(({ fits, ids }) => fits && ids)
  const bytes = fitting.reduce((sum, reader) => sum + reader.bytes, 0)
  if (readers.length > 1 && bytes > BODY_BYTES_MAX) throw new RangeError(`${bytes} bytes of events`)
  const ids = [...new Set(fitting.flatMap((reader) => reader.ids))]
  const events = new Map<number, ReadEvent>()
  if (ids.length > 0)
    for (const event of await sql<ReadEvent[]>`
      select id, type, server_id, channel_id, ${loggedBody(sql)} as body, ${isInHiddenPost(sql)} as is_hidden
      from events e
      where id = any(${ids}) and body is not null and case when type like 'message.%' then not exists (
        -- Released threads have no parent; what the log has of their messages is blanked later.
        select from channels c where c.id = (body ->> 'channel_id')::bigint and c.type = 'thread'
          and c.parent_id is null) else true end`)
      events.set(event.id, event)
  return selected.map(({ fits, ids }, at) => {
    if (!fits) return undefined
    const seen = ids.flatMap((id) => events.get(id) ?? [])
    const access = readers[at]?.access
    return seen.filter(({ is_hidden, ...event }) => !is_hidden || (access && managesThreads(access, event)))
  })
}

/**
 * SQL for whether a logged event `e` has words of a hidden post, which only members with manage_threads read. A
 * deletion has none, and everybody forgets the message.
 */
export const isInHiddenPost = (sql: Sql) => sql`case when e.type like 'message.%' and e.type <> 'message.deleted'
  and e.server_id is not null then exists (select from channels post
    where post.id = (e.body ->> 'channel_id')::bigint and post.hidden) else false end`

const managesThreads = ({ servers }: Access, { server_id, channel_id }: LoggedEvent): boolean => {
  const channel = servers.find(({ id }) => id === server_id)?.channels.find(({ id }) => id === channel_id)
  return channel !== undefined && holds(channel.permissions, 'manage_threads')
}

/** For each reader, in order: the ids of its events, whether they fit the limits, and their bytes. */
async function selectSince(sql: Sql, readers: Reader[]): Promise<{ ids: number[]; fits: boolean; bytes: number }[]> {
  // Accounts with the same roles see the same channels, so each distinct list is sent once.
  const lists = [...new Set(readers.flatMap(({ access }) => access.servers.map(({ channels }) => channels)))]
  const numbers = new Map(lists.map((channels, list) => [channels, list]))
  const members = readers.flatMap(({ access }, at) => access.servers.map((server) => ({ at: at + 1, ...server })))
  const channels = lists.flatMap((list, number) => list.map((channel) => ({ list: number, ...channel })))
  return sql`
    with reader as (
      select * from unnest(${readers.map(({ access }) => access.user_id)}::bigint[],
        ${readers.map(({ mark }) => mark.from_xid)}::text[], ${readers.map(({ mark }) => mark.seen ?? '')}::text[])
        with ordinality as given (user_id, from_xid, seen, at)
    ), member as materialized (
      select * from unnest(${members.map(({ at }) => at)}::int[], ${members.map(({ id }) => id)}::bigint[],
        ${members.map(({ channels }) => numbers.get(channels) ?? 0)}::int[],
        ${members.map(({ permissions }) => permissions)}::bigint[]) as given (at, server_id, list, permissions)
    ), channel as materialized (
      select * from unnest(${channels.map(({ list }) => list)}::int[], ${channels.map(({ id }) => id)}::bigint[],
        ${channels.map(({ permissions }) => permissions)}::bigint[]) as given (list, id, permissions)
    ), logged as (
      select r.at, r.seen, r.user_id as reader_id, true as is_own, e.*
      from reader r cross join lateral (
        select id, xid, type, server_id, channel_id, resource, octet_length(body::text) as bytes from events
        where user_id = r.user_id and xid >= r.from_xid::xid8 and body is not null offset 0) e
      union all
      select r.at, r.seen, r.user_id as reader_id, false as is_own, e.*
      from member m join reader r using (at) cross join lateral (
        select id, xid, type, server_id, channel_id, resource, octet_length(body::text) as bytes from events
        where server_id = m.server_id and user_id is null and xid >= r.from_xid::xid8 and body is not null offset 0) e
    ), newest as (
      -- Since a snapshot, the first event of a dm's message stays beside a newer one: it alone tells of unread_count.
      select distinct on (l.at, l.resource, l.seen <> '' and l.server_id is null and l.type = 'message.created')
        l.at, l.id, l.bytes from logged l
      left join member m on m.at = l.at and m.server_id = l.server_id
      left join channel c on c.list = m.list and c.id = l.channel_id
      left join participants p
        on l.server_id is null and p.channel_id = l.channel_id and p.user_id = l.reader_id and p.is_open
      where (l.server_id is null or m.at is not null)
        and (l.channel_id is null or c.id is not null or p.channel_id is not null)
        and (l.type not like 'message.%' or holds(c.permissions, 'read_history') or p.channel_id is not null)
        and (l.type not like 'invite.%' or holds(m.permissions, 'manage_server'))
        and (l.type not like 'automod.%' or holds(m.permissions, 'manage_server'))
        and (l.type <> 'audit.created' or holds(m.permissions, 'view_audit_log'))
        -- With the name of a hidden post.
        and (not l.is_own or l.type <> 'thread.updated' or holds(c.permissions, 'manage_threads'))
        and (l.seen = '' or not pg_visible_in_snapshot(l.xid, l.seen::pg_snapshot))
      order by l.at, l.resource, l.seen <> '' and l.server_id is null and l.type = 'message.created', l.id desc
    ), total as (
      select at, count(*) <= ${REPLAY_EVENTS_MAX} and sum(bytes) <= ${REPLAY_BYTES_MAX} as fits,
        sum(bytes)::float8 as bytes from newest group by at
    )
    select coalesce(t.fits, true) as fits, coalesce(t.bytes, 0) as bytes,
      array(select n.id from newest n where t.fits and n.at = r.at order by n.id) as ids
    from reader r left join total t using (at) order by r.at`
}

/**
 * The readers for which events may have been logged since their marks, judged by account and servers only.
 * @param readers their marks must come from snapshots
 */
export async function withNews<R extends Reader>(sql: Sql, readers: R[]): Promise<R[]> {
  const marks = [...new Set(readers.map(({ mark }) => mark))]
  const rows = await sql<{ at: number; user_id: number | null; server_id: number | null }[]>`
    select mark.at - 1 as at, e.user_id, e.server_id
    from unnest(${marks.map(({ from_xid }) => from_xid)}::text[], ${marks.map(({ seen }) => seen ?? '')}::text[])
      with ordinality as mark (from_xid, seen, at)
    cross join lateral (select distinct user_id, server_id from events
      where xid >= mark.from_xid::xid8 and not pg_visible_in_snapshot(xid, mark.seen::pg_snapshot)) e`
  const newsByMark = Map.groupBy(rows, ({ at }) => marks[at])
  return readers.filter(({ mark, access }) => {
    const news = newsByMark.get(mark) ?? []
    const serverIds = new Set(access.servers.map(({ id }) => id))
    return news.some(({ user_id, server_id }) =>
      user_id === null ? server_id !== null && serverIds.has(server_id) : user_id === access.user_id,
    )
  })
}

/** The text of the event's frame, identical to the published one. */
export const textOf = (event: LoggedEvent): string => eventText(event.type, event.id, event.body)

/** The same for an event older than the connection's `ready`; the frame says so. */
export const replayedText = ({ type, id, body }: LoggedEvent): string =>
  `{"t":"${type}","s":${id},"replayed":true,"d":${body}}`
