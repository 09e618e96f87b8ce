import { readdirSync, readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { mediaWorker } from '../test/support/media-worker.ts'
import { cpuMicroseconds, openChild, residentBytes } from './processes.ts'
import { type Figure, quantile } from './report.ts'
import { type Person, seed } from './seed.ts'
import { withServer, type BenchServer } from './server.ts'
import { openCallPair, openViewer, type Viewer } from './voice-calls.ts'
import type { Member, Received } from './voice-load.ts'

const ROUNDS = 3
/** No round begins after this time. */
const SHAPE_SECONDS_MAX = 40
const HEARD_MS_MAX = 3_000
const WARM_UP_SECONDS = 3
const MEASURE_SECONDS = 8
const CALLS = 20
/** VOICE_ONLY='room of 25' runs only the shapes of that name. */
const ONLY = process.env['VOICE_ONLY'] ?? ''
const READY_SECONDS_MAX = 30
/** The height of a tile in the viewer's grid, pixels. */
const TILE_HEIGHT = 160
const SHAPES = [
  { name: 'a room of 16 voices', rooms: 1, members: 16, speakers: 16, screens: false, cameras: 0, viewers: 0 },
  // With all 32 speaking the load itself needs more than two cores.
  {
    name: 'four rooms of 8, three speaking, one showing a screen',
    rooms: 4,
    members: 8,
    speakers: 3,
    screens: true,
    cameras: 0,
    viewers: 0,
  },
  {
    name: 'a room of 25, three speaking, four cameras, one watching in Chromium',
    rooms: 1,
    members: 24,
    speakers: 3,
    screens: false,
    cameras: 4,
    viewers: 1,
  },
].filter(({ name }) => name.includes(ONLY))
type Shape = (typeof SHAPES)[number]
/** Every room uses the SFU from two members on; media stay on loopback. */
export const sfuVariables = async () => ({
  MEDIA_WORKER: 'on',
  MEDIASOUP_WORKER_BIN: await mediaWorker(),
  SFU_PORT: '0',
  VOICE_P2P_PEERS_MAX: '1',
})
const TURN = { TURN_PORT: '0', TURN_ALLOWED_PEERS: '127.0.0.0/8' }

interface Round {
  join_ms: number[]
  worker_percent: number
  worker_mb: number
  bun_percent: number
  load_percent: number
  loss_percent: number
  packets_per_s: number
  frames_per_s: number
  viewer_percent: number
  viewer_frames_per_s: number
}

export const gatewayOf = (url: string) => (who: Person) => `${url.replace(/^http/, 'ws')}/ws?token=${who.token}`

/** People who may call each other in four voice channels, with the ids 1 to 4. */
async function seedCallers(bench: BenchServer): Promise<Person[]> {
  const people = await seed(bench, { users: 32, servers: 1, servers_per_user: 1, channels_per_server: 4 })
  await bench.sql`update channels set type = 'voice'`
  return people
}

/** The process of the SFU, once it is ready. */
async function sfuOf(bench: BenchServer): Promise<number> {
  const [pid] = await workersOf(bench, 1)
  if (pid === undefined) throw new Error('The server has no media worker')
  return pid
}

/** The processes of the SFU, once this number is ready. */
export async function workersOf(
  { url, process }: { url: string; process: { pid: number } },
  count: number,
): Promise<number[]> {
  for (let waited = 0; waited < READY_SECONDS_MAX * 10; waited++) {
    const { parts } = (await (await fetch(`${url}/readyz`)).json()) as { parts: { sfu: string } }
    const pids = mediaWorkersOf(process.pid)
    if (parts.sfu === 'ready' && pids.length === count) return pids
    await Bun.sleep(100)
  }
  throw new Error(`The SFU was not ready within ${READY_SECONDS_MAX} s`)
}

/** The media workers that a process has started. */
function mediaWorkersOf(parent: number): number[] {
  const pids: number[] = []
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      const [, name, , ppid] = /^\d+ \((.*)\) (\S) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
      if (Number(ppid) === parent && name?.startsWith('mediasoup')) pids.push(Number(pid))
    } catch {
      // The process has ended meanwhile.
    }
  return pids
}

