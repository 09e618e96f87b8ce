import { serveCommands } from './processes.ts'
import { textFrame } from './frames.ts'
import type { Target } from './http-connections.ts'
import { openSocket, type SocketClient } from './socket-client.ts'

// A program that opens many WebSocket clients of one server.
const HANDSHAKES_AT_ONCE = 256
const PING = textFrame('{"op":"ping","id":1}')

const clients: SocketClient[] = []
const lost: string[] = []
const pinged = new Map<SocketClient, number>()
let pingsMs: number[] = []

const listener = {
  answer(client: SocketClient) {
    pingsMs.push(performance.now() - (pinged.get(client) ?? 0))
    pinged.delete(client)
  },
  lost: (why: string) => void lost.push(why),
}

interface OpenCommand {
  target: Target
  paths: string[]
  /** The server sends `synced` at the end of a handshake. */
  synced: boolean
}

async function open({ target, paths, synced }: OpenCommand) {
  const started = performance.now()
  const remaining = [...paths]
  await Promise.all(
    Array.from({ length: HANDSHAKES_AT_ONCE }, async () => {
      for (let path = remaining.pop(); path !== undefined; path = remaining.pop()) {
        const client = await openSocket(target, path, listener)
        clients.push(client)
        if (synced) await client.synced
      }
    }),
  )
  return { took_s: (performance.now() - started) / 1000 }
}

/** Every client sends a ping per second, spread evenly. @returns milliseconds until each answer */
async function ping({ seconds }: { seconds: number }) {
  pingsMs = []
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
  return { ms: pingsMs, unanswered }
}

serveCommands({
  open,
  ping,
  lost: () => lost,
  close() {
    for (const client of clients.splice(0)) client.close()
  },
})
