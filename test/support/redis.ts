import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { type Limiter, memoryLimiter } from '../../src/http/limits/limiter.ts'
import { openLog } from '../../src/core/log.ts'
import { openRedis, type RedisLink } from '../../src/redis/client.ts'
import { redisLimiter } from '../../src/http/limits/redis-limiter.ts'
import { debianProgram } from './debian.ts'
import { freePort } from './ports.ts'
import { leaveNothing } from './reaper.ts'
import { until } from './until.ts'

/** The program, installed when it is missing; undefined where it cannot be: what needs it is skipped. */
export const redisProgram = debianProgram('redis-server', 'redis-server')

/** Hash slots of a Redis Cluster. */
const SLOTS = 16_384

/** A Redis that a test has started, which keeps nothing on the disk: started again it is empty. */
export interface RedisServer {
  readonly port: number
  readonly url: string
  /** Ends it as a loss of power does. */
  kill(): Promise<void>
  /** Ends it if it runs, and starts it on the same port. */
  restart(): Promise<void>
  /** It lives, keeps its connections, and does nothing. */
  freeze(): void
  thaw(): void
}

/** One command on a connection of its own: its answer. */
export async function ask(port: number, ...command: [string, ...string[]]): Promise<unknown> {
  const client = new Redis({ host: '127.0.0.1', port, lazyConnect: true, retryStrategy: () => null })
  client.on('error', () => {})
  try {
    await client.connect()
    return await client.call(...command)
  } finally {
    client.disconnect()
  }
}

/** Starts a Redis on a free port of the loopback, until the tests end. */
export async function redisServer(...options: string[]): Promise<RedisServer> {
  const port = freePort()
  const directory = mkdtempSync(join(leaveNothing(), 'redis-'))
  const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory]
  const start = () =>
    Bun.spawn([redisProgram as string, ...place, '--save', '', '--appendonly', 'no', ...options], {
      env: process.env,
      stdio: ['ignore', 'ignore', 'ignore'],
    })
  const isUp = () =>
    ask(port, 'PING').then(
      () => true,
      () => false,
    )
  let child = start()
  const kill = async () => {
    child.kill('SIGKILL')
    await child.exited
  }
  await until(isUp)
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    kill,
    async restart() {
      await kill()
      child = start()
      await until(isUp)
    },
    freeze: () => child.kill('SIGSTOP'),
    thaw: () => child.kill('SIGCONT'),
  }
}

/** Three masters that share the slots; the address of the first leads to all. */
export async function redisCluster(): Promise<{ url: string; masters: RedisServer[] }> {
  const masters = await Promise.all(
    [0, 1, 2].map(async () => {
      const bus_port = freePort()
      // The port of its bus is found ten thousand above its own otherwise, where there may be none.
      const options = ['--cluster-enabled', 'yes', '--cluster-port', String(bus_port), '--cluster-node-timeout', '2000']
      return { bus_port, server: await redisServer(...options) }
    }),
  )
  const [first, ...others] = masters
  if (!first) throw new Error('There is no master')
  for (const [at, { server }] of masters.entries()) {
    const [from, to] = [Math.ceil((at * SLOTS) / 3), Math.ceil(((at + 1) * SLOTS) / 3) - 1]
    await ask(server.port, 'CLUSTER', 'ADDSLOTSRANGE', String(from), String(to))
  }
  for (const { bus_port, server } of others)
    await ask(first.server.port, 'CLUSTER', 'MEET', '127.0.0.1', String(server.port), String(bus_port))
  const isWhole = async ({ server }: { server: RedisServer }) => {
    const info = String(await ask(server.port, 'CLUSTER', 'INFO'))
    const ranges = (await ask(server.port, 'CLUSTER', 'SLOTS')) as unknown[]
    return info.includes('cluster_state:ok') && ranges.length === masters.length
  }
  await until(async () => (await Promise.all(masters.map(isWhole))).every(Boolean))
  return { url: first.server.url, masters: masters.map(({ server }) => server) }
}

/** Connections of the test's installation, which are there. */
export async function linkTo(url: string, isCluster = false): Promise<RedisLink> {
  const link = openRedis(url, 'test', isCluster, openLog('silent'))
  await until(link.isReady)
  return link
}

/** A process's limiter on that Redis, with connections of its own. */
export const limiterOn = async (url: string, now?: () => number, isCluster = false): Promise<Limiter> =>
  redisLimiter(await linkTo(url, isCluster), memoryLimiter(now), openLog('silent'), now)

/** A Redis and its replica, watched by three Sentinels, of which two decide. */
export async function redisSentinels(): Promise<{
  variables: { REDIS_SENTINELS: string; REDIS_MASTER: string }
  master: RedisServer
  replica: RedisServer
}> {
  const master = await redisServer()
  const replica = await redisServer('--replicaof', `127.0.0.1 ${master.port}`)
  const isFollowing = async () => String(await ask(master.port, 'INFO', 'replication')).includes('state=online')
  await until(isFollowing)
  const ports = [freePort(), freePort(), freePort()]
  for (const port of ports) {
    const directory = mkdtempSync(join(leaveNothing(), 'sentinel-'))
    const configuration = join(directory, 'conf')
    const text = readFileSync(join(import.meta.dir, '../../deploy/sentinel.conf'), 'utf8')
      .replace('port 26379', `port ${port}`)
      .replace('127.0.0.1 6379', `127.0.0.1 ${master.port}`)
    writeFileSync(configuration, text)
    Bun.spawn([redisProgram as string, configuration, '--sentinel', '--bind', '127.0.0.1'], {
      cwd: directory,
      env: process.env,
      stdio: ['ignore', 'ignore', 'ignore'],
    })
  }
  const knowsAll = async (port: number) => {
    const text = String(await ask(port, 'INFO', 'sentinel').catch(() => ''))
    return text.includes('slaves=1') && text.includes(`sentinels=${ports.length}`)
  }
  await until(async () => (await Promise.all(ports.map(knowsAll))).every(Boolean))
  const REDIS_SENTINELS = ports.map((port) => `127.0.0.1:${port}`).join(',')
  return { variables: { REDIS_SENTINELS, REDIS_MASTER: 'parley' }, master, replica }
}

/** The port of the Redis that the first of these Sentinels names. */
export async function masterPort(sentinels: string): Promise<number> {
  const sentinel = Number(sentinels.split(',')[0]?.split(':')[1])
  const address = await ask(sentinel, 'SENTINEL', 'get-master-addr-by-name', 'parley')
  return Number(Array.isArray(address) ? address[1] : undefined)
}

/** The role of a Redis: `master`, or `slave`; empty while Sentinels change it, which closes all connections. */
export const roleOf = async ({ port }: RedisServer): Promise<string> => {
  const role = await ask(port, 'ROLE').catch(() => [])
  return Array.isArray(role) ? String(role[0] ?? '') : ''
}
