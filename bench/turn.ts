import { compile } from './load.ts'
import { cpuMicroseconds, openChild, pin, track } from './processes.ts'
import type { Paced } from './http-load.ts'
import { atMost, type Figure, median } from './report.ts'
import { type BenchServer, withServer } from './server.ts'
import { CHANNEL, openCall, type TurnCall } from './turn-calls.ts'
import { relayVariables, startCoturn, type TurnServer } from './turn-servers.ts'

const CALLS = 20
const ROUNDS = 3
const SIZES = [172, 1200]
const LOSS_MAX = 0.001
/** The rate grows from here by STEP until too many packets are lost twice in a row. Packets per second. */
const FIRST_RATE = 40_000
const STEP = 1.15
const RATE_MAX = 450_000
const PROBE_SECONDS = 1.5
const MEASURE_SECONDS = 4
const HTTP_PER_S = 5_000
const SERVER_PROCESSOR = 0
const LOAD_PROCESSOR = 1
const PORTS = { coturn: 3690, parley: 3691 }
const SECRET = 'the-secret-of-the-benchmark'

interface Run {
  sent: number
  received: number
  goal: number
  p50_us: number
  p99_us: number
  cpu_us_per_packet: number
}

const lossOf = ({ sent, received }: Run) => 1 - received / sent
/** The generator sent at its rate: otherwise the run does not measure the server. */
const keptUp = ({ sent, goal }: Run) => sent > 0.995 * goal

type Load = (server: TurnServer, bytes: number, rate: number, seconds: number) => Promise<Run>

/** Runs the native load against a server, over the same calls each time. */
function openLoad(program: string): Load {
  const opened = new Map<number, TurnCall[]>()
  return async (server, bytes, rate, seconds) => {
    const calls = opened.get(server.port) ?? []
    opened.set(server.port, calls)
    while (calls.length < CALLS) calls.push(await openCall(server.port, SECRET, calls.length + 1))
    for (const call of calls) await call.bind()
    const numbers = [server.port, bytes, seconds, Math.round(rate), CHANNEL.toString(16), CALLS]
    const ports = calls.map(({ relay_port }) => `${relay_port}`)
    const descriptors = [...calls.map(({ client }) => client), ...calls.map(({ peer }) => peer)]
    const before = cpuMicroseconds(server.pid)
    const child = track(
      Bun.spawn(['taskset', '-c', `${LOAD_PROCESSOR}`, program, ...numbers.map(String), ...ports], {
        stdio: ['ignore', 'pipe', 'inherit', ...descriptors],
      }),
    )
    const output = JSON.parse(await new Response(child.stdout).text())
    const cpu = cpuMicroseconds(server.pid) - before
    return { ...output, cpu_us_per_packet: cpu / output.received }
  }
}

/** The highest rate at which at most 0.1 % of the packets are lost. */
async function topRate(load: Load, server: TurnServer, bytes: number): Promise<{ rate: number; bound: string }> {
  let [top, misses] = [0, 0]
  for (let rate = FIRST_RATE; rate <= RATE_MAX; rate *= STEP) {
    const run = await load(server, bytes, rate, PROBE_SECONDS)
    if (!keptUp(run)) return { rate: Math.max(top, run.sent / PROBE_SECONDS), bound: 'by the generator' }
    if (lossOf(run) <= LOSS_MAX) [top, misses] = [rate, 0]
    else if (++misses === 2) break
  }
  return { rate: top, bound: 'by loss' }
}

interface Round {
  top: number
  bound: string
  quiet: Run
  busy: Run
}

/** Runs `work` while Parley's main thread answers requests at a steady rate, on the processor of both servers. */
const besideHttp = async <T>(url: string, work: () => Promise<T>): Promise<T> => {
  const http = openChild('http-load.ts')
  pin(http.pid, LOAD_PROCESSOR)
  try {
    const command: Paced = { url, connections: 8, seconds: MEASURE_SECONDS + 1, per_s: HTTP_PER_S }
    const requests = http.ask<{ per_s: number }>('paced', command)
    await Bun.sleep(300)
    const result = await work()
    const { per_s } = await requests
    if (per_s < HTTP_PER_S * 0.9) console.error(`only ${Math.round(per_s)} HTTP requests/s beside it`)
    return result
  } finally {
    await http.stop()
  }
}

