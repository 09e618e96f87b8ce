import type { Sql, Transaction } from '../../database/database.ts'
import { claim } from '../../database/job-lock.ts'
import type { Parts } from '../../parts.ts'
import { queueCalls, withdraw } from './outbox.ts'

/** Events per read of the log. */
const EVENTS_MAX = 2_000
/** A message must be unread for this time before a notice is sent. */
const UNREAD_SECONDS = 5
/** Places to keep in total; further ones get no notices. */
const PLACES_MAX = 100_000
/** Places per account; decisions.ts trims an account back to its share within minutes. */
const PLACES_PER_ACCOUNT_MAX = 400

interface Row {
  id: number
  xid: string
  type: string
  user_id: number | null
  message_id: number | null
  channel_id: number | null
}

/**
 * Finds events in the log that may deserve notices, so that sending a message costs nothing more. Reads nothing while
 * nobody has subscribed. Only one process reads.
 */
export class LogReader {
  constructor(private readonly sql: Parts['sql']) {}

  /** Reads on. @returns true if there is more to read at once */
  async read(): Promise<boolean> {
    const [state] = await this.sql<{ subscribed: boolean; reading: boolean }[]>`
      select exists (select from push_subscriptions) as subscribed, exists (select from push_position) as reading`
    if (!state?.subscribed && !state?.reading) return false
    return this.sql.begin(async (sql) => {
      if (!(await claim(sql, 'push'))) return false
      if (!state.subscribed) {
        await sql`delete from push_position where not exists (select from push_subscriptions)`
        return false
      }
      const [position] = await sql<{ xid: string; id: number }[]>`select xid, id from push_position`
      if (!position) {
        await sql`insert into push_position (xid, id) select pg_snapshot_xmin(pg_current_snapshot())::text, 0`
        return false
      }
      const rows = await eventsAfter(sql, position)
      const last = rows.at(-1)
      if (!last) return false
      await take(sql, rows)
      await sql`update push_position set xid = ${last.xid}, id = ${last.id}`
      return rows.length === EVENTS_MAX
    })
  }
}

const eventsAfter = (sql: Sql, position: { xid: string; id: number }) => sql<Row[]>`
  select e.id, e.xid::text as xid, e.type, e.user_id,
    case when e.type in ('message.created', 'message.deleted')
      then substr(e.resource, length('message:') + 1)::bigint end as message_id,
    case when e.type in ('channel.read', 'dm.read', 'call.ringing', 'call.ended', 'call.declined', 'channel.pruned_by')
      then (e.body->>'channel_id')::bigint end as channel_id
  from (select * from events where (xid, id) > (${position.xid}::text::xid8, ${position.id}::bigint)
    and xid < pg_snapshot_xmin(pg_current_snapshot()) order by xid, id limit ${EVENTS_MAX}) e order by xid, id`

async function take(sql: Transaction, rows: Row[]): Promise<void> {
  const idsOf = (type: string) => [...new Set(rows.flatMap((row) => (row.type === type && row.message_id) || []))]
  await noteMessages(sql, idsOf('message.created'))
  const deletedIds = idsOf('message.deleted')
  if (deletedIds.length > 0)
    await sql`update push_places set due_at = now() where told_id > 0 and told_id = any(${deletedIds})`
  const prunedIds = [...new Set(rows.flatMap((row) => (row.type === 'channel.pruned_by' && row.channel_id) || []))]
  if (prunedIds.length > 0)
    await sql`update push_places set due_at = now() where told_id > 0 and channel_id = any(${prunedIds})
      and not exists (select from messages where id = told_id)`
  for (const { type, user_id, channel_id } of rows) {
    if (user_id === null || channel_id === null) continue
    if (type === 'channel.read' || type === 'dm.read')
      await sql`update push_places set due_at = now()
        where user_id = ${user_id} and channel_id = ${channel_id} and told_id > 0`
    else if (type === 'call.ringing') await queueCalls(sql, user_id, channel_id)
    else if (!(await rings(sql, user_id, channel_id))) await withdraw(sql, { user_id, channel_id, is_call: true })
  }
}

/** True if a call rings an account now. `call.declined` goes to every participant, so check each. */
async function rings(sql: Sql, user_id: number, channel_id: number): Promise<boolean> {
  const [ring] = await sql`select 1 from call_rings where user_id = ${user_id} and channel_id = ${channel_id}`
  return ring !== undefined
}

/**
 * Schedules places of new messages for a decision once the messages have been unread long enough, for accounts with
 * subscriptions whose settings allow notices. The notice itself is decided then.
 */
async function noteMessages(sql: Transaction, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    with fresh as materialized (
      select m.channel_id, min(m.created_at) as at, array_agg(distinct m.author_id) as author_ids,
        array_agg(m.id) as ids,
        bool_or(m.mention_everyone or m.mention_here or m.mention_role_ids <> '{}') as calls
      from messages m where m.id = any(${ids}) and m.kind = 'default' and m.data ->> 'silent' is null
      group by m.channel_id
    ), seers as (
      select f.*, seer.user_id, seer.is_post from fresh f join channels c on c.id = f.channel_id cross join lateral (
        select p.user_id, false as is_post from participants p where c.server_id is null and p.channel_id = c.id
        union all
        select t.user_id, false from thread_followers t where c.type = 'thread' and t.channel_id = c.id
        union all
        select mem.user_id, false from members mem
          where c.type <> 'thread' and c.server_id is not null and mem.server_id = c.server_id
        union all
        select ns.user_id, true from notification_settings ns
          where c.first_message_id = any (f.ids) and ns.channel_id = c.parent_id and ns.level = 'all_posts'
            and not exists (select from thread_followers t where t.channel_id = c.id and t.user_id = ns.user_id)
      ) seer
      where exists (select from push_subscriptions s where s.user_id = seer.user_id)
        and f.author_ids <> array[seer.user_id]
    )
    insert into push_places as place (user_id, channel_id, due_at)
    select s.user_id, s.channel_id, s.at + ${UNREAD_SECONDS} * interval '1 second' from seers s
    where (s.calls or s.is_post or level_in(s.user_id, s.channel_id) = 'all' or exists (select from mentions mn
        where mn.channel_id = s.channel_id and mn.message_id = any (s.ids) and mn.user_id = s.user_id))
      and (exists (select from push_places own where own.user_id = s.user_id and own.channel_id = s.channel_id)
        or (select count(*) from (select from push_places limit ${PLACES_MAX}) kept) < ${PLACES_MAX}
        and (select count(*) from (select from push_places own where own.user_id = s.user_id
          limit ${PLACES_PER_ACCOUNT_MAX}) own) < ${PLACES_PER_ACCOUNT_MAX})
    on conflict (user_id, channel_id) do update
      set due_at = least(place.due_at, excluded.due_at), changed_at = now()`
}
