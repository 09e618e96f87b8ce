import type { Database, Sql } from '../database/database.ts'
import { topic } from '../core/events.ts'
import { holds } from '../core/permissions.ts'
import type { ChannelNews } from './channel-news.ts'

/** A channel that the account can see. */
interface VisibleChannel {
  id: number
  server_id: number
  restricted: boolean
  permissions: number
  parent_id: number | null
  /** Since when members choose the channel; null if it is listed for all. */
  opt_in_since: string | null
  /** Absent for a channel without messages. */
  news: ChannelNews | undefined
}

/** A server as seen by one account. */
export interface VisibleServer {
  id: number
  permissions: number
  channels: VisibleChannel[]
  /** Ids of the voice channels among them. */
  voiceIds: number[]
  /** The topics that this server adds to a socket's subscriptions. */
  topics: string[]
}

const channelsById = new WeakMap<VisibleServer['channels'], Map<number, VisibleChannel>>()

/** A channel of a server, if the account can see it. The index is made once for all who see the same. */
export function channelIn({ channels }: Pick<VisibleServer, 'channels'>, id: number): VisibleChannel | undefined {
  const indexed = channelsById.get(channels) ?? new Map(channels.map((channel) => [channel.id, channel]))
  channelsById.set(channels, indexed)
  return indexed.get(id)
}

/** The access of an account at one moment. Its subscriptions, replay and `ready` are derived from this. */
export interface Access {
  user_id: number
  servers: VisibleServer[]
}

/** Runs reads in one transaction, so that they see the same snapshot of the database. */
export const consistentRead = <T>(sql: Database, runReads: (sql: Sql) => Promise<T>): Promise<T> =>
  sql
    .begin('isolation level repeatable read read only', async (tx) => ({ value: await runReads(tx) }))
    .then(({ value }) => value)

/** The topics that a server adds to a socket's subscriptions. */
export const topicsIn = ({ id, permissions, channels }: Pick<VisibleServer, 'id' | 'permissions' | 'channels'>) => [
  topic.server(id).topic,
  ...(holds(permissions, 'manage_server') ? [topic.invites(id).topic] : []),
  ...channels.filter(({ restricted }) => restricted).map((channel) => topic.channel(channel).topic),
]

/** All topics of a socket with this access. */
export const topicsOf = ({ user_id, servers }: Access): Set<string> =>
  new Set([topic.user(user_id).topic, ...servers.flatMap((server) => server.topics)])