/** Fills the rooms, one member after another, and measures while they talk. */
async function fill(
  bench: BenchServer,
  people: Person[],
  { rooms, members, speakers, screens, cameras, viewers }: Shape,
): Promise<Round> {
  const sfu = await sfuOf(bench)
  // One process per room: libwebrtc processes all audio of a process in one thread.
  const loads = Array.from({ length: rooms }, () => openChild('voice-load.ts'))
  const received = async () => {
    const all = await Promise.all(loads.map((load) => load.ask<Received>('received')))
    const sum = (name: keyof Received) => all.reduce((total, each) => total + each[name], 0)
    return { packets: sum('packets'), lost: sum('lost'), frames: sum('frames') }
  }
  let viewer: Viewer | undefined
  try {
    const join_ms: number[] = []
    for (let at = 0; at < rooms * members; at++) {
      const who = people[at]
      if (!who) throw new Error('too few were seeded')
      const [channel_id, gateway_url] = [1 + (at % rooms), gatewayOf(bench.url)(who)]
      const member: Member = {
        gateway_url,
        channel_id,
        shares_screen: screens && at < rooms,
        films: at < rooms * cameras,
        speaks: at < rooms * speakers,
        heard_ms_max: HEARD_MS_MAX,
      }
      const ms = await loads[at % rooms]?.ask<number | undefined>('join', member)
      if (ms !== undefined) join_ms.push(ms)
    }
    const watcher = people[rooms * members]
    if (viewers > 0 && watcher) {
      viewer = await openViewer(gatewayOf(bench.url)(watcher))
      await viewer.watch(1, TILE_HEIGHT)
    }
    await Bun.sleep(WARM_UP_SECONDS * 1000)
    const pids = [sfu, bench.process.pid, ...loads.map(({ pid }) => pid)]
    const [began, before] = [performance.now(), await received()]
    const cpu = pids.map(cpuMicroseconds)
    const [watched, seen] = [viewer?.spent() ?? 0, (await viewer?.pictures()) ?? 0]
    await Bun.sleep(MEASURE_SECONDS * 1000)
    const [watchedAfter, seenAfter] = [viewer?.spent() ?? 0, (await viewer?.pictures()) ?? 0]
    const spent = pids.map((pid, at) => cpuMicroseconds(pid) - (cpu[at] ?? 0))
    const worker_mb = residentBytes(sfu) / 1e6
    const [after, tookS] = [await received(), (performance.now() - began) / 1000]
    await Promise.all(loads.map((load) => load.ask('leave')))
    const [worker_percent = 0, bun_percent = 0, ...own] = spent.map((us) => us / tookS / 10_000)
    const [packets, lost] = [after.packets - before.packets, after.lost - before.lost]
    return {
      join_ms,
      worker_percent,
      worker_mb,
      bun_percent,
      load_percent: own.reduce((total, each) => total + each, 0),
      loss_percent: (100 * lost) / (packets + lost),
      packets_per_s: packets / tookS,
      frames_per_s: (after.frames - before.frames) / tookS,
      viewer_percent: (watchedAfter - watched) / tookS / 10_000,
      viewer_frames_per_s: (seenAfter - seen) / tookS,
    }
  } finally {
    await viewer?.close()
    await Promise.all(loads.map((load) => load.stop()))
  }
}

