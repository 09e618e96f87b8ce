import { type Child, openChild, residentBytes } from './processes.ts'
import { targetOf } from './http-connections.ts'
import { atMost, type Figure, median, quantile } from './report.ts'
import { seed } from './seed.ts'
import { startServer, withServer } from './server.ts'

const SOCKETS = 10_000
const ROUNDS = 5
/** Seconds to wait for the garbage collection after the handshakes. */
const COLLECTION_SECONDS = 4
const ABOVE_BARE_KB_MAX = 4
const MEMBERS_PER_SERVER = 100

/** Sockets that open and close before the measured ones, so that one-time costs do not count. */
const WARM_UP_SOCKETS = 1_000

/** Sockets that are already open, and ping once a second each while the others open. */
const PINGING = 200
const PING_SECONDS = 2
const PING_P99_MS_MAX = 50

interface Round {
  /** Growth per socket since the process was warm. */
  kb: number
  /** Growth per socket since the process started. */
  kb_from_cold: number
  opening_per_s: number
  /** The 99th percentile of the pings meanwhile. */
  ping_ms: number | undefined
}

/** Memory of an idle authenticated socket in 10 servers of 20 channels, against a socket of bare Bun. */
export const sockets = (): Promise<Figure[]> =>
  withServer(async (bench) => {
    const people = await seed(bench, {
      users: SOCKETS + WARM_UP_SOCKETS,
      servers: ((SOCKETS + WARM_UP_SOCKETS) * 10) / MEMBERS_PER_SERVER,
      servers_per_user: 10,
      channels_per_server: 20,
    })
    const paths = people.map(({ token }) => `/ws?token=${token}`)
    await bench.process.stop()
    const parley: Round[] = []
    const bare: Round[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const server = await startServer(bench.data)
      parley.push(await fill(server.url, server.pid, paths, true).finally(server.stop))
      const reference = openChild('bare-server.ts')
      const url = await reference.ask<string>('url')
      bare.push(await fill(url, reference.pid, paths, false).finally(reference.stop))
    }
    return judge(parley, bare)
  })

async function fill(url: string, pid: number, paths: string[], synced: boolean): Promise<Round> {
  const load = openChild('socket-load.ts')
  const pinger = openChild('socket-load.ts')
  try {
    const target = targetOf(url)
    await Bun.sleep(1000)
    const cold = residentBytes(pid)
    await load.ask('open', { target, paths: paths.slice(SOCKETS), synced })
    await load.ask('close')
    if (synced) await pinger.ask('open', { target, paths: paths.slice(-PINGING), synced })
    await Bun.sleep(2000)
    const warm = residentBytes(pid)
    const opening = load.ask<{ took_s: number }>('open', { target, paths: paths.slice(0, SOCKETS), synced })
    const ping_ms = synced ? await pingDuring(pinger, opening) : undefined
    const { took_s } = await opening
    await Bun.sleep(COLLECTION_SECONDS * 1000)
    const lost = await load.ask<string[]>('lost')
    if (lost.length > 0) throw new Error(`${lost.length} sockets were lost: ${lost[0]}`)
    const full = residentBytes(pid)
    const kb = (from: number) => (full - from) / 1024 / SOCKETS
    return { kb: kb(warm), kb_from_cold: kb(cold), opening_per_s: SOCKETS / took_s, ping_ms }
  } finally {
    await load.stop()
    await pinger.stop()
  }
}

/** The 99th percentile of the pings until the work is done, milliseconds. */
async function pingDuring(pinger: Child, work: Promise<unknown>): Promise<number> {
  let isDone = false
  const end = work.finally(() => (isDone = true))
  const ms: number[] = []
  do ms.push(...(await pinger.ask<{ ms: number[] }>('ping', { seconds: PING_SECONDS })).ms)
  while (!isDone)
  await end
  return quantile(ms, 0.99)
}

function judge(parley: Round[], bare: Round[]): Figure[] {
  const memory = (name: string, of: (round: Round) => number): Figure => {
    const [kb, bareKb] = [parley.map(of), bare.map(of)]
    const above = median(kb) - median(bareKb)
    return {
      name,
      unit: 'KB',
      parley: kb,
      reference: { name: 'bare Bun', values: bareKb },
      target: atMost(ABOVE_BARE_KB_MAX, above, `≤ ${ABOVE_BARE_KB_MAX} KB above bare Bun`),
    }
  }
  const pings = parley.flatMap(({ ping_ms }) => ping_ms ?? [])
  return [
    memory(`an idle socket at ${SOCKETS}, process warm`, (round) => round.kb),
    memory(`the same, from the start of the process`, (round) => round.kb_from_cold),
    {
      name: 'opening of sockets, each with 10 snapshots',
      unit: 'sockets/s',
      parley: parley.map((round) => round.opening_per_s),
      reference: { name: 'bare Bun', values: bare.map((round) => round.opening_per_s) },
    },
    {
      name: `p99 of a ping of ${PINGING} sockets while these open`,
      unit: 'ms',
      parley: pings,
      target: atMost(PING_P99_MS_MAX, median(pings), `≤ ${PING_P99_MS_MAX} ms`),
    },
  ]
}
