import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLog } from '../src/core/log.ts'
import { openDatabase, SUPERUSER } from '../src/database/database.ts'
import { startEmbeddedPostgres } from '../src/database/embedded-postgres.ts'
import { openTokens } from '../src/features/sessions/token.ts'
import { foreignS3 } from '../test/support/object-stores.ts'
import { redisServer } from '../test/support/redis.ts'
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { cpuMicroseconds, openChild, residentBytes } from './processes.ts'
import { type Figure, median } from './report.ts'
import { type Person, seed } from './seed.ts'
import { type BenchServer, type ServerProcess, startServer, withServer } from './server.ts'
import { Listener, type Listeners, openListeners } from './voice-listeners.ts'
import { gatewayOf, sfuVariables, workersOf } from './voice.ts'

const LISTENERS = Number(process.env.LISTENERS ?? 400)
/** `stage`: the listeners of a stage, whose number has another limit. */
const TYPE = process.env.LISTENERS_ROOM ?? 'voice'
const ROUNDS = Number(process.env.LISTENERS_ROUNDS ?? 3)
/** Joins under way at once. */
const JOINS = 20
const WARM_UP_SECONDS = 3
const MEASURE_SECONDS = 10
const HEARD_SECONDS_MAX = 30
const POLL_MS = 20
/** All in one worker, and half of them in each of two: those of one process, or of two with a link between them. */
const SHAPES = [
  { name: `${LISTENERS} listeners on one worker`, workers: 1, perWorker: 10_000, processes: 1 },
  { name: `${LISTENERS} listeners on two workers`, workers: 2, perWorker: LISTENERS / 2, processes: 1 },
  { name: `${LISTENERS} listeners on two processes`, workers: 2, perWorker: LISTENERS / 2, processes: 2 },
].filter(
  ({ processes }) =>
    process.env.LISTENERS_PROCESSES === undefined || process.env.LISTENERS_PROCESSES === `${processes}`,
)

/** True if a process listens on a UDP port. Source: proc(5). */
function listensOn(pid: number, port: number): boolean {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  const rows = readFileSync(`/proc/${pid}/net/udp`, 'utf8').split('\n')
  const inodes = rows.map((row) => row.trim().split(/\s+/)).filter((row) => row[1]?.endsWith(`:${hex}`))
  const sockets = new Set(inodes.map((row) => `socket:[${row[9]}]`))
  return readdirSync(`/proc/${pid}/fd`).some((fd) => {
    try {
      return sockets.has(readlinkSync(`/proc/${pid}/fd/${fd}`))
    } catch {
      return false
    }
  })
}

interface Round {
  loss_percent: number
  packets_per_s: number
  main_percent: number
  further_percent: number
  further_mb: number
  bun_percent: number
  load_percent: number
  further_listeners: number
  /** From the death of the further worker until all of its listeners hear again, s. */
  again_s: number
}

/** The processes of a room. */
interface Side {
  url: string
  /** The server processes. */
  servers: number[]
  workers: number
  /** The processes of the SFU. */
  pids(): Promise<number[]>
  /** The server process of the second worker, which dies in its place. */
  victim?: number
}

/** Fills a room with one speaker and the listeners, measures, and kills the second worker. */
async function measure(bench: Side, people: Person[]): Promise<Round> {
  const { workers } = bench
  const url = gatewayOf(bench.url)
  const [speaker, ...others] = people
  if (!speaker) throw new Error('nobody was seeded')
  const [load, voice] = [await openListeners(), openChild('voice-load.ts')]
  const members: Listener[] = []
  try {
    const member = {
      channel_id: 1,
      shares_screen: false,
      films: false,
      speaks: true,
      goes_up: TYPE === 'stage',
      heard_ms_max: 0,
    }
    await voice.ask('join', { gateway_url: url(speaker), ...member })
    for (let at = 0; at < others.length; at += at === 0 ? 1 : JOINS)
      members.push(
        ...(await Promise.all(
          others.slice(at, at === 0 ? 1 : at + JOINS).map((who) => Listener.join(url(who), 1, load)),
        )),
      )
    await hears(load, members.length)
    await Bun.sleep(WARM_UP_SECONDS * 1000)
    const pids = await bench.pids()
    const [mainPort = 0] = members.map(({ port }) => port)
    const main = pids.find((pid) => listensOn(pid, mainPort)) ?? 0
    const further = pids.find((pid) => pid !== main) ?? main
    const measured = [main, further, load.pid, voice.pid, ...bench.servers]
    const [began, before, cpu] = [performance.now(), await load.count(), measured.map(cpuMicroseconds)]
    await Bun.sleep(MEASURE_SECONDS * 1000)
    const spent = measured.map((pid, at) => cpuMicroseconds(pid) - (cpu[at] ?? 0))
    const [after, tookS] = [await load.count(), (performance.now() - began) / 1000]
    const [main_percent = 0, second = 0, one = 0, two = 0, ...servers] = spent.map((us) => us / tookS / 10_000)
    const [packets, lost] = [after.packets - before.packets, after.lost - before.lost]
    const further_mb = residentBytes(further) / 1e6
    const further_listeners = members.filter(({ port }) => port !== mainPort).length
    return {
      loss_percent: (100 * lost) / (packets + lost),
      packets_per_s: packets / tookS,
      main_percent,
      further_percent: workers > 1 ? second : 0,
      further_mb,
      bun_percent: servers.reduce((total, each) => total + each, 0),
      load_percent: one + two,
      further_listeners,
      again_s: workers > 1 ? await killed(load, bench.victim ?? further, members.length + further_listeners) : 0,
    }
  } finally {
    await Promise.all(members.map((member) => member.leave()))
    await voice.ask('leave')
    await Promise.all([load.stop(), voice.stop()])
  }
}

