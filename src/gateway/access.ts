import type { Sql } from '../database/database.ts'
import { topic } from '../core/events.ts'
import { holds } from '../core/permissions.ts'

/** What an account may see at one moment: the source of its subscriptions, its replay and its `ready`. */
export interface Access {
  user_id: number
  servers: { id: number; permissions: number }[]
  channels: { id: number; server_id: number; restricted: boolean; permissions: number }[]
}

/** Resolves through permissions_of, like everything else. */
export async function loadAccess(sql: Sql, user_id: number): Promise<Access> {
  const [servers, channels] = await Promise.all([
    sql<Access['servers']>`
      select server_id as id, permissions from member_permissions where user_id = ${user_id} order by server_id`,
    sql<Access['channels']>`
      select c.id, c.server_id, c.restricted, cp.permissions
      from channel_permissions cp join channels c on c.id = cp.channel_id
      where cp.user_id = ${user_id} and can_view(cp.permissions) order by c.server_id, c.position`,
  ])
  return { user_id, servers, channels }
}

/** The topics that follow from it. */
export function topicsOf({ user_id, servers, channels }: Access): Set<string> {
  const topics = new Set([topic.user(user_id).topic])
  for (const { id, permissions } of servers) {
    topics.add(topic.server(id).topic)
    if (holds(permissions, 'manage_server')) topics.add(topic.invites(id).topic)
  }
  for (const channel of channels) if (channel.restricted) topics.add(topic.channel(channel).topic)
  return topics
}
