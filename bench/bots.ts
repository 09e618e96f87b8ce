import type { Heap } from './heap-probe.ts'
import { cpuMicroseconds, residentBytes } from './processes.ts'
import { atMost, type Figure, median } from './report.ts'
import { seed } from './seed.ts'
import { type BenchServer, type ServerProcess, startServer, withServer } from './server.ts'

const BOTS = 600
/** Bots that connect before the measured ones, so that one-time costs do not count. */
const WARM_UP_BOTS = 100
/** Bots that connect at the same time. */
const AT_ONCE = 8
const ROUNDS = Number(process.env.BOTS_ROUNDS ?? 3)
const hasOwnRoles = process.env.BOTS_OWN_ROLES === '1'
const SERVERS = 60
const SERVERS_PER_BOT = 10
/** Seconds in which the server has to collect the garbage of handshakes by itself. */
const COLLECTION_SECONDS = 4
/** Seconds until the allocator has returned freed memory. */
const RETURN_SECONDS = 2
const MESSAGES = 200
/** Limit of each step. */
const STEP_SECONDS_MAX = 120
const CHANNELS_PER_SERVER = 20
/** The first channel of the second server, in which the sender is too. */
const CHANNEL = CHANNELS_PER_SERVER + 1
/** Guilds, messages and their content. */
const INTENTS = (1 << 0) | (1 << 9) | (1 << 15)
const OF_OWN_MAX = 1.5
/** Bots that hear the measured messages: one, and all of them. */
const FEW = 1

/** `zlib` is Discord's door with the compression that discord.py asks for. */
const DOORS = ['own', 'discord', 'zlib'] as const
type Door = (typeof DOORS)[number]
const PATHS = { discord: '/discord/gateway', zlib: '/discord/gateway?compress=zlib-stream' }
/** HELLO, READY and the servers. */
const OPENING_FRAMES = 2 + SERVERS_PER_BOT

/** Rejects what takes too long, so that a benchmark that is stuck says where. */
async function within<T>(what: string, work: Promise<T>): Promise<T> {
  const { promise: limit, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`${what} took over ${STEP_SECONDS_MAX} s`)), STEP_SECONDS_MAX * 1000)
  return Promise.race([work, limit]).finally(() => clearTimeout(timer))
}

/** Opens a connection of a bot, and resolves when it has its servers. */
async function openBot(door: Door, { url }: ServerProcess, token: string): Promise<WebSocket> {
  const base = url.replace('http', 'ws')
  const socket = new WebSocket(base + (door === 'own' ? `/ws?token=${token}` : PATHS[door]))
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let frames = 0
  socket.onmessage = ({ data }: MessageEvent<unknown>) => {
    frames++
    if (door === 'own') {
      if (String(data).startsWith('{"t":"synced"')) resolve()
    } else if (frames === 1) socket.send(JSON.stringify({ op: 2, d: { token, intents: INTENTS, properties: {} } }))
    else if (frames === OPENING_FRAMES) resolve()
  }
  socket.onclose = ({ code }) => reject(new Error(`closed: ${code}`))
  await promise
  return socket
}

/** Opens bots, AT_ONCE of them concurrently. They give their sessions up when they close. */
async function openAll(door: Door, server: ServerProcess, tokens: string[]): Promise<WebSocket[]> {
  const sockets: WebSocket[] = []
  const remaining = tokens.entries()
  const open = async () => {
    for (const [at, token] of remaining) sockets[at] = await openBot(door, server, token)
  }
  await within(`Opening ${tokens.length} bots`, Promise.all(Array.from({ length: AT_ONCE }, open)))
  return sockets
}

async function closeAll(sockets: WebSocket[]): Promise<void> {
  const closings = sockets.map((socket) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    socket.onclose = () => resolve()
    socket.close(1000)
    return promise
  })
  await within(`Closing ${sockets.length} bots`, Promise.all(closings))
}

/** Processor time of the server for a message that all these bots hear, in microseconds. */
async function timeOf(server: ServerProcess, sender: string, sockets: WebSocket[]): Promise<number> {
  const delivery = Promise.withResolvers<void>()
  let remaining = sockets.length
  for (const socket of sockets)
    socket.onmessage = ({ data }: MessageEvent<string>) => {
      if (data.includes('The last one') && --remaining === 0) delivery.resolve()
    }
  const say = async (content: string) => {
    const { status } = await fetch(`${server.url}/api/channels/${CHANNEL}/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sender}`, 'content-type': 'application/json' },
      body: JSON.stringify({ content }),
    })
    if (status !== 201) throw new Error(`A message was answered by ${status}`)
  }
  const before = cpuMicroseconds(server.pid)
  for (let n = 1; n < MESSAGES; n++) await say(`Message ${n}`)
  await say('The last one')
  await within(`Delivery to ${sockets.length} bots`, delivery.promise)
  return (cpuMicroseconds(server.pid) - before) / MESSAGES
}

/** True if a bot is in the second server, of which the channel is. The first bot is the second account: see seed.ts. */
const hears = (at: number): boolean => (((2 - (at + 2)) % SERVERS) + SERVERS) % SERVERS < SERVERS_PER_BOT

interface Round {
  /** Growth of resident memory per idle bot, KB: as it is, and after a full collection. */
  kb: number
  kb_collected: number
  /** Growth of the JavaScript heap per idle bot, KB, after a full collection. */
  heap_kb: number
  /** The same of the heap's blocks, which are kept as long as one object in them lives. */
  blocks_kb: number
  /** Processor time per message and further bot, µs. */
  us: number
}

