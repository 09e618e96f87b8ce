import { Cluster, Redis, ReplyError } from 'ioredis'
import { RefusesToBoot } from '../core/errors.ts'
import { errorFields, type Log } from '../core/log.ts'
import { takeTls } from '../core/tls-parameters.ts'
import type { Watch } from './address.ts'

const CONNECT_MS_MAX = 2_000
const COMMAND_MS_MAX = 1_000
const RECONNECT_MS_MAX = 500
const PING_MS = 500

/**
 * Why a Redis that answers is unusable, as part of a sentence; undefined if it is usable.
 * @throws if it does not answer
 */
export async function unusable(redis: Redis | Cluster): Promise<string | undefined> {
  const role = await redis.call('role').catch((error: unknown) => {
    // A server that refuses to report its role does answer.
    if (error instanceof ReplyError) return undefined
    throw error
  })
  const [name] = Array.isArray(role) ? role.map(String) : []
  if (name === 'sentinel') return 'it is a sentinel: name the Redis that it watches'
  if (name === 'slave') return 'it is a replica, which takes no writes: name the primary'
  return undefined
}

/** Connections to a Redis, or to a Redis Cluster; they reconnect by themselves. */
export interface RedisLink {
  /** For commands, which fail at once while Redis is away. */
  readonly commands: Redis | Cluster
  /** For subscriptions. After a lost connection they must be made again, in `onReady`. */
  readonly subscriber: Redis | Cluster
  /** True for a Redis Cluster, where keys live on different nodes and a command may name only one. */
  readonly isCluster: boolean
  /** Prefixes the name of a key or channel, because several installations may share a Redis. */
  key(name: string): string
  /** True while Redis is connected. */
  isReady(): boolean
  /** True while Redis also answers: a hanging Redis keeps its connections open. */
  isAnswering(): boolean
  /** Calls the listener whenever both connections are established, and at once if they already are. */
  onReady(listener: () => void): void
  /** Calls the listener whenever Redis becomes usable again: it reconnected, or answers after hanging. */
  onReturn(listener: () => void): void
  stop(): void
}

/** @returns makes a client for the address, which connects by itself */
function connector(url: string, isCluster: boolean, watch?: Watch): () => Redis | Cluster {
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
  // In a cluster each node has another name, which is checked against its certificate.
  if (isCluster && mode === 'verify-full' && typeof tls === 'object') delete tls.checkServerIdentity
  if (tls === false || tls === 'prefer')
    throw new RefusesToBoot('REDIS_URL is not usable: rediss:// speaks TLS always.')
  return () => {
    if (watch)
      return new Redis({
        ...options,
        sentinels: watch.sentinels,
        name: watch.master,
        sentinelPassword: watch.password,
        sentinelRetryStrategy: options.retryStrategy,
        sentinelCommandTimeout: CONNECT_MS_MAX,
        // Leaves a hanging Redis as soon as the Sentinels name another.
        failoverDetector: true,
        username: decodeURIComponent(username) || undefined,
        password: decodeURIComponent(password) || undefined,
        db: Number(address.pathname.slice(1)) || 0,
        // Every certificate is checked for the host of the URL, whichever server it is of.
        ...(tls ? { tls, sentinelTLS: tls, enableTLSForSentinelMode: true } : {}),
      })
    if (!isCluster) return new Redis(address.href, { ...options, ...(tls ? { tls } : {}) })
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
}

/**
 * Connects in the background, because Redis may be away at any time.
 * @param installation distinguishes installations that share a Redis
 * @param isCluster true if the URL is that of a Redis Cluster's node
 * @param watch Sentinels, which name the Redis to connect to; of the URL then only login, database and TLS count
 */
export function openRedis(url: string, installation: string, isCluster: boolean, log: Log, watch?: Watch): RedisLink {
  const connect = connector(url, isCluster, watch)
  const commands = connect()
  // A cluster client opens separate connections for subscriptions itself.
  const subscriber = isCluster ? commands : connect()
  const both = [...new Set([commands, subscriber])]
  const listeners: (() => void)[] = []
  const returnListeners: (() => void)[] = []
  let hasAnswered = true
  let lastRefusal: string | undefined
  const onReturn = () => {
    hasAnswered = true
    for (const listener of returnListeners) listener()
  }
  const isReady = () => both.every(({ status }) => status === 'ready')
  let wasLogged = false
  let isStopped = false
  for (const connection of both) {
    // ioredis gives up for good if its Sentinels name another Redis at the moment when it asks them for one.
    connection.on('end', () => {
      const again = () => void (isStopped || connection.connect().catch(() => {}))
      if (!isStopped) setTimeout(again, RECONNECT_MS_MAX)
    })
    connection.on('ready', () => {
      if (!isReady()) return
      wasLogged = false
      onReturn()
      for (const listener of listeners) listener()
    })
    connection.on('error', (error: unknown) => {
      // Log a loss once, however many attempts to reconnect follow.
      if (!wasLogged) log('warn', 'redis.away', errorFields(error))
      wasLogged = true
    })
  }
  const pings = setInterval(() => {
    if (!isReady()) return
    unusable(commands).then(
      (why) => {
        if (why === undefined) {
          lastRefusal = undefined
          return void (hasAnswered || onReturn())
        }
        hasAnswered = false
        // Log once, until Redis has been usable again.
        if (why !== lastRefusal) log('warn', 'redis.unusable', { reason: why })
        lastRefusal = why
      },
      () => void (hasAnswered = false),
    )
  }, PING_MS)
  return {
    commands,
    subscriber,
    isCluster: isCluster,
    key: (name) => `parley:${installation}:${name}`,
    isReady,
    isAnswering: () => isReady() && hasAnswered,
    onReady(listener) {
      listeners.push(listener)
      if (isReady()) listener()
    },
    onReturn: (listener) => void returnListeners.push(listener),
    stop() {
      isStopped = true
      clearInterval(pings)
      for (const connection of both) connection.disconnect()
    },
  }
}
