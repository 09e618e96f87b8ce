import type { WebSocketHandler } from 'bun'
import { databaseProblem } from '../database/database.ts'
import { errorFields } from '../core/log.ts'
import type { Parts } from '../parts.ts'
import { Problem } from '../core/errors.ts'
import { VOICE_COMMANDS_PER_MINUTE_MAX, VOICE_FRAME_BYTES_MAX } from '../voice/model.ts'
import type { RunCommand } from './commands.ts'
import type { Gateway } from './gateway.ts'
import {
  close,
  CommandFrame,
  COMMANDS_PER_MINUTE_MAX,
  CONTROL_FRAMES_PER_MINUTE_MAX,
  FRAME_BYTES_MAX,
  OUTBOUND_BYTES_MAX,
} from './model.ts'
import { closeWith, isOpen, type Socket, type SocketData } from './socket.ts'

/** Bun's own idle timeout, in case the heartbeat is late. */
const IDLE_SECONDS_MAX = 120

/** Commands whose frames may exceed FRAME_BYTES_MAX (docs/gateway.md, guarantee 5). */
const LARGE = /^voice\.(description$|mls$|sfu\.)/

/** Bun's handlers for the gateway's sockets. */
export function socketHandlers(
  { log, metrics }: Pick<Parts, 'log' | 'metrics'>,
  gateway: Gateway,
  run: RunCommand,
): WebSocketHandler<SocketData> {
  const answer = (socket: Socket, re: number | undefined, result: Record<string, unknown>) => {
    gateway.flush()
    if (isOpen(socket)) socket.send(JSON.stringify({ re: re ?? null, ...result }))
  }

  async function runCommand(socket: Socket, frame: { op: string; id?: number; d?: unknown }): Promise<void> {
    const startedAt = performance.now()
    const observe = (op: string, ok: 'yes' | 'no') =>
      metrics.commands.observe({ op, ok }, (performance.now() - startedAt) / 1000)
    // No answer may precede `ready`.
    if (socket.data.state !== 'live') await socket.data.refreshing
    if (!isOpen(socket)) return
    try {
      answer(socket, frame.id, { d: await run(socket.data, frame.op, frame.d) })
      observe(frame.op, 'yes')
    } catch (error) {
      const problem = error instanceof Problem ? error : (databaseProblem(error) ?? new Problem('internal'))
      if (problem.code === 'internal') log('error', 'gateway.command', { op: frame.op, ...errorFields(error) })
      answer(socket, frame.id, { error: problem.toBody() })
      observe('refused', 'no')
    }
  }

  return {
    // Larger than any allowed frame, so that the client gets our close code instead of 1006.
    maxPayloadLength: 2 * VOICE_FRAME_BYTES_MAX,
    idleTimeout: IDLE_SECONDS_MAX,
    sendPings: false,
    perMessageDeflate: false,
    backpressureLimit: OUTBOUND_BYTES_MAX,
    closeOnBackpressureLimit: true,
    open: (socket) => gateway.handleOpen(socket),
    close: (socket, code) => gateway.handleClose(socket, code),
    drain: (socket) => gateway.drained(socket),
    ping: countControlFrame,
    pong(socket) {
      const { data } = socket
      if (data.pingsUnanswered === 0) return countControlFrame(socket)
      data.pingsUnanswered--
      data.heardAt = Date.now()
    },
    message(socket, message) {
      const { data } = socket
      data.heardAt = Date.now()
      if (typeof message !== 'string') return closeWith(socket, close.malformed)
      const bytes = Buffer.byteLength(message)
      if (bytes > VOICE_FRAME_BYTES_MAX) return closeWith(socket, close.too_big)
      const frame = CommandFrame.safeParse(parseJson(message))
      if (bytes > FRAME_BYTES_MAX && !LARGE.test(frame.data?.op ?? '')) return closeWith(socket, close.too_big)
      if (!frame.success) return closeWith(socket, close.malformed)
      if (!countCommand(data, frame.data.op)) return closeWith(socket, close.rate_limited)
      void runCommand(socket, frame.data)
    },
  }
}

/** @returns undefined for anything but JSON */
function parseJson(message: string): unknown {
  try {
    return JSON.parse(message)
  } catch {
    return undefined
  }
}

/** Resets the counters when a new minute begins, by `heardAt`. */
function beginMinute(data: SocketData): void {
  const minute = Math.floor(data.heardAt / 60_000)
  if (data.minute !== minute) data.commands = data.opened = data.voiceCommands = data.controlFrames = 0
  data.minute = minute
}

/** Counts a ping or an unsolicited pong. Closes a client that sends too many. */
function countControlFrame(socket: Socket): void {
  const { data } = socket
  // Skip input that a closed socket still delivers.
  if (!isOpen(socket)) return
  data.heardAt = Date.now()
  beginMinute(data)
  if (++data.controlFrames > CONTROL_FRAMES_PER_MINUTE_MAX) closeWith(socket, close.rate_limited)
}

/** Counts a command. @returns true if it is within the limit */
function countCommand(data: SocketData, op: string): boolean {
  beginMinute(data)
  if (op.startsWith('voice.')) return ++data.voiceCommands <= VOICE_COMMANDS_PER_MINUTE_MAX
  return ++data.commands <= COMMANDS_PER_MINUTE_MAX
}
