import { type Bus, memoryBus, type Notice } from '../events/bus.ts'
import type { Database, DatabaseAddress } from '../database/database.ts'
import { LogFollower } from '../events/log-follower.ts'
import { type Leases, memoryLeases } from './leases.ts'
import { type Limiter, memoryLimiter } from '../http/limits/limiter.ts'
import { errorFields, type Log } from '../core/log.ts'
import { memoryNodes, type Nodes } from './nodes.ts'
import { openRedis } from '../redis/client.ts'
import { RedisBus } from '../events/redis-bus.ts'
import { redisLeases } from './redis-leases.ts'
import { redisLimiter } from '../http/limits/redis-limiter.ts'
import { redisNodes } from './redis-nodes.ts'
import { NoticeListener } from '../events/notice-listener.ts'
import { installationOf, type Secrets } from '../database/secrets.ts'
import { UncertainWrites } from '../events/uncertain-writes.ts'
import type { SendNotices } from '../events/write.ts'
import type { Environment } from '../environment.ts'

/** What a process shares with others: in memory for one alone, by way of Redis where that is given. */
interface Store {
  bus: Bus
  nodes: Nodes
  leases: Leases
  limiter: Limiter
  /** Begins to follow what other nodes commit, where there can be any. */
  follow?(): Promise<void>
  stop(): void
}

function openStore(
  { REDIS_URL, REDIS_CLUSTER }: Environment,
  secrets: Secrets,
  sql: Database,
  onTooMany: () => void,
  log: Log,
): Store {
  const alone = memoryLimiter()
  if (!REDIS_URL) {
    const nodes = memoryNodes()
    return { bus: memoryBus(), nodes, leases: memoryLeases(nodes.id), limiter: alone, stop: () => {} }
  }
  const redis = openRedis(REDIS_URL, installationOf(secrets), REDIS_CLUSTER === 'on', log)
  const nodes = redisNodes(redis, log)
  const leases = redisLeases(redis, nodes.id, log)
  const bus = new RedisBus(redis, nodes.id)
  const follower = new LogFollower(sql, bus, onTooMany, log)
  return {
    bus,
    nodes,
    leases,
    limiter: redisLimiter(redis, alone, log),
    follow: () => follower.start(),
    stop() {
      follower.stop()
      leases.stop()
      nodes.stop()
      redis.stop()
    },
  }
}

/**
 * Opens what this process shares with others, and the ways in which they learn of each other's writes.
 * @param onTooMany called when so much has not come here that every socket has to begin anew
 */
export function openShared(
  environment: Environment,
  secrets: Secrets,
  address: DatabaseAddress,
  sql: Database,
  onTooMany: () => void,
  log: Log,
) {
  const { bus, nodes, leases, limiter, follow, stop } = openStore(environment, secrets, sql, onTooMany, log)
  const uncertain = new UncertainWrites(sql, bus, onTooMany, follow !== undefined)
  let listener: NoticeListener | undefined
  const send: SendNotices = async (...batch) => listener?.send(...batch)
  return {
    bus,
    nodes,
    leases,
    limiter,
    /** For openWrite. */
    onUncertain: (notices: Notice[]) => uncertain.add(notices),
    send: follow && send,
    /** Begins to listen. */
    async start() {
      const started = new NoticeListener(address, sql, bus, nodes.id, (since) => uncertain.missed(since), log)
      await started.start()
      listener = started
      await follow?.()
      // It is not waited for: who does not answer is not there.
      tellCompany(started, environment, log).catch((error: unknown) => log('warn', 'shared', errorFields(error)))
    },
    async stop() {
      uncertain.stop()
      stop()
      await listener?.stop()
    },
  }
}

export type Shared = ReturnType<typeof openShared>

/** Says loudly when another process serves this database, and the two do not share what they have to. */
async function tellCompany(listener: NoticeListener, { REDIS_URL, S3_ENDPOINT }: Environment, log: Log): Promise<void> {
  if ((REDIS_URL && S3_ENDPOINT) || !(await listener.hasCompany())) return
  const reason = 'another process serves this database, and the two have to share it'
  log('error', 'shared.missing', { variable: REDIS_URL ? 'S3_ENDPOINT' : 'REDIS_URL', reason })
}
