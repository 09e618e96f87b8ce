import { type Audience, topic } from '../../core/events.ts'
import type { Permission } from '../../core/permissions.ts'
import type { Sql } from '../../database/database.ts'

/**
 * The topics of the bots of a server, or of those that hold a permission in the server. A server without bots pays one
 * look-up.
 */
export async function botsOf(sql: Sql, server_id: number, bit?: Permission): Promise<Audience[]> {
  const bots = await sql<{ id: number }[]>`
    select r.bot_id as id from roles r
    cross join lateral (select permissions from member_permissions mp
      where mp.server_id = r.server_id and mp.user_id = r.bot_id offset 0) mp
    where r.server_id = ${server_id} and r.bot_id is not null ${bit ? sql`and holds(mp.permissions, ${bit})` : sql``}`
  return bots.map(({ id }) => topic.user(id, { server_id }))
}

/** The topics of the bots that see a channel of a server and hold a permission there. */
export async function botsIn(sql: Sql, server_id: number, channel_id: number, bit: Permission): Promise<Audience[]> {
  const bots = await sql<{ id: number }[]>`
    select r.bot_id as id from roles r cross join lateral channel_access(${channel_id}, r.bot_id) ca
    where r.server_id = ${server_id} and r.bot_id is not null and can_view(ca.permissions)
      and holds(ca.permissions, ${bit})`
  return bots.map(({ id }) => topic.user(id, { server_id, channel_id }))
}
