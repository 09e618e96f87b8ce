import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase, SUPERUSER } from '../src/database/database.ts'
import { startEmbeddedPostgres } from '../src/database/embedded-postgres.ts'
import { openLog } from '../src/core/log.ts'
import { openTokens } from '../src/features/sessions/token.ts'
import { redisServer } from '../test/support/redis.ts'
import { keptIn, serveEmbedded } from '../test/support/s3-stores.ts'
import { requestText, targetOf } from './http-connections.ts'
import { openLoad } from './load.ts'
import { type Figure, quantile } from './report.ts'
import { type Person, seed } from './seed.ts'
import { type ServerProcess, startServer } from './server.ts'

const RECEIVERS = 1000
const CONNECTIONS = 48
const CHANNELS = 20
const ROUNDS = 3
const SEND_SECONDS = 3
const FLOOD = { in_flight: 16, messages: 400 }
const PACED = { per_s: 100, messages: 200 }
const REQUEST = JSON.stringify({ content: 'A kingfisher at the weir, just now, and it stayed for a whole minute.' })

/** How many processes serve, and whether they share a Redis. */
const SHAPES = [
  { name: '1 process without Redis', processes: 1, redis: false },
  { name: '1 process with Redis', processes: 1, redis: true },
  { name: '2 processes', processes: 2, redis: true },
  { name: '3 processes', processes: 3, redis: true },
]

interface Round {
  fan_out_per_s: number
  p99_ms: number[]
  sends_per_s: number
}

/** Messages to 1,000 sockets that are spread over the processes; all POSTs go to the first process. */
async function flood(servers: ServerProcess[], people: Person[]): Promise<Pick<Round, 'fan_out_per_s' | 'p99_ms'>> {
  const [sender, ...receivers] = people
  const [first] = servers
  if (!sender || !first) throw new Error('Nobody is there')
  const load = openLoad()
  try {
    for (const [at, { url }] of servers.entries()) {
      const paths = receivers.filter((_, n) => n % servers.length === at).map(({ token }) => `/ws?token=${token}`)
      await load.open(targetOf(url), paths, true)
    }
    const target = targetOf(first.url)
    const request = requestText('POST', '/api/channels/1/messages', sender.token, REQUEST)
    await load.flood(target, request, 50, FLOOD.in_flight)
    const { deliveries_per_s } = await load.flood(target, request, FLOOD.messages, FLOOD.in_flight)
    const { ms } = await load.paced(target, request, PACED.messages, PACED.per_s)
    return { fan_out_per_s: deliveries_per_s, p99_ms: ms }
  } finally {
    await load.stop()
  }
}

/** POST message over CONNECTIONS connections, spread over the processes. */
async function sends(servers: ServerProcess[], people: Person[]): Promise<number> {
  const connections = CONNECTIONS / servers.length
  const loads = servers.map(() => openLoad())
  try {
    const rates = await Promise.all(
      loads.map((load, at) => {
        const tokens = people.slice(at * connections, (at + 1) * connections).map(({ token }) => token)
        return load.posts(targetOf(servers[at]?.url ?? ''), tokens, SEND_SECONDS, CHANNELS, false)
      }),
    )
    return rates.reduce((sum, { per_s }) => sum + per_s, 0)
  } finally {
    await Promise.all(loads.map((load) => load.stop()))
  }
}

const figuresOf = (rounds: Round[], at: number): Figure[] => {
  const name = SHAPES[at]?.name
  return [
    {
      name: `fan-out to ${RECEIVERS}, ${FLOOD.in_flight} POSTs in flight, ${name}`,
      unit: 'deliveries/s',
      parley: rounds.map(({ fan_out_per_s }) => fan_out_per_s),
    },
    {
      name: `p99 to the last of ${RECEIVERS} at ${PACED.per_s} sends/s, ${name}`,
      unit: 'ms',
      parley: rounds.map(({ p99_ms }) => quantile(p99_ms, 0.99)),
    },
    {
      name: `send at ${CONNECTIONS} connections, ${name}`,
      unit: 'messages/s',
      parley: rounds.map(({ sends_per_s }) => sends_per_s),
    },
  ]
}

/** The same work by one, two and three processes on one database, and by one process with Redis. */
export async function nodes(): Promise<Figure[]> {
  const data = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  const postgres = await startEmbeddedPostgres(data, openLog('silent'))
  const [redis, files] = [await redisServer(), serveEmbedded()]
  const DATABASE_URL = `postgres://parley_app@localhost/parley?host=${encodeURIComponent(postgres.socket)}`
  const sql = openDatabase({ socket: postgres.socket, role: SUPERUSER }, 2, 'parley-bench')
  const common = { DATABASE_URL, DATABASE_CONNECTIONS: '16', ...keptIn(files) }
  const start = (count: number, variables: Record<string, string>) =>
    Promise.all(
      Array.from({ length: count }, (_, at) => startServer(join(data, `node-${at}`), { ...common, ...variables })),
    )
  const rounds = SHAPES.map((): Round[] => [])
  try {
    const [first] = await start(1, {})
    const [secret] = await sql<{ value: string }[]>`select value from secrets where name = 'jwt'`
    const population = { users: RECEIVERS + 1, servers: 1, servers_per_user: 1, channels_per_server: CHANNELS }
    const people = await seed({ sql, tokens: openTokens(secret?.value ?? '') }, population)
    await first?.stop()
    for (let round = 0; round < ROUNDS; round++) {
      for (const [at, shape] of SHAPES.entries()) {
        const servers = await start(shape.processes, shape.redis ? { REDIS_URL: redis.url } : {})
        try {
          rounds[at]?.push({ ...(await flood(servers, people)), sends_per_s: await sends(servers, people) })
        } finally {
          await Promise.all(servers.map((server) => server.stop()))
        }
      }
    }
    return rounds.flatMap(figuresOf)
  } finally {
    await sql.end({ timeout: 1 })
    await postgres.stop()
    await redis.kill()
    await files.stop()
    rmSync(data, { recursive: true, force: true })
  }
}
