import type { Database } from '../database/database.ts'

/** Events that carry an account's side of a dm: what is unread, and whether it is listed. */
const SIDES = ['message.created', 'message.deleted', 'channel.pruned', 'dm.read', 'dm.hidden']
const REQUESTS = ['message.created', 'dm.request']
const COUNTS = ['member.joined', 'member.updated', 'member.left']
/** Events that carry a profile, which clients keep. */
const PROFILES = ['member.joined', 'member.updated', 'friend.updated']
const MESSAGES = ['message.created', 'message.updated']

/**
 * The newest event after each of these, of its resource and of every other resource of which it carries a part. A newly
 * connected client has their state, and would take the older event for a newer one.
 * @param ids events that are delivered late
 */
export async function newerEvents(sql: Database, ids: number[]): Promise<number[]> {
  // Whatever was logged after an event comes from a transaction that is not older than `xmin_then`.
  const rows = await sql<{ id: number }[]>`
    select max(newer.id) as id from (select * from events where id = any(${ids})) e cross join lateral (
      select n.id, n.resource as part from events n
      where n.resource = e.resource and n.user_id is not distinct from e.user_id and n.id > e.id
      union all
      select n.id, 'side:' || n.channel_id from events n
      where e.type = any(${SIDES}) and e.server_id is null and n.user_id = e.user_id and n.xid >= e.xmin_then
        and n.channel_id = e.channel_id and n.type = any(${SIDES}) and n.id > e.id
      union all
      select n.id, 'request:' || n.channel_id from events n
      where e.type = any(${REQUESTS}) and e.server_id is null and n.user_id = e.user_id and n.xid >= e.xmin_then
        and n.channel_id = e.channel_id and n.type = any(${REQUESTS}) and n.id > e.id
      union all
      select n.id, 'count:' || n.server_id from events n
      where e.type = any(${COUNTS}) and n.server_id = e.server_id and n.xid >= e.xmin_then
        and n.user_id is null and n.type = any(${COUNTS}) and n.id > e.id
      union all
      select n.id, n.resource from events n
      where e.type = any(${MESSAGES}) and n.user_id is not distinct from e.user_id and n.id > e.id
        and n.resource in ('reactions:' || (e.body ->> 'id'), 'poll:' || (e.body ->> 'id'))
      union all
      select n.id, n.resource || ' ' || n.topic from events n
      where e.type = any(${PROFILES}) and n.topic = e.topic and n.id > e.id
        and n.resource = 'user:' || coalesce(e.body -> 'user' ->> 'id', e.body ->> 'user_id')
    ) newer group by e.user_id, newer.part`
  return rows.map(({ id }) => id)
}
