import type { WebSocketHandler } from 'bun'
import { databaseProblem } from '../database/database.ts'
import { errorFields } from '../core/log.ts'
import type { Parts } from '../parts.ts'
import { Problem } from '../core/errors.ts'
import { VOICE_COMMANDS_PER_MINUTE_MAX, VOICE_FRAME_BYTES_MAX } from '../voice/model.ts'
import { type Client, closeWith, drained, isOpen, type Socket } from './client.ts'
import type { RunCommand } from './commands.ts'
import type { Hub } from './hub.ts'
import { close, CommandFrame, COMMANDS_PER_MINUTE_MAX, FRAME_BYTES_MAX, OUTBOUND_BYTES_MAX } from './model.ts'

/** Bun's own idle limit, in case the heartbeat is late. */
const IDLE_SECONDS_MAX = 120

/** The commands whose frames may be long. Source: gateway.md, guarantee 5. */
const LARGE = /^voice\.(description$|sfu\.)/

/** The native WebSocket handlers. */
export function socketHandlers({ log, metrics }: Parts, hub: Hub, run: RunCommand): WebSocketHandler<Client> {
  const answer = (socket: Socket, re: number | undefined, result: Record<string, unknown>) => {
    hub.flush()
    if (isOpen(socket)) socket.send(JSON.stringify({ re: re ?? null, ...result }))
  }

  async function command(socket: Socket, frame: { op: string; id?: number; d?: unknown }): Promise<void> {
    const started = performance.now()
    const done = (ok: 'yes' | 'no') =>
      metrics.commands.observe({ op: ok === 'yes' ? frame.op : 'refused', ok }, (performance.now() - started) / 1000)
    // `ready` comes first, whatever the client is in a hurry for.
    if (!socket.data.live) await socket.data.settling
    if (!isOpen(socket)) return
    try {
      answer(socket, frame.id, { d: await run(socket.data, frame.op, frame.d) })
      done('yes')
    } catch (error) {
      const problem = error instanceof Problem ? error : (databaseProblem(error) ?? new Problem('internal'))
      if (problem.code === 'internal') log('error', 'gateway.command', { op: frame.op, ...errorFields(error) })
      answer(socket, frame.id, { error: problem.toBody() })
      done('no')
    }
  }

  return {
    data: undefined as unknown as Client,
    // One more than is allowed, so that our own close code is seen and not a bare 1006.
    maxPayloadLength: 2 * VOICE_FRAME_BYTES_MAX,
    idleTimeout: IDLE_SECONDS_MAX,
    sendPings: false,
    perMessageDeflate: false,
    backpressureLimit: OUTBOUND_BYTES_MAX,
    closeOnBackpressureLimit: true,
    open: (socket) => hub.opened(socket),
    close: (socket, code) => hub.closed(socket, code),
    drain: drained,
    ping: (socket) => void (socket.data.heard_at = Date.now()),
    pong: (socket) => void (socket.data.heard_at = Date.now()),
    message(socket, message) {
      const client = socket.data
      client.heard_at = Date.now()
      if (typeof message !== 'string') return closeWith(socket, close.malformed)
      const bytes = Buffer.byteLength(message)
      if (bytes > VOICE_FRAME_BYTES_MAX) return closeWith(socket, close.too_big)
      const frame = CommandFrame.safeParse(parsed(message))
      if (bytes > FRAME_BYTES_MAX && !LARGE.test(frame.data?.op ?? '')) return closeWith(socket, close.too_big)
      if (!frame.success) return closeWith(socket, close.malformed)
      // Whatever is not counted here closes the socket.
      if (!countCommand(client, frame.data.op)) return closeWith(socket, close.rate_limited)
      void command(socket, frame.data)
    },
  }
}

function parsed(message: string): unknown {
  try {
    return JSON.parse(message)
  } catch {
    return undefined
  }
}

function countCommand(client: Client, op: string): boolean {
  const minute = Math.floor(client.heard_at / 60_000)
  if (client.minute !== minute) client.commands = client.voice_commands = 0
  client.minute = minute
  if (op.startsWith('voice.')) return ++client.voice_commands <= VOICE_COMMANDS_PER_MINUTE_MAX
  return ++client.commands <= COMMANDS_PER_MINUTE_MAX
}
