import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase, SUPERUSER } from '../src/database/database.ts'
import { startEmbeddedPostgres } from '../src/database/embedded-postgres.ts'
import { openLog } from '../src/core/log.ts'
import { openTokens } from '../src/features/sessions/token.ts'
import { type RedisServer, redisServer } from '../test/support/redis.ts'
import { foreignS3 } from '../test/support/object-stores.ts'
import { requestText, targetOf } from './http-connections.ts'
import { type Load, openLoad, type Way } from './load.ts'
import { cpuMicroseconds } from './processes.ts'
import { atLeast, atMost, type Figure, median, quantile } from './report.ts'
import { type Person, seed } from './seed.ts'
import { type ServerProcess, startServer } from './server.ts'

const RECEIVERS = 1000
/** Connections per process: a second process brings its own load. */
const CONNECTIONS = 48
/** Channels per server: one server has the sockets, and the other one messages that no socket receives. */
const CHANNELS = 20
const ROUNDS = 6
const SEND_SECONDS = 2
const FLOOD = { in_flight: 16, messages: 960 }
/** Slow enough that every message is a separate write to each socket, and no process waits for a processor. */
const PACED = { per_s: 40, messages: 80 }
const CONTENT = 'A kingfisher at the weir, just now, and it stayed for a whole minute.'

/** The number of serving processes, with or without a shared Redis. */
const SHAPES = [
  { name: '1 process without Redis', database: 'bench_alone', processes: 1, redis: false },
  { name: '1 process with Redis', database: 'bench_one', processes: 1, redis: true },
  { name: '2 processes', database: 'bench_two', processes: 2, redis: true },
]

interface Round {
  fan_out_per_s: number
  p99_ms: number
  sends_per_s: number
  /** Processor time of the server processes together, in microseconds. */
  fan_out_us: number
  paced_us: number
  send_us: number
}

/** Processes that serve one database, with their sockets. */
interface Side {
  servers: ServerProcess[]
  redis: RedisServer | undefined
  load: Load
  ways: Way[]
  posters: Load[]
}

/** The members of server 1 receive; those of server 2 send messages that no socket receives. */
const membersOf = (people: Person[], server: 1 | 2) => people.filter(({ id }) => id % 2 === server % 2)

/** Opens each process's share of the sockets. The POSTs alternate between the processes. */
async function connected(servers: ServerProcess[], redis: RedisServer | undefined, people: Person[]): Promise<Side> {
  const load = openLoad()
  const members = membersOf(people, 1)
  const receivers = members.slice(0, RECEIVERS)
  const ways: Way[] = []
  for (const [at, { url }] of servers.entries()) {
    const own = receivers.filter((_, n) => n % servers.length === at)
    await load.open(
      targetOf(url),
      own.map(({ token }) => `/ws?token=${token}`),
      true,
    )
    const token = members.at(-1 - at)?.token ?? ''
    const request = requestText('POST', `/api/channels/${1 + at}/messages`, token, JSON.stringify({ content: CONTENT }))
    ways.push({ target: targetOf(url), request })
  }
  return { servers, redis, load, ways, posters: servers.map(openLoad) }
}

/** POST message over CONNECTIONS connections to each process. */
async function sends({ servers, posters }: Side, people: Person[]): Promise<number> {
  const rates = await Promise.all(
    posters.map((load, at) => {
      const own = people.slice(at * CONNECTIONS, (at + 1) * CONNECTIONS).map(({ token }) => token)
      const target = targetOf(servers[at]?.url ?? '')
      return load.posts(target, own, SEND_SECONDS, { first: CHANNELS + 1, count: CHANNELS }, false)
    }),
  )
  return rates.reduce((sum, { per_s }) => sum + per_s, 0)
}

async function run(side: Side, people: Person[]): Promise<Round> {
  const spent = async <T>(work: () => Promise<T>): Promise<[T, number]> => {
    const now = () => side.servers.reduce((sum, { pid }) => sum + cpuMicroseconds(pid), 0)
    const before = now()
    const value = await work()
    return [value, now() - before]
  }
  const { load, ways } = side
  const [{ deliveries_per_s }, fanOut] = await spent(() =>
    load.flood(ways, FLOOD.messages, FLOOD.in_flight * ways.length),
  )
  const [{ ms }, paced] = await spent(() => load.paced(ways, PACED.messages, PACED.per_s))
  const [sends_per_s, send] = await spent(() => sends(side, membersOf(people, 2)))
  return {
    fan_out_per_s: deliveries_per_s,
    p99_ms: quantile(ms, 0.99),
    sends_per_s,
    fan_out_us: fanOut / (FLOOD.messages * RECEIVERS),
    paced_us: paced / PACED.messages,
    send_us: send / (sends_per_s * SEND_SECONDS),
  }
}

