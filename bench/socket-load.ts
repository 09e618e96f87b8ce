import { serveCommands } from './processes.ts'
import { textFrame } from './frames.ts'
import { openConnection, type Target } from './http-connections.ts'
import { openSocket, type SocketClient } from './socket-client.ts'

// A program that opens many WebSocket clients of one server.
const HANDSHAKES_AT_ONCE = 32
const DELIVERY_SECONDS_MAX = 30
const PING = textFrame('{"op":"ping","id":1}')

const clients: SocketClient[] = []
const lost: string[] = []
/** How many clients have received the message of each number. */
let counts: number[] = []
let onLast: (message: number) => void = () => {}
const pinged = new Map<SocketClient, number>()
let pings_ms: number[] = []

const listener = {
  message(client: SocketClient) {
    const message = client.received++
    const count = (counts[message] ?? 0) + 1
    counts[message] = count
    if (count === clients.length) onLast(message)
  },
  answer(client: SocketClient) {
    pings_ms.push(performance.now() - (pinged.get(client) ?? 0))
    pinged.delete(client)
  },
  lost: (why: string) => void lost.push(why),
}

interface OpenCommand {
  target: Target
  paths: string[]
  /** Whether the server sends `synced` at the end of a handshake. */
  synced: boolean
}

async function open({ target, paths, synced }: OpenCommand) {
  const started = performance.now()
  const left = [...paths]
  await Promise.all(
    Array.from({ length: HANDSHAKES_AT_ONCE }, async () => {
      for (let path = left.pop(); path !== undefined; path = left.pop()) {
        const client = await openSocket(target, path, listener)
        clients.push(client)
        if (synced) await client.synced
      }
    }),
  )
  return { took_s: (performance.now() - started) / 1000 }
}

interface SendCommand {
  target: Target
  request: string
  messages: number
}

/** Waits until every client has received so many messages. @returns the time when each was complete */
function receive(messages: number): Promise<number[]> {
  counts = []
  for (const client of clients) client.received = 0
  const completed: number[] = []
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`${completed.length} of ${messages} messages reached everyone; ${lost[0] ?? ''}`)),
      DELIVERY_SECONDS_MAX * 1000,
    )
    onLast = (message) => {
      completed[message] = performance.now()
      if (message !== messages - 1) return
      clearTimeout(timer)
      resolve(completed)
    }
  })
}

async function post(connection: { send(request: string): Promise<number> }, request: string): Promise<void> {
  const status = await connection.send(request)
  if (status !== 201) throw new Error(`A POST was answered with ${status}`)
}

/** Sends messages as fast as `in_flight` concurrent POSTs allow. */
async function flood({ target, request, messages, in_flight }: SendCommand & { in_flight: number }) {
  const connections = await Promise.all(Array.from({ length: in_flight }, () => openConnection(target)))
  const received = receive(messages)
  const started = performance.now()
  let left = messages
  const senders = connections.map(async (connection) => {
    while (left-- > 0) await post(connection, request)
  })
  const [completed] = await Promise.all([received, Promise.all(senders)])
  for (const connection of connections) connection.close()
  const took_s = ((completed[messages - 1] ?? Number.NaN) - started) / 1000
  return { deliveries_per_s: (messages * clients.length) / took_s }
}

/** Sends messages at a steady rate. @returns milliseconds from each POST to its last delivery */
async function paced({ target, request, messages, per_s }: SendCommand & { per_s: number }) {
  const connections = await Promise.all(Array.from({ length: 8 }, () => openConnection(target)))
  const received = receive(messages)
  const sent: number[] = []
  const started = performance.now()
  const answers: Promise<void>[] = []
  for (let n = 0; n < messages; n++) {
    const wait = started + (n * 1000) / per_s - performance.now()
    if (wait > 0) await Bun.sleep(wait)
    const connection = connections[n % connections.length]
    sent[n] = performance.now()
    if (connection)
      answers.push((answers[n - connections.length] ?? Promise.resolve()).then(() => post(connection, request)))
  }
  const [completed] = await Promise.all([received, Promise.all(answers)])
  for (const connection of connections) connection.close()
  return { ms: completed.map((at, n) => at - (sent[n] ?? Number.NaN)) }
}

/** Every client sends a ping per second, spread evenly. @returns milliseconds until each answer */
async function ping({ seconds }: { seconds: number }) {
  pings_ms = []
  const started = performance.now()
  const total = clients.length * seconds
  for (let sent = 0; sent < total;) {
    const due = Math.min(total, Math.ceil(((performance.now() - started) / 1000) * clients.length))
    for (; sent < due; sent++) {
      const client = clients[sent % clients.length]
      if (!client || pinged.has(client)) continue
      pinged.set(client, performance.now())
      client.write(PING)
    }
    await Bun.sleep(2)
  }
  await Bun.sleep(1000)
  const unanswered = pinged.size
  pinged.clear()
  return { ms: pings_ms, unanswered }
}

serveCommands({
  open,
  flood,
  paced,
  ping,
  lost: () => lost,
  close() {
    for (const client of clients.splice(0)) client.close()
  },
})
