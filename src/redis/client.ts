import { Cluster, Redis } from 'ioredis'
import { errorFields, type Log } from '../core/log.ts'

const CONNECT_MS_MAX = 2_000
const COMMAND_MS_MAX = 1_000
const RECONNECT_MS_MAX = 1_000
const PING_MS = 1_000

/** The connections to a Redis, or to a cluster of them, which come back by themselves. */
export interface RedisLink {
  /** For commands: refused at once while Redis is away. */
  readonly commands: Redis | Cluster
  /** For subscriptions: what a lost connection had is to be subscribed to anew, by `onReady`. */
  readonly subscriber: Redis | Cluster
  /** The name that a key or channel has in Redis: installations that share one are kept apart. */
  key(name: string): string
  /** Whether it is connected. */
  isReady(): boolean
  /** Whether it also does what it is asked: one may stand still and keep its connections. */
  isAnswering(): boolean
  /** Called each time that both are there, at once when they are already. */
  onReady(listener: () => void): void
  stop(): void
}

/**
 * Connects in the background: Redis may be away, now or later.
 * @param installation tells this installation from others
 * @param cluster whether the address is that of one node of a Redis Cluster
 */
export function openRedis(url: string, installation: string, cluster: boolean, log: Log): RedisLink {
  const options = {
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    autoResubscribe: false,
    connectTimeout: CONNECT_MS_MAX,
    commandTimeout: COMMAND_MS_MAX,
    retryStrategy: (attempt: number) => Math.min(50 * 2 ** attempt, RECONNECT_MS_MAX),
  }
  const connect = () => {
    if (!cluster) return new Redis(url, options)
    const { username, password, protocol } = new URL(url)
    const redisOptions = {
      ...options,
      username: decodeURIComponent(username) || undefined,
      password: decodeURIComponent(password) || undefined,
      ...(protocol === 'rediss:' ? { tls: {} } : {}),
    }
    const clusterRetryStrategy = options.retryStrategy
    return new Cluster([url], {
      enableOfflineQueue: false,
      shardedSubscribers: true,
      clusterRetryStrategy,
      redisOptions,
    })
  }
  const commands = connect()
  // A cluster's client keeps connections of its own for subscriptions.
  const subscriber = cluster ? commands : connect()
  const both = [...new Set([commands, subscriber])]
  const listeners: (() => void)[] = []
  const isReady = () => both.every(({ status }) => status === 'ready')
  let told = false
  for (const connection of both) {
    connection.on('ready', () => {
      if (!isReady()) return
      told = false
      for (const listener of listeners) listener()
    })
    connection.on('error', (error: unknown) => {
      // Once a loss, however often it is tried again.
      if (!told) log('warn', 'redis.away', errorFields(error))
      told = true
    })
  }
  let answered = true
  const pings = setInterval(() => {
    if (!isReady()) return
    commands.ping().then(
      () => (answered = true),
      () => (answered = false),
    )
  }, PING_MS)
  return {
    commands,
    subscriber,
    key: (name) => `parley:${installation}:${name}`,
    isReady,
    isAnswering: () => isReady() && answered,
    onReady(listener) {
      listeners.push(listener)
      if (isReady()) listener()
    },
    stop() {
      clearInterval(pings)
      for (const connection of both) connection.disconnect()
    },
  }
}
