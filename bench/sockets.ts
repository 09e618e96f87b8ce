import { type Child, openChild, residentBytes } from './processes.ts'
import { targetOf } from './http-connections.ts'
import { atLeast, atMost, type Figure, median, quantile } from './report.ts'
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

const COMPRESSED = '&compress=deflate'
const COMPRESSED_KB_MAX = 14
const COMPRESSED_GAIN_MIN = 1.5
const OF_BARE_MIN = 0.35

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
    const compressed = paths.map((path) => path + COMPRESSED)
    const rounds: Record<'plain' | 'compressed' | 'bare' | 'writing', Round[]> = {
      plain: [],
      compressed: [],
      bare: [],
      writing: [],
    }
    let plainFrames: Sent[] = []
    let compressedFrames: Sent[] = []
    const fillBare = async (opening: Sent[]) => {
      const reference = openChild('bare-server.ts')
      await reference.ask('set_opening', opening)
      const url = await reference.ask<string>('url')
      return fill(url, reference.pid, paths, opening.length > 0).finally(reference.stop)
    }
    for (let round = 0; round < ROUNDS; round++) {
      for (const kind of round % 2 === 0 ? (['plain', 'compressed'] as const) : (['compressed', 'plain'] as const)) {
        const server = await startServer(bench.data)
        const urls = kind === 'plain' ? paths : compressed
        if (kind === 'plain') plainFrames = await framesOf(server.url, urls[0] ?? '')
        else compressedFrames = await framesOf(server.url, urls[0] ?? '')
        rounds[kind].push(await fill(server.url, server.pid, urls, true).finally(server.stop))
      }
      rounds.bare.push(await fillBare([]))
      rounds.writing.push(await fillBare(compressedFrames))
    }
    return [...judge(rounds.plain, rounds.bare), ...judgeOpenings(rounds, plainFrames, compressedFrames)]
  })

/** A frame of an opening: text, or bytes in base64. */
interface Sent {
  text?: string
  bytes?: string
}

/** The frames that a socket receives until it is synced. */
export async function framesOf(url: string, path: string): Promise<Sent[]> {
  const frames: Sent[] = []
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const socket = new WebSocket(url.replace('http', 'ws') + path)
  socket.binaryType = 'arraybuffer'
  socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
    frames.push(typeof data === 'string' ? { text: data } : { bytes: Buffer.from(data).toString('base64') })
    if (typeof data === 'string' && data.startsWith('{"t":"synced"')) resolve()
  }
  socket.onclose = ({ code }) => reject(new Error(`closed: ${code}`))
  await promise.finally(() => socket.close())
  return frames
}

export const kbOf = (frames: Sent[]): number =>
  frames.reduce((sum, { text, bytes }) => sum + Buffer.byteLength(bytes ?? text ?? '', bytes ? 'base64' : 'utf8'), 0) /
  1024

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
      name: `p99 of a ping of ${PINGING} sockets while these open`,
      unit: 'ms',
      parley: pings,
      target: atMost(PING_P99_MS_MAX, median(pings), `≤ ${PING_P99_MS_MAX} ms`),
    },
  ]
}

function judgeOpenings(
  rounds: Record<'plain' | 'compressed' | 'writing', Round[]>,
  plainFrames: Sent[],
  compressedFrames: Sent[],
): Figure[] {
  const [plain, compressed, writing] = [rounds.plain, rounds.compressed, rounds.writing].map((some) =>
    some.map((round) => round.opening_per_s),
  ) as [number[], number[], number[]]
  return [
    // `bun run plan` reads this figure by its name.
    { name: 'opening of sockets, each with 10 snapshots', unit: 'sockets/s', parley: plain },
    {
      name: 'the same, compressed',
      unit: 'sockets/s',
      parley: compressed,
      reference: { name: 'bare Bun that writes the same bytes', values: writing },
      target: atLeast(OF_BARE_MIN, compressed, writing),
    },
    {
      name: 'the same, compressed, against openings without compression',
      unit: 'sockets/s',
      parley: compressed,
      reference: { name: 'not compressed', values: plain },
      target: atLeast(COMPRESSED_GAIN_MIN, compressed, plain),
    },
    {
      name: 'bytes of such an opening',
      unit: 'KB',
      parley: [kbOf(compressedFrames)],
      reference: { name: 'not compressed', values: [kbOf(plainFrames)] },
      target: atMost(COMPRESSED_KB_MAX, kbOf(compressedFrames), `≤ ${COMPRESSED_KB_MAX} KB`),
    },
  ]
}
