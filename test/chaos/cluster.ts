import { closeSync, copyFileSync, mkdirSync, mkdtempSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '../../src/database/database.ts'
import { leaveNothing, OUTSIDE } from '../support/reaper.ts'
import { masterPort, redisCluster, redisSentinels, redisServer } from '../support/redis.ts'
import { foreignS3 } from '../support/object-stores.ts'
import { until } from '../support/until.ts'
import { openEmbedded, openPair } from './postgres.ts'

const START_MS_MAX = 30_000
const STOP_MS_MAX = 10_000
/** As docs/scaling.md tells service managers. */
const DRAIN_MS_MAX = 60_000

/** A node: a process of the real program, replaced after each death. */
export interface Node {
  readonly at: number
  /** Its address, while it listens. */
  url: string | undefined
  /** Its last port. */
  port: number | undefined
  child: Bun.Subprocess | undefined
  starts: number
}

const NONE = { url: undefined, port: undefined, child: undefined }

type RedisKind = 'single' | 'cluster' | 'sentinels'

export type Cluster = Awaited<ReturnType<typeof openCluster>>

/** The Redis of a storm, and the servers that a fault harms. */
async function openRedis(kind: RedisKind) {
  if (kind === 'cluster') {
    const { url, masters } = await redisCluster()
    // One part is killed, or all of it frozen.
    const harmed = async (isHard: boolean, part: number) =>
      isHard ? masters.slice(Math.floor(part * masters.length)).slice(0, 1) : masters
    return { all: masters, variables: { REDIS_URL: url, REDIS_CLUSTER: 'on' }, harmed }
  }
  if (kind === 'sentinels') {
    const { variables, master, replica } = await redisSentinels()
    const all = [master, replica]
    const harmed = async () => {
      const port = await masterPort(variables.REDIS_SENTINELS)
      return all.filter((server) => server.port === port)
    }
    return { all, variables, harmed }
  }
  const server = await redisServer()
  return { all: [server], variables: { REDIS_URL: server.url }, harmed: async () => [server] }
}

/** PostgreSQL, Redis, an S3 and the nodes that share them: started here, and ended with `stop`. */
export async function openCluster(count: number, redisKind: RedisKind, hasStandby: boolean) {
  const directory = leaveNothing()
  const home = mkdtempSync(join(directory, 'chaos-'))
  const postgres = await (hasStandby ? openPair() : openEmbedded(home))
  const { address } = postgres
  const s3 = await foreignS3()
  const redis = await openRedis(redisKind)
  const nodes = Array.from({ length: count }, (_, at): Node => ({ at, starts: 0, ...NONE }))
  const variables = {
    PATH: process.env.PATH ?? '',
    TMPDIR: directory,
    PORT: '0',
    DATABASE_URL: address,
    ...redis.variables,
    ...s3.variables,
    MEDIA_WORKER: 'off',
    LINK_PREVIEWS: 'off',
    TURN_PORT: 'off',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
  }
  let isStopping = false

  async function startNode(node: Node): Promise<void> {
    const data = join(home, `node-${node.at}`)
    mkdirSync(data, { recursive: true })
    const path = join(home, `node-${node.at}.${node.starts++}.log`)
    const log = openSync(path, 'w')
    const child = Bun.spawn([process.execPath, join(import.meta.dir, '../../src/main.ts')], {
      env: { DISK_FREE_MIN_BYTES: '0', ...variables, DATA_DIR: data },
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    node.child = child
    const url = () => /listens on (http:\S+)/.exec(readFileSync(path, 'utf8'))?.[1]
    await until(() => child.exitCode !== null || url() !== undefined, START_MS_MAX)
    node.url = url()
    if (node.url) node.port = Number(new URL(node.url).port)
    else if (!isStopping) throw new Error(`Node ${node.at} did not start: ${readFileSync(path, 'utf8')}`)
  }

  return {
    nodes,
    /** The servers of Redis that a fault harms. */
    harmedRedis: redis.harmed,
    startNode,
    /** A connection for the judge, past the nodes. */
    database: () => openDatabase({ url: address }, 2, 'parley-chaos'),
    living: () => nodes.filter((node) => node.url !== undefined),
    /** Ports of all nodes; for a dead node its last one, which refuses. */
    ports: () => nodes.flatMap(({ port }) => port ?? []),
    async killNode(node: Node): Promise<void> {
      node.url = undefined
      node.child?.kill('SIGKILL')
      await node.child?.exited
    },
    /** Ends a living node as an upgrade does: it hands its sockets and calls over. */
    async drainNode(node: Node): Promise<void> {
      node.url = undefined
      await endChild(node.child, DRAIN_MS_MAX)
    },
    /** Suspends a living node, like a machine that hangs; the returned function resumes it. */
    freezeNode(node: Node): (() => void) | undefined {
      const { child, url } = node
      if (!child || url === undefined) return undefined
      child.kill('SIGSTOP')
      node.url = undefined
      return () => {
        if (node.child !== child || child.exitCode !== null || child.signalCode !== null) return
        child.kill('SIGCONT')
        node.url = url
      }
    },
    /** PostgreSQL, of which there may be two. */
    postgres,
    /** Every log line of the nodes that reports a fault of their own. */
    complaints: () => complaintsIn(home),
    /** Copies the nodes' logs to a directory that stays. @returns its path */
    keepLogs(): string {
      const directory = mkdtempSync(join(OUTSIDE, 'parley-chaos-'))
      for (const log of logsIn(home)) copyFileSync(join(home, log), join(directory, log))
      return directory
    },
    async stop(): Promise<void> {
      isStopping = true
      await Promise.all(nodes.map(({ child }) => endChild(child)))
      for (const server of redis.all) {
        server.thaw()
        await server.kill()
      }
      await s3.stop()
      await postgres.stop()
    },
  }
}

async function endChild(child: Bun.Subprocess | undefined, ms = STOP_MS_MAX): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), ms)
  await child.exited
  clearTimeout(timer)
}

const logsIn = (home: string): string[] => [...new Bun.Glob('node-*.log').scanSync({ cwd: home })].sort()

function complaintsIn(home: string): string[] {
  return logsIn(home).flatMap((file) =>
    readFileSync(join(home, file), 'utf8')
      .split('\n')
      .filter((line) => /"level":"error"|^(?!\{)\S.*[Ee]rror/.test(line))
      .map((line) => `${file} ${line}`),
  )
}
