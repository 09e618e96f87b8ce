import { Cluster, Redis, ReplyError } from 'ioredis'
import { RefusesToBoot } from '../core/errors.ts'
import { errorFields, type Log } from '../core/log.ts'
import { takeTls } from '../core/tls-parameters.ts'

const CONNECT_MS_MAX = 2_000
const COMMAND_MS_MAX = 1_000
const RECONNECT_MS_MAX = 500
const PING_MS = 500

/**
 * Why a Redis that answers cannot be used, as part of a sentence; undefined when it can.
 * @throws where it does not answer
 */
export async function unusable(redis: Redis | Cluster): Promise<string | undefined> {
  const role = await redis.call('role').catch((error: unknown) => {
    // Whoever refuses to tell its role, answers.
    if (error instanceof ReplyError) return undefined
    throw error
  })
  const [name] = Array.isArray(role) ? role.map(String) : []
  if (name === 'sentinel') return 'it is a sentinel: name the Redis that it watches'
  if (name === 'slave') return 'it is a replica, which takes no writes: name the primary'
  return undefined
}

/** The connections to a Redis, or to a Redis Cluster; they reconnect by themselves. */
export interface RedisLink {
  /** For commands: refused at once while Redis is away. */
  readonly commands: Redis | Cluster
  /** For subscriptions: those of a lost connection have to be made again, by `onReady`. */
  readonly subscriber: Redis | Cluster
  /** Whether keys belong to different nodes of a Redis Cluster, so that no command may name several. */
  readonly isCluster: boolean
  /** The name of a key or channel in Redis: several installations may share one. */
  key(name: string): string
  /** Whether Redis is connected. */
  isReady(): boolean
  /** Whether Redis also answers: one that stands still keeps its connections. */
  isAnswering(): boolean
  /** Calls the listener each time that both connections are there; at once when they are already. */
  onReady(listener: () => void): void
  /** Calls the listener each time that Redis can be used again: is connected, or answers after it stood still. */
  onReturn(listener: () => void): void
  stop(): void
}

/**
 * Connects in the background: Redis may be away at any time.
 * @param installation tells this installation from others
 * @param cluster whether the URL is that of one node of a Redis Cluster
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
  const address = new URL(url)
  const { username, password, protocol } = address
  const mode = address.searchParams.get('sslmode') ?? 'verify-full'
  const tls = protocol === 'rediss:' ? takeTls(address, 'REDIS_URL', 'verify-full') : undefined
  // Each node of a cluster has a name of its own, which is compared with its certificate.
  if (cluster && mode === 'verify-full' && typeof tls === 'object') delete tls.checkServerIdentity
  if (tls === false || tls === 'prefer')
    throw new RefusesToBoot('REDIS_URL is not usable: rediss:// speaks TLS always.')
  const connect = () => {
    if (!cluster) return new Redis(address.href, { ...options, ...(tls ? { tls } : {}) })
    const redisOptions = {
      ...options,
      username: decodeURIComponent(username) || undefined,
      password: decodeURIComponent(password) || undefined,
      ...(tls ? { tls } : {}),
    }
    const clusterRetryStrategy = options.retryStrategy
    return new Cluster([address.href], {
      enableOfflineQueue: false,
      shardedSubscribers: true,
      clusterRetryStrategy,
      redisOptions,
    })
  }
  const commands = connect()
  // The client of a cluster has its own connections for subscriptions.
  const subscriber = cluster ? commands : connect()
  const both = [...new Set([commands, subscriber])]
  const listeners: (() => void)[] = []
  const returnListeners: (() => void)[] = []
  let answered = true
  let refused: string | undefined
  const returned = () => {
    answered = true
    for (const listener of returnListeners) listener()
  }
  const isReady = () => both.every(({ status }) => status === 'ready')
  let logged = false
  for (const connection of both) {
    connection.on('ready', () => {
      if (!isReady()) return
      logged = false
      returned()
      for (const listener of listeners) listener()
    })
    connection.on('error', (error: unknown) => {
      // A loss is logged once, however many attempts to connect follow.
      if (!logged) log('warn', 'redis.away', errorFields(error))
      logged = true
    })
  }
  const pings = setInterval(() => {
    if (!isReady()) return
    unusable(commands).then(
      (why) => {
        if (why === undefined) {
          refused = undefined
          return void (answered || returned())
        }
        answered = false
        // Logged once, until it has been usable.
        if (why !== refused) log('warn', 'redis.unusable', { reason: why })
        refused = why
      },
      () => void (answered = false),
    )
  }, PING_MS)
  return {
    commands,
    subscriber,
    isCluster: cluster,
    key: (name) => `parley:${installation}:${name}`,
    isReady,
    isAnswering: () => isReady() && answered,
    onReady(listener) {
      listeners.push(listener)
      if (isReady()) listener()
    },
    onReturn: (listener) => void returnListeners.push(listener),
    stop() {
      clearInterval(pings)
      for (const connection of both) connection.disconnect()
    },
  }
}
