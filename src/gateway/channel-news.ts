import type { Sql } from '../database/database.ts'

/** What decides whether a channel can hold anything unread. */
export interface ChannelNews {
  channel_id: number
  /** The newest message. */
  newest_id: number
  author_id: number
  /** The newest message that mentions anybody; 0: there is none. */
  mention_id: number
}

/** Stands for the author of a message that tells of an event: it is never unread. */
export const NOBODY = 0

/** The news of the channels of servers, by channel; of those that hold messages. */
export async function newsOf(sql: Sql, server_ids: number[]): Promise<Map<number, ChannelNews>> {
  const rows = await sql<ChannelNews[]>`
    select c.id as channel_id, newest.id as newest_id, newest.author_id, greatest(
        (select max(mn.message_id) from mentions mn where mn.channel_id = c.id),
        (select max(m.id) from messages m where m.channel_id = c.id
          and (m.mention_everyone or m.mention_here or m.mention_role_ids <> '{}')), 0) as mention_id
    from channels c cross join lateral (
      select id, case kind when 'default' then author_id else ${NOBODY} end as author_id
      from messages where channel_id = c.id order by id desc limit 1) newest
    where c.server_id = any(${server_ids}) and c.type <> 'thread'`
  return new Map(rows.map((row) => [row.channel_id, row]))
}