function figuresOf({ name, rooms, members, speakers, screens, cameras, viewers }: Shape, rounds: Round[]): Figure[] {
  const figure = (what: string, unit: string, value: (round: Round) => number): Figure => ({
    name: `${name}: ${what}`,
    unit,
    parley: rounds.map(value),
  })
  // Opus: 50 packets a second from each speaker to each other member. The load could not send the missing ones.
  const due = rooms * speakers * (members - 1) * 50
  return [
    { ...figure('CPU of the worker', '% of a core', (round) => round.worker_percent), note: JSON.stringify(rounds) },
    figure('memory of the worker', 'MB', (round) => round.worker_mb),
    figure('CPU of Bun', '% of a core', (round) => round.bun_percent),
    figure('loss', '%', (round) => round.loss_percent),
    figure(`packets to members (sound: ${due} due)`, 'packets/s', (round) => round.packets_per_s),
    ...(screens || cameras > 0 ? [figure('pictures decoded', 'pictures/s', (round) => round.frames_per_s)] : []),
    ...(viewers > 0
      ? [
          figure('CPU of the browser that watches', '% of a core', (round) => round.viewer_percent),
          figure('pictures decoded by it', 'pictures/s', (round) => round.viewer_frames_per_s),
        ]
      : []),
    figure('join to first sound, p50', 'ms', (round) => quantile(round.join_ms, 0.5)),
    figure('join to first sound, p99', 'ms', (round) => quantile(round.join_ms, 0.99)),
    figure(`joins that heard nothing within ${HEARD_MS_MAX / 1000} s`, 'joins', (round) => {
      return round.join_ms.filter((ms) => ms >= HEARD_MS_MAX).length
    }),
    figure('CPU of the load itself', '% of a core', (round) => round.load_percent),
  ]
}

/** Rooms on the SFU, without browsers. */
const sfuRooms = async (): Promise<Figure[]> =>
  withServer(
    async (bench) => {
      const people = await seedCallers(bench)
      const figures: Figure[] = []
      for (const shape of SHAPES) {
        const rounds: Round[] = []
        const began = performance.now()
        while (rounds.length < ROUNDS && performance.now() - began < SHAPE_SECONDS_MAX * 1000)
          rounds.push(await fill(bench, people, shape))
        figures.push(...figuresOf(shape, rounds))
      }
      return figures
    },
    undefined,
    await sfuVariables(),
  )

/** Calls of two in Chromium: the time from joining until each hears the other. */
async function firstAudio(bench: BenchServer, name: string, expected: (way: string) => boolean, isRelayOnly = false) {
  const [first, second] = await seedCallers(bench)
  if (!first || !second) throw new Error('nobody was seeded')
  const pair = await openCallPair([first, second], gatewayOf(bench.url))
  try {
    const values: number[] = []
    // The first call is a warm-up.
    for (let at = -1; at < CALLS; at++) {
      const { ms, way } = await pair.call(1, isRelayOnly)
      if (!expected(way)) throw new Error(`A call by ${name} went by ${way}`)
      if (at >= 0) values.push(ms)
    }
    return [
      { name: `first sound of a call by ${name}, p50`, unit: 'ms', parley: values },
      { name: `first sound of a call by ${name}, worst of ${CALLS}`, unit: 'ms', parley: [Math.max(...values)] },
    ]
  } finally {
    await pair.close()
  }
}

/** Voice: the SFU under load, and the time to the first sound by P2P, TURN and SFU. */
export async function voice(): Promise<Figure[]> {
  const loadBefore = loadavg()[0] ?? 0
  const figures = [...(await sfuRooms()), ...('calls of two'.includes(ONLY) ? await calls() : [])]
  return [...figures, { name: 'load of the machine before it', unit: '', parley: [loadBefore] }]
}

/** Calls of two, by each route. */
async function calls(): Promise<Figure[]> {
  return [
    ...(await withServer(
      (bench) => firstAudio(bench, 'P2P', (way) => way !== 'relay' && way !== 'sfu'),
      undefined,
      TURN,
    )),
    ...(await withServer((bench) => firstAudio(bench, 'TURN', (way) => way === 'relay', true), undefined, TURN)),
    ...(await withServer(
      async (bench) => {
        await sfuOf(bench)
        return firstAudio(bench, 'SFU', (way) => way === 'sfu')
      },
      undefined,
      await sfuVariables(),
    )),
  ]
}
