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

/** A server as an account sees it. */
export interface VisibleServer {
  id: number
  permissions: number
  channels: VisibleChannel[]
  /** Of these channels, the ids of the voice channels. */
  voice_ids: number[]
  /** The topics to which a socket is subscribed because of the server. */
  topics: string[]
}

/** What an account may see at one moment: its subscriptions, its replay and its `ready` follow from this. */
export interface Access {
  user_id: number
  servers: VisibleServer[]
}

/** Runs reads in one transaction, so that they see the same snapshot of the database. */
export const consistentRead = <T>(sql: Database, read: (sql: Sql) => Promise<T>): Promise<T> =>
  sql
    .begin('isolation level repeatable read read only', async (tx) => ({ value: await read(tx) }))
    .then(({ value }) => value)

/** The topics to which a socket is subscribed because of a server. */
export const topicsIn = ({ id, permissions, channels }: Omit<VisibleServer, 'topics' | 'voice_ids'>): string[] => [
  topic.server(id).topic,
  ...(holds(permissions, 'manage_server') ? [topic.invites(id).topic] : []),
  ...channels.filter(({ restricted }) => restricted).map((channel) => topic.channel(channel).topic),
]

/** The topics that a socket with this access is subscribed to. */
export const topicsOf = ({ user_id, servers }: Access): Set<string> =>
  new Set([topic.user(user_id).topic, ...servers.flatMap((server) => server.topics)])