/** Measures both servers alternately: the top rate of each, then each at three quarters of the lower one. */
async function round(load: Load, servers: [TurnServer, TurnServer], bytes: number, url: string) {
  const tops = []
  for (const server of servers) tops.push(await topRate(load, server, bytes))
  const rate = 0.75 * Math.max(FIRST_RATE, Math.min(...tops.map((top) => top.rate)))
  const rounds: Round[] = []
  for (const [at, server] of servers.entries()) {
    const quiet = await load(server, bytes, rate, MEASURE_SECONDS)
    const busy = await besideHttp(url, () => load(server, bytes, rate, MEASURE_SECONDS))
    rounds.push({ top: tops[at]?.rate ?? 0, bound: tops[at]?.bound ?? '', quiet, busy })
  }
  console.error(`${bytes} bytes at ${Math.round(rate)}/s`, JSON.stringify(rounds))
  return rounds as [Round, Round]
}

function figuresOf(bytes: number, rounds: [Round, Round][]): Figure[] {
  const figure = (name: string, unit: string, value: (round: Round) => number, within?: number): Figure => {
    const [parley, values] = [rounds.map(([ours]) => value(ours)), rounds.map(([, theirs]) => value(theirs))]
    const ratio = median(parley) / median(values)
    const target = within === undefined ? {} : { target: atMost(within, ratio, `within ${within}× of coturn`) }
    return { name: `${name}, ${bytes} B`, unit, parley, reference: { name: 'coturn', values }, ...target }
  }
  const loss = ({ busy, quiet }: Round) => 100 * Math.max(lossOf(busy), lossOf(quiet))
  const bounds = rounds.map(([ours, theirs]) => `${ours.bound} and ${theirs.bound}`).join('; ')
  return [
    { ...figure('highest rate below 0.1 % loss', 'packets/s', ({ top }) => top), note: `${bytes} B: bound ${bounds}` },
    figure('CPU a packet at ¾ of it', 'µs', ({ quiet }) => quiet.cpu_us_per_packet, 1.1),
    figure('p50 at ¾ of it', 'ms', ({ quiet }) => quiet.p50_us / 1000),
    figure('p99 at ¾ of it', 'ms', ({ quiet }) => quiet.p99_us / 1000, 2),
    figure(`p50 beside ${HTTP_PER_S} HTTP requests/s`, 'ms', ({ busy }) => busy.p50_us / 1000),
    figure(`p99 beside ${HTTP_PER_S} HTTP requests/s`, 'ms', ({ busy }) => busy.p99_us / 1000, 2),
    figure('worst loss at ¾ of it', '%', loss),
  ]
}

/** TURN against coturn on the same processor, the load on another: 20 allocations, ChannelData in both directions. */
export async function turn(): Promise<Figure[]> {
  if (!Bun.which('turnserver') || !Bun.which('cc')) {
    console.error('SKIPPED LOUDLY: no turnserver or no cc on this machine (Debian: apt-get install coturn gcc)')
    return []
  }
  const { program, remove } = compile('turn-load.c')
  const coturn = await startCoturn(PORTS.coturn, SECRET, SERVER_PROCESSOR)
  try {
    const measure = async ({ process, url }: BenchServer) => {
      const load = openLoad(program)
      const ours = { port: PORTS.parley, pid: process.pid }
      const figures: Figure[] = []
      await load(ours, 172, FIRST_RATE, 2)
      for (const bytes of SIZES) {
        const rounds: [Round, Round][] = []
        for (let at = 0; at < ROUNDS; at++) rounds.push(await round(load, [ours, coturn], bytes, url))
        figures.push(...figuresOf(bytes, rounds))
      }
      return figures
    }
    return await withServer(measure, SERVER_PROCESSOR, relayVariables(PORTS.parley, SECRET))
  } finally {
    await coturn.stop()
    remove()
  }
}
