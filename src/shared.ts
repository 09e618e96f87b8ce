import { type Bus, memoryBus } from './adapters/bus.ts'
import { type Leases, memoryLeases } from './adapters/leases.ts'
import { type Limiter, memoryLimiter } from './adapters/limiter.ts'
import type { Log } from './adapters/log.ts'
import { memoryNodes, type Nodes } from './adapters/nodes.ts'
import { openRedis } from './adapters/redis.ts'
import { redisLeases } from './adapters/redis-leases.ts'
import { redisLimiter } from './adapters/redis-limiter.ts'
import { redisNodes } from './adapters/redis-nodes.ts'
import { installationOf, type Secrets } from './adapters/secrets.ts'
import type { Environment } from './environment.ts'

/** What several processes share: in memory for one alone, by way of Redis where that is given. */
export interface Shared {
  bus: Bus
  nodes: Nodes
  leases: Leases
  limiter: Limiter
  stop(): void
}

/** Opens the parts that REDIS_URL replaces. */
export function openShared({ REDIS_URL, REDIS_CLUSTER }: Environment, secrets: Secrets, log: Log): Shared {
  const alone = memoryLimiter()
  const bus = memoryBus()
  if (!REDIS_URL) {
    const nodes = memoryNodes()
    return { bus, nodes, leases: memoryLeases(nodes.id), limiter: alone, stop: () => {} }
  }
  const redis = openRedis(REDIS_URL, installationOf(secrets), REDIS_CLUSTER === 'on', log)
  const nodes = redisNodes(redis, log)
  const leases = redisLeases(redis, nodes.id, log)
  return {
    bus,
    nodes,
    leases,
    limiter: redisLimiter(redis, alone),
    stop() {
      leases.stop()
      nodes.stop()
      redis.stop()
    },
  }
}
