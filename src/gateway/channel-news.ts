import type { Sql } from '../database/database.ts'

/** Facts that decide whether a channel can have unread messages. */
export interface ChannelNews {
  channel_id: number
  /** Id of the newest message. */
  newest_id: number
  author_id: number
  /** Id of the newest message with a mention; 0 if there is none. */
  mention_id: number
}

/** Author id of system messages, which are never unread. */
export const NOBODY = 0

/** News of the servers' channels that contain messages, by channel. */
export async function newsOf(sql: Sql, serverIds: number[]): Promise<Map<number, ChannelNews>> {
  const rows = await sql<ChannelNews[]>`
    select c.id as channel_id, newest.id as newest_id, newest.author_id, greatest(
        (select max(mn.message_id) from mentions mn where mn.channel_id = c.id),
        (select max(m.id) from messages m where m.channel_id = c.id
          and (m.mention_everyone or m.mention_here or m.mention_role_ids <> '{}')), 0) as mention_id
    from channels c cross join lateral (
      select id, case kind when 'default' then author_id else ${NOBODY} end as author_id
      from messages where channel_id = c.id order by id desc limit 1) newest
    where c.server_id = any(${serverIds}) and c.type <> 'thread'`
  return new Map(rows.map((row) => [row.channel_id, row]))
}
