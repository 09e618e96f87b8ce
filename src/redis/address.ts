import type { Environment } from '../environment.ts'

/** The Redis of an installation: a single one, a Redis Cluster, or the one that Sentinels name. */
export interface RedisAddress {
  /** With Sentinels, only the login, the TLS parameters and the database are used. */
  url: string
  isCluster: boolean
  /** Absent unless Sentinels name the Redis. */
  watch?: Watch
}

/** Sentinels, and the name of the Redis that they watch. */
export interface Watch {
  sentinels: { host: string; port: number }[]
  master: string
  /** Password of the Sentinels themselves. */
  password?: string
}

/** The Redis that this installation is configured to use; undefined if it has none. */
export function redisAddressOf(environment: Environment): RedisAddress | undefined {
  const { REDIS_URL, REDIS_CLUSTER, REDIS_SENTINELS, REDIS_MASTER, REDIS_SENTINEL_PASSWORD: password } = environment
  if (REDIS_SENTINELS === undefined || REDIS_MASTER === undefined)
    return REDIS_URL === undefined ? undefined : { url: REDIS_URL, isCluster: REDIS_CLUSTER === 'on' }
  const sentinels = REDIS_SENTINELS.split(',').map((text) => {
    const { hostname, port } = new URL(`redis://${text}`)
    return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) }
  })
  return {
    url: REDIS_URL ?? 'redis://sentinels',
    isCluster: false,
    watch: { sentinels, master: REDIS_MASTER, password },
  }
}
