import { cpuMicroseconds, residentBytes } from './processes.ts'
import { atMost, type Figure, median } from './report.ts'
import { seed } from './seed.ts'
import { type ServerProcess, startServer, withServer } from './server.ts'

const BOTS = 300
/** Bots that connect before the measured ones, so that one-time costs do not count. */
const WARM_UP_BOTS = 30
const ROUNDS = 3
const SERVERS = 30
const SERVERS_PER_BOT = 10
/** Seconds to wait for the garbage collection after the handshakes. */
const COLLECTION_SECONDS = 4
const MESSAGES = 200
/** Guilds, messages and their content. */
const INTENTS = (1 << 0) | (1 << 9) | (1 << 15)
const OF_OWN_MAX = 1.5
/** Bots that hear the measured messages: one, and all of them. */
const FEW = 1

type Door = 'own' | 'discord'

/** Opens a connection of a bot, and resolves when it has its servers. */
async function openBot(door: Door, { url }: ServerProcess, token: string): Promise<WebSocket> {
  const base = url.replace('http', 'ws')
  const socket = new WebSocket(door === 'own' ? `${base}/ws?token=${token}` : `${base}/discord/gateway`)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let servers = 0
  socket.onmessage = ({ data }: MessageEvent<string>) => {
    if (data.startsWith('{"t":"synced"')) resolve()
    else if (data.startsWith('{"op":10,') || data.includes('"heartbeat_interval"'))
      socket.send(JSON.stringify({ op: 2, d: { token, intents: INTENTS, properties: {} } }))
    else if (data.includes('"t":"GUILD_CREATE"') && ++servers === SERVERS_PER_BOT) resolve()
  }
  socket.onclose = ({ code }) => reject(new Error(`closed: ${code}`))
  await promise
  return socket
}

/** Opens bots one after another. */
async function openAll(door: Door, server: ServerProcess, tokens: string[]): Promise<WebSocket[]> {
  const sockets: WebSocket[] = []
  for (const token of tokens) sockets.push(await openBot(door, server, token))
  return sockets
}

async function closeAll(sockets: WebSocket[]): Promise<void> {
  for (const socket of sockets) {
    socket.onclose = null
    socket.close()
  }
}

/** Processor time of the server for a message that all these bots hear, in microseconds. */
async function timeOf(server: ServerProcess, sender: string, sockets: WebSocket[]): Promise<number> {
  const delivery = Promise.withResolvers<void>()
  let remaining = sockets.length
  for (const socket of sockets)
    socket.onmessage = ({ data }: MessageEvent<string>) => {
      if (data.includes('The last one') && --remaining === 0) delivery.resolve()
    }
  const say = (content: string) =>
    fetch(`${server.url}/api/channels/1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sender}`, 'content-type': 'application/json' },
      body: JSON.stringify({ content }),
    })
  const before = cpuMicroseconds(server.pid)
  for (let n = 1; n < MESSAGES; n++) await say(`Message ${n}`)
  await say('The last one')
  await delivery.promise
  return (cpuMicroseconds(server.pid) - before) / MESSAGES
}

interface Round {
  /** Growth per idle bot, KB. */
  kb: number
  /** Processor time per message and further bot, µs. */
  us: number
}

async function measure(door: Door, data: string, sender: string, tokens: string[]): Promise<Round> {
  const server = await startServer(data)
  try {
    await closeAll(await openAll(door, server, tokens.slice(BOTS)))
    await Bun.sleep(COLLECTION_SECONDS * 1000)
    const warm = residentBytes(server.pid)
    const sockets = await openAll(door, server, tokens.slice(0, BOTS))
    await Bun.sleep(COLLECTION_SECONDS * 1000)
    const kb = (residentBytes(server.pid) - warm) / 1024 / BOTS
    // Only bots of the first server hear its channel.
    const hearing = sockets.filter((_, at) => at % SERVERS === 0)
    const all = await timeOf(server, sender, hearing)
    await closeAll(sockets.filter((socket) => socket !== hearing[0]))
    await Bun.sleep(1000)
    const few = await timeOf(server, sender, hearing.slice(0, FEW))
    return { kb, us: (all - few) / (BOTS / SERVERS_PER_BOT - FEW) }
  } finally {
    await server.stop()
  }
}

/** An idle bot on Discord's door against one on our gateway: memory, and what one more hearer of a message costs. */
export const bots = (): Promise<Figure[]> =>
  withServer(async (bench) => {
    const people = await seed(bench, {
      users: BOTS + WARM_UP_BOTS + 1,
      servers: SERVERS,
      servers_per_user: SERVERS_PER_BOT,
      channels_per_server: 20,
    })
    const [sender, ...others] = people.map(({ token }) => token)
    await bench.sql`update users set kind = 'bot' where id > 1`
    await bench.process.stop()
    const rounds: Record<Door, Round[]> = { own: [], discord: [] }
    for (let round = 0; round < ROUNDS; round++)
      for (const door of round % 2 === 0 ? (['own', 'discord'] as const) : (['discord', 'own'] as const))
        rounds[door].push(await measure(door, bench.data, sender ?? '', others))
    const [own, discord] = [rounds.own, rounds.discord]
    const kbs = (list: Round[]) => list.map(({ kb }) => kb)
    const times = (list: Round[]) => list.map(({ us }) => us)
    const ratio = median(kbs(discord)) / median(kbs(own))
    return [
      {
        name: 'memory of an idle bot on Discord’s door, KB',
        unit: 'KB',
        parley: kbs(discord),
        reference: { name: 'our gateway', values: kbs(own) },
        target: atMost(OF_OWN_MAX, ratio, `≤ ${OF_OWN_MAX}× of our gateway`),
      },
      {
        name: 'processor time of a message for each further bot that hears it, µs',
        unit: 'µs',
        parley: times(discord),
        reference: { name: 'our gateway', values: times(own) },
      },
    ]
  })