interface Memory {
  resident: number
  heap: Heap
}

/** Memory after a full collection. */
async function collected(server: ServerProcess): Promise<Memory> {
  const heap = await server.collect()
  await Bun.sleep(RETURN_SECONDS * 1000)
  return { resident: residentBytes(server.pid), heap }
}

/** Objects per bot, of the types of which at least one bot in ten has one. */
function objectsPerBot(before: Heap, after: Heap): string {
  const growths = Object.entries(after.types).map(
    ([type, count]) => [type, (count - (before.types[type] ?? 0)) / BOTS] as const,
  )
  return growths.flatMap(([type, count]) => (count >= 0.1 ? `${type} ${count.toFixed(1)}` : [])).join(', ')
}

async function measure(door: Door, data: string, sender: string, tokens: string[]): Promise<Round> {
  const server = await startServer(data, {}, true)
  try {
    await closeAll(await openAll(door, server, tokens.slice(BOTS)))
    await Bun.sleep(COLLECTION_SECONDS * 1000)
    const warm = await collected(server)
    const sockets = await openAll(door, server, tokens.slice(0, BOTS))
    await Bun.sleep(COLLECTION_SECONDS * 1000)
    const perBot = (bytes: number) => bytes / 1024 / BOTS
    const kb = perBot(residentBytes(server.pid) - warm.resident)
    const full = await collected(server)
    const kb_collected = perBot(full.resident - warm.resident)
    const heap_kb = perBot(full.heap.bytes - warm.heap.bytes)
    const blocks_kb = perBot(full.heap.capacity - warm.heap.capacity)
    const figures = Object.entries({ kb, kb_collected, heap_kb, blocks_kb })
    const line = figures.map(([name, value]) => `${name} ${value.toFixed(1)}`).join(', ')
    console.error(`${door}: ${line}; ${objectsPerBot(warm.heap, full.heap)}`)
    if (door === 'zlib') {
      await closeAll(sockets)
      return { kb, kb_collected, heap_kb, blocks_kb, us: 0 }
    }
    const hearing = sockets.filter((_, at) => hears(at))
    const all = await timeOf(server, sender, hearing)
    await closeAll(sockets.filter((socket) => socket !== hearing[0]))
    await Bun.sleep(1000)
    const few = await timeOf(server, sender, hearing.slice(0, FEW))
    await closeAll(hearing.slice(0, FEW))
    return { kb, kb_collected, heap_kb, blocks_kb, us: (all - few) / (hearing.length - FEW) }
  } finally {
    await server.stop()
  }
}

/**
 * Gives each bot a role of its own in each of its servers, as bots have that were added by people: then no two of them
 * have the same view of a server. With a hundred bots in a server, its snapshot is mostly roles.
 */
async function giveRoles({ sql }: BenchServer): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`insert into roles (server_id, name, permissions, position, bot_id)
      select server_id, 'bot ' || user_id, 0, row_number() over (partition by server_id order by user_id), user_id
      from members where user_id > 1`
    await tx`insert into member_roles (server_id, user_id, role_id)
      select server_id, bot_id, id from roles where bot_id is not null`
  })
}

/** An idle bot on Discord's door against one on our gateway: memory, and the cost of one more hearer of a message. */
export const bots = (): Promise<Figure[]> =>
  withServer(async (bench) => {
    const people = await seed(bench, {
      users: BOTS + WARM_UP_BOTS + 1,
      servers: SERVERS,
      servers_per_user: SERVERS_PER_BOT,
      channels_per_server: CHANNELS_PER_SERVER,
    })
    const [sender, ...others] = people.map(({ token }) => token)
    await bench.sql`update users set kind = 'bot' where id > 1`
    if (hasOwnRoles) await giveRoles(bench)
    await bench.process.stop()
    const rounds: Record<Door, Round[]> = { own: [], discord: [], zlib: [] }
    for (let round = 0; round < ROUNDS; round++)
      for (const door of round % 2 === 0 ? DOORS : DOORS.toReversed())
        rounds[door].push(await measure(door, bench.data, sender ?? '', others))
    const values = (door: Door, name: keyof Round) => rounds[door].map((round) => round[name])
    const figure = (name: string, door: Door, key: keyof Round, isJudged: boolean): Figure => {
      const reference = { name: 'our gateway', values: values('own', key) }
      const ratio = median(values(door, key)) / median(reference.values)
      const target = atMost(OF_OWN_MAX, ratio, `≤ ${OF_OWN_MAX}× of our gateway`)
      return { name, unit: 'KB', parley: values(door, key), reference, ...(isJudged ? { target } : {}) }
    }
    return [
      figure("memory of an idle bot on Discord's door, KB", 'discord', 'kb', true),
      figure('the same after a full garbage collection, KB', 'discord', 'kb_collected', true),
      figure('its part in the JavaScript heap, KB', 'discord', 'heap_kb', false),
      figure('its part in the blocks of the heap, KB', 'discord', 'blocks_kb', false),
      figure('memory of an idle bot that asked for zlib-stream, KB', 'zlib', 'kb', true),
      figure('the same after a full garbage collection, with zlib-stream, KB', 'zlib', 'kb_collected', false),
      {
        name: 'processor time of a message for each further bot that hears it, µs',
        unit: 'µs',
        parley: values('discord', 'us'),
        reference: { name: 'our gateway', values: values('own', 'us') },
      },
    ]
  })
