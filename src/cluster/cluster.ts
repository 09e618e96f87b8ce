import { type Bus, memoryBus } from '../events/bus.ts'
import type { Database, DatabaseAddress } from '../database/database.ts'
import { learnTimeline, type ServerTimeline } from '../database/timelines.ts'
import { LogFollower } from '../events/log-follower.ts'
import { type LogFate, LogOrigin } from '../events/log-origin.ts'
import { LogWitness } from '../events/log-witness.ts'
import { type Leases, memoryLeases } from './leases.ts'
import { type Limiter, memoryLimiter } from '../http/limits/limiter.ts'
import { errorFields, type Log } from '../core/log.ts'
import { memoryNodes, type Nodes } from './nodes.ts'
import { redisAddressOf } from '../redis/address.ts'
import { RedisBus } from '../events/redis-bus.ts'
import { RedisLeases } from './redis-leases.ts'
import { redisLimiter } from '../http/limits/redis-limiter.ts'
import { RedisNodes } from './redis-nodes.ts'
import { NoticeListener } from '../events/notice-listener.ts'
import { installationOf, type Secrets } from '../database/secrets.ts'
import { UncertainWrites } from '../events/uncertain-writes.ts'
import type { SendNotices } from '../events/write.ts'
import type { Environment } from '../environment.ts'

/** State shared by the processes of an installation. */
interface SharedState {
  bus: Bus
  nodes: Nodes
  leases: Leases
  limiter: Limiter
  /** Follows the commits of other nodes; absent if there are none. */
  follower?: LogFollower
  stop(): void
}

/** In memory for a single process, through Redis for several. */
async function openSharedState(
  environment: Environment,
  secrets: Secrets,
  onTooMany: () => void,
  log: Log,
): Promise<SharedState> {
  const local = memoryLimiter()
  const address = redisAddressOf(environment)
  if (!address) {
    const nodes = memoryNodes()
    return { bus: memoryBus(), nodes, leases: memoryLeases(nodes.id), limiter: local, stop: () => {} }
  }
  // Imported here, because a single process does not need the client.
  const { openRedis } = await import('../redis/client.ts')
  const redis = openRedis(address.url, installationOf(secrets), address.isCluster, log, address.watch)
  const nodes = new RedisNodes(redis, log)
  const leases = new RedisLeases(redis, nodes.id, log)
  const bus = new RedisBus(redis, nodes.id, nodes.isAlone)
  const follower = new LogFollower(bus, onTooMany, log)
  return {
    bus,
    nodes,
    leases,
    limiter: redisLimiter(redis, local, log),
    follower,
    stop() {
      follower.stop()
      leases.stop()
      nodes.stop()
      redis.stop()
    },
  }
}

/**
 * Opens the state that this process shares with others of its installation, and the channels by which processes learn
 * of each other's writes.
 */
export async function openCluster(
  environment: Environment,
  secrets: Secrets,
  address: DatabaseAddress,
  sql: Database,
  log: Log,
) {
  let resumeAll = () => {}
  const onTooMany = () => resumeAll()
  const shared = await openSharedState(environment, secrets, onTooMany, log)
  const { bus, nodes, leases, limiter, follower, stop } = shared
  const uncertain = new UncertainWrites(sql, bus, onTooMany, follower !== undefined)
  let listener: NoticeListener | undefined
  const send: SendNotices = async (...batch) => listener?.send(...batch)
  return {
    bus,
    nodes,
    leases,
    limiter,
    /** The listener is called when too many events were lost: every client has to resume. */
    onResumeNeeded: (listener: () => void) => void (resumeAll = listener),
    /** For openWrite. */
    uncertain,
    send: follower && send,
    /** Starts to receive notices and events of other processes. */
    async start() {
      const onMissed = (since: Date) => uncertain.missed(since)
      const onMoved = (fate: LogFate) => {
        if (fate === 'kept') return follower?.readAgain()
        follower?.restart()
        resumeAll()
      }
      // Nothing takes over from the embedded PostgreSQL.
      const witness = environment.DATABASE_URL === undefined ? undefined : new LogWitness()
      if (witness) bus.onFrame(witness.note)
      const origin = new LogOrigin(sql, log, onMoved, witness, shareTimelines(nodes))
      const noticeListener = new NoticeListener(address, sql, bus, nodes.id, onMissed, log, follower, origin)
      await noticeListener.start()
      listener = noticeListener
      follower?.start()
      // Not awaited, so that the server starts meanwhile.
      warnIfNotShared(noticeListener, environment, log).catch((error: unknown) =>
        log('warn', 'shared', errorFields(error)),
      )
    },
    async stop() {
      uncertain.stop()
      stop()
      await listener?.stop()
    },
  }
}

export type Cluster = Awaited<ReturnType<typeof openCluster>>

/**
 * Processes tell each other of a new timeline: some may still be connected to the former primary.
 * @returns tells the others
 */
function shareTimelines(nodes: Nodes): (server: ServerTimeline) => void {
  const table = nodes.table('timelines')
  table.onChange((system) => learnTimeline(system, Math.max(...[...table.at(system).values()].map(Number))))
  return ({ system, timeline }) => table.put(String(system), String(timeline))
}

/** Logs an error if another process serves this database and they do not share a Redis and an object store. */
async function warnIfNotShared(listener: NoticeListener, environment: Environment, log: Log): Promise<void> {
  const hasRedis = redisAddressOf(environment) !== undefined
  if ((hasRedis && environment.S3_ENDPOINT) || !(await listener.hasCompany())) return
  const reason = 'another process serves this database, and the two have to share it'
  log('error', 'shared.missing', { variable: hasRedis ? 'S3_ENDPOINT' : 'REDIS_URL', reason })
}
