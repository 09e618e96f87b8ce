import type { Database, Sql } from '../database/database.ts'
import { topic } from '../core/events.ts'
import { holds } from '../core/permissions.ts'

/** A channel that an account sees. */
interface VisibleChannel {
  id: number
  server_id: number
  restricted: boolean
  permissions: number
}

/** What an account may see at one moment: its subscriptions, its replay and its `ready` follow from this. */
export interface Access {
  user_id: number
  /** The servers, each with the channels that the account sees. */
  servers: { id: number; permissions: number; channels: VisibleChannel[] }[]
}

/** Runs reads in one transaction, so that they see the same snapshot of the database. */
export const consistentRead = <T>(sql: Database, read: (sql: Sql) => Promise<T>): Promise<T> =>
  sql
    .begin('isolation level repeatable read read only', async (tx) => ({ value: await read(tx) }))
    .then(({ value }) => value)

/** The topics that a socket with this access is subscribed to. */
export function topicsOf({ user_id, servers }: Access): Set<string> {
  const topics = new Set([topic.user(user_id).topic])
  for (const { id, permissions, channels } of servers) {
    topics.add(topic.server(id).topic)
    if (holds(permissions, 'manage_server')) topics.add(topic.invites(id).topic)
    for (const channel of channels) if (channel.restricted) topics.add(topic.channel(channel).topic)
  }
  return topics
}