/** Waits until this number of transports have received something. */
async function hears(load: Listeners, count: number): Promise<void> {
  const began = performance.now()
  for (;;) {
    const number = (await load.count()).hearing
    if (number >= count) return
    if (performance.now() - began > HEARD_SECONDS_MAX * 1000)
      throw new Error(`Only ${number} of ${count} hear the speaker after ${HEARD_SECONDS_MAX} s`)
    await Bun.sleep(POLL_MS)
  }
}

/** Kills a process. @returns seconds until this number of transports have received something */
async function killed(load: Listeners, pid: number, count: number): Promise<number> {
  const began = performance.now()
  process.kill(pid, 'SIGKILL')
  await hears(load, count)
  return (performance.now() - began) / 1000
}

async function measureOne(bench: BenchServer, workers: number): Promise<Round> {
  const { url, process } = bench
  const people = await seedPeople(bench)
  await workersOf(bench, workers)
  return measure({ url, servers: [process.pid], workers, pids: () => workersOf(bench, workers) }, people)
}

/** The same on two processes that share a database and a Redis. */
async function measureTwo(variables: Record<string, string>): Promise<Round> {
  const data = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  const [postgres, redis, files] = await Promise.all([
    startEmbeddedPostgres(data, openLog('silent')),
    redisServer(),
    foreignS3(),
  ])
  const DATABASE_URL = `postgres://parley_app@localhost/parley?host=${encodeURIComponent(postgres.socket)}`
  const start = (at: number) =>
    startServer(join(data, `server-${at}`), { ...variables, ...files.variables, REDIS_URL: redis.url, DATABASE_URL })
  const servers: ServerProcess[] = []
  const sql = openDatabase({ socket: postgres.socket, role: SUPERUSER }, 2, 'parley-bench')
  try {
    for (const at of [1, 2]) servers.push(await start(at))
    const [one, two] = servers as [ServerProcess, ServerProcess]
    const [secret] = await sql<{ value: string }[]>`select value from secrets where name = 'jwt'`
    const people = await seedPeople({ sql, tokens: openTokens(secret?.value ?? '') })
    const pids = async () =>
      (await Promise.all([one, two].map((each) => workersOf({ url: each.url, process: each }, 1)))).flat()
    await pids()
    // Until the processes know each other.
    await Bun.sleep(WARM_UP_SECONDS * 1000)
    return await measure({ url: one.url, servers: [one.pid, two.pid], workers: 2, pids, victim: two.pid }, people)
  } finally {
    await sql.end({ timeout: 1 })
    for (const server of servers) await server.stop()
    await Promise.all([redis.kill(), files.stop(), postgres.stop()])
    rmSync(data, { recursive: true, force: true })
  }
}

async function seedPeople(bench: Pick<BenchServer, 'sql' | 'tokens'>): Promise<Person[]> {
  const people = await seed(bench, { users: LISTENERS + 1, servers: 1, servers_per_user: 1, channels_per_server: 1 })
  await bench.sql`update channels set type = ${TYPE}`
  return people
}

/** One speaker and many who only listen, on one worker of the SFU, on two, and on those of two processes. */
export async function listeners(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const { name, workers, perWorker, processes } of SHAPES) {
    const variables = {
      ...(await sfuVariables()),
      SFU_WORKERS: `${workers / processes}`,
      SFU_PEERS_PER_WORKER: `${perWorker}`,
      VOICE_ROOM_PEERS_MAX: '500',
      STAGE_LISTENERS_MAX: `${LISTENERS}`,
    }
    const rounds: Round[] = []
    for (let at = 0; at < ROUNDS; at++)
      rounds.push(
        processes > 1
          ? await measureTwo(variables)
          : await withServer((bench) => measureOne(bench, workers), undefined, variables),
      )
    figures.push(...figuresOf(name, workers, rounds))
  }
  return figures
}

function figuresOf(name: string, workers: number, rounds: Round[]): Figure[] {
  const figure = (what: string, unit: string, value: (round: Round) => number): Figure => ({
    name: `${name}: ${what}`,
    unit,
    parley: rounds.map(value),
  })
  const loss = figure('loss', '%', (round) => round.loss_percent)
  const again = figure('the second one killed: all of its listeners hear again', 's', (round) => round.again_s)
  return [
    {
      ...loss,
      target: { says: '0', value: median(loss.parley), met: median(loss.parley) === 0 },
      note: JSON.stringify(rounds),
    },
    figure(`packets (${LISTENERS * 50} due)`, 'packets/s', (round) => round.packets_per_s),
    figure('CPU of the main worker', '% of a core', (round) => round.main_percent),
    figure('CPU of the workers for each listener', 'µs/s', (round) => {
      return ((round.main_percent + round.further_percent) * 10_000) / LISTENERS
    }),
    ...(workers > 1
      ? [
          figure('CPU of the second one', '% of a core', (round) => round.further_percent),
          figure('share of the second one', '%', (round) => {
            return (100 * round.further_percent) / (round.main_percent + round.further_percent)
          }),
          {
            ...again,
            target: { says: '≤ 3 s', value: Math.max(...again.parley), met: Math.max(...again.parley) <= 3 },
          },
        ]
      : []),
    figure('memory of a worker', 'MB', (round) => round.further_mb),
    figure('CPU of Bun', '% of a core', (round) => round.bun_percent),
    figure('CPU of the load itself', '% of a core', (round) => round.load_percent),
  ]
}