/** Compares processor time with one process without Redis: the cost of Redis, or the capacity of two processes. */
function judged(at: number, values: number[], alone: number[]): Figure['target'] {
  if (at === 0) return undefined
  const { processes = 1 } = SHAPES[at] ?? {}
  if (processes === 1) return atMost(1.05, median(values) / median(alone), '≤ 1.05× of one without Redis')
  // Each process has its share of the sum, so one core can carry that much more.
  return atLeast(
    1.8,
    alone,
    values.map((sum) => sum / processes),
  )
}

const figuresOf = (all: Round[][], at: number): Figure[] => {
  const [rounds = [], alone = []] = [all[at], all[0]]
  const name = SHAPES[at]?.name
  const recorded = (what: string, unit: string, of: (round: Round) => number): Figure => ({
    name: `${what}, ${name}`,
    unit,
    parley: rounds.map(of),
  })
  const cost = (what: string, of: (round: Round) => number): Figure => ({
    ...recorded(`processor time ${what}`, 'µs', of),
    target: judged(at, rounds.map(of), alone.map(of)),
  })
  return [
    recorded(
      `fan-out to ${RECEIVERS}, ${FLOOD.in_flight} POSTs in flight each`,
      'deliveries/s',
      (r) => r.fan_out_per_s,
    ),
    cost('a delivery of it', (r) => r.fan_out_us),
    recorded(`p99 to the last of ${RECEIVERS} at ${PACED.per_s} sends/s`, 'ms', (r) => r.p99_ms),
    cost(`a message to ${RECEIVERS} at ${PACED.per_s} sends/s`, (r) => r.paced_us),
    recorded(`send at ${CONNECTIONS} connections each`, 'messages/s', (r) => r.sends_per_s),
    cost('a message of it', (r) => r.send_us),
  ]
}

/** The same work by one and by two processes, alternating: each shape has its own database with the same content. */
export async function nodes(): Promise<Figure[]> {
  const data = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  const postgres = await startEmbeddedPostgres(data, openLog('silent'))
  const files = await foreignS3()
  const sides: Side[] = []
  const start = (database: string, at: number, variables: Record<string, string> = {}) =>
    startServer(join(data, `${database}-${at}`), {
      DATABASE_URL: `postgres://parley_app@localhost/${database}?host=${encodeURIComponent(postgres.socket)}`,
      DATABASE_CONNECTIONS: '16',
      ...files.variables,
      ...variables,
    })
  try {
    const people = await template(postgres.socket, () => start('parley', 0))
    const sql = openDatabase({ socket: postgres.socket, role: SUPERUSER, database: 'postgres' }, 1, 'parley-bench')
    for (const { database, processes, redis } of SHAPES) {
      await sql`create database ${sql(database)} template parley owner parley_app`
      const own = redis ? await redisServer() : undefined
      const servers: ServerProcess[] = []
      for (let at = 0; at < processes; at++) servers.push(await start(database, at, own && { REDIS_URL: own.url }))
      sides.push(await connected(servers, own, people))
    }
    await sql.end({ timeout: 1 })
    const rounds = SHAPES.map((): Round[] => [])
    for (let round = -1; round < ROUNDS; round++) {
      // Each side comes first equally often, because the previous round's leftover work may still run.
      for (let turn = 0; turn < sides.length; turn++) {
        const at = (round + 1 + turn) % sides.length
        const side = sides[at]
        const measured = side && (await run(side, people))
        if (round >= 0 && measured) rounds[at]?.push(measured)
      }
    }
    return SHAPES.flatMap((_, at) => figuresOf(rounds, at))
  } finally {
    for (const { load, posters, servers, redis } of sides) {
      for (const each of [load, ...posters, ...servers]) await each.stop()
      await redis?.kill()
    }
    await postgres.stop()
    await files.stop()
    rmSync(data, { recursive: true, force: true })
  }
}

/** Fills the database from which the shapes' databases are copied. */
async function template(socket: string, start: () => Promise<ServerProcess>): Promise<Person[]> {
  const server = await start()
  const sql = openDatabase({ socket, role: SUPERUSER }, 2, 'parley-bench')
  try {
    const [secret] = await sql<{ value: string }[]>`select value from secrets where name = 'jwt'`
    const population = { users: 2 * RECEIVERS + 4, servers: 2, servers_per_user: 1, channels_per_server: CHANNELS }
    return await seed({ sql, tokens: openTokens(secret?.value ?? '') }, population)
  } finally {
    await sql.end({ timeout: 1 })
    await server.stop()
  }
}
