import type { Database, Sql } from '../database/database.ts'
import { topic } from '../core/events.ts'
import { holds } from '../core/permissions.ts'

/** What an account may see at one moment: its subscriptions, its replay and its `ready` follow from this. */
export interface Access {
  user_id: number
  servers: { id: number; permissions: number }[]
  /** The channels that the account sees. */
  channels: { id: number; server_id: number; restricted: boolean; permissions: number }[]
}

/** Runs reads in one transaction, so that they see the same snapshot of the database. */
export const consistentRead = <T>(sql: Database, read: (sql: Sql) => Promise<T>): Promise<T> =>
  sql
    .begin('isolation level repeatable read read only', async (tx) => ({ value: await read(tx) }))
    .then(({ value }) => value)

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

/** The topics that a socket with this access is subscribed to. */
export function topicsOf({ user_id, servers, channels }: Access): Set<string> {
  const topics = new Set([topic.user(user_id).topic])
  for (const { id, permissions } of servers) {
    topics.add(topic.server(id).topic)
    if (holds(permissions, 'manage_server')) topics.add(topic.invites(id).topic)
  }
  for (const channel of channels) if (channel.restricted) topics.add(topic.channel(channel).topic)
  return topics
}
