import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Nodes } from '../../cluster/nodes.ts'
import type { ForeignSocket } from '../../gateway/socket.ts'
import type { VoiceConnection } from './voice-connection.ts'
import { VOICE_CLOSE } from './wire.ts'

/** Relays that this process serves for others; each needs a bot's token. */
const SERVED_MAX = 10_000
/** Frames that a bot may send until the other process answers. A library sends heartbeats then, two at most. */
const EARLY_FRAMES_MAX = 10

const n = z.int().min(1)
const Frame = z.string()
/** From the process that a bot has reached to the one that has its call. `open` comes with the first frame. */
const Up = z.discriminatedUnion('say', [
  z.object({ say: z.literal('open'), n, ip: z.string().max(64).optional(), frame: Frame }),
  z.object({ say: z.literal('frame'), n, frame: Frame }),
  z.object({ say: z.literal('closed'), n }),
])
/** Back. Without a code, the connection is broken off, so that the library resumes. */
const Down = z.discriminatedUnion('say', [
  z.object({ say: z.literal('frame'), n, frame: Frame }),
  z.object({ say: z.literal('close'), n, code: z.int().min(1000).max(4999).optional(), reason: z.string().max(123) }),
])
type Up = z.output<typeof Up>
type Down = z.output<typeof Down>
const UP = 'discord.voice_up'
const DOWN = 'discord.voice_down'

/** A new token for a call, which names the process that has the call. */
export const newToken = (node: string): string => `${node}.${randomBytes(24).toString('base64url')}`

/** A connection that this process passes on. */
interface Passed {
  number: number
  node: string
  connection: VoiceConnection
  /** Called with the first frame that comes back; undefined afterwards. */
  onAnswer: (() => void) | undefined
  /** Frames before that. */
  earlyFrames: number
}

interface RelaysTools {
  nodes: Nodes
  /** Makes a connection whose socket is on another process. */
  newConnection(demandedIp: string | undefined): VoiceConnection
}

/**
 * Connections to the voice gateway whose bot has its call on another process: a load balancer brings a bot's two
 * connections to any two processes. The one that a bot has reached passes its frames to the other over Redis, and back;
 * packets of sound go to that other one by themselves, since it names its own UDP port. Heartbeats are passed as well:
 * the process with the call answers them, so a relay that has failed is noticed at both ends, and the library resumes.
 */
export class Relays {
  /** Connections of this process that it passes on, by number. */
  readonly #passed = new Map<number, Passed>()
  readonly #numbers = new Map<VoiceConnection, number>()
  /** Connections that others pass to this process, by process and number. */
  readonly #served = new Map<string, VoiceConnection>()
  readonly #nodes: Nodes
  #newest = 0

  constructor(private readonly tools: RelaysTools) {
    this.#nodes = tools.nodes
    this.#nodes.onMessage(UP, (from, body) => {
      const { data } = Up.safeParse(body)
      if (data) this.#serve(from, data)
    })
    this.#nodes.onMessage(DOWN, (from, body) => {
      const { data } = Down.safeParse(body)
      if (data) this.#take(from, data)
    })
    this.#nodes.onGone((node) => {
      for (const passed of this.#passed.values()) if (passed.node === node) passed.connection.terminate()
      for (const key of this.#served.keys()) if (key.startsWith(`${node} `)) this.#endServed(key)
    })
  }

  /**
   * Passes a connection on from its first frame, if another process has the call of its token.
   * @param onAnswer called once, when the first frame comes back
   * @returns false if no other process has it
   */
  begin(connection: VoiceConnection, token: string, first: object, onAnswer: () => void): boolean {
    const node = token.slice(0, token.indexOf('.'))
    if (!this.#nodes.others().includes(node)) return false
    const number = ++this.#newest
    const passed: Passed = { number, node, connection, onAnswer, earlyFrames: 0 }
    this.#passed.set(number, passed)
    this.#numbers.set(connection, number)
    connection.passOn((frame) => this.#pass(passed, frame))
    this.#up(node, { say: 'open', n: number, ip: connection.demandedIp, frame: JSON.stringify(first) })
    return true
  }

  /** Call when a connection of this process has ended. */
  ended(connection: VoiceConnection): void {
    const passed = this.#forget(connection)
    if (passed) this.#up(passed.node, { say: 'closed', n: passed.number })
  }

  /** Call when this process stops: libraries resume by another one. */
  stop(): void {
    for (const { connection } of this.#passed.values()) connection.close(VOICE_CLOSE.restarting)
  }

  #forget(connection: VoiceConnection): Passed | undefined {
    const number = this.#numbers.get(connection)
    const passed = number === undefined ? undefined : this.#passed.get(number)
    this.#numbers.delete(connection)
    if (passed) this.#passed.delete(passed.number)
    return passed
  }

  #up(node: string, message: Up): void {
    this.#nodes.send(node, UP, message)
  }

  #down(node: string, message: Down): void {
    this.#nodes.send(node, DOWN, message)
  }

  /** A frame of a bot that has reached this process. */
  #pass(passed: Passed, frame: string): void {
    const { number, node, connection, onAnswer } = passed
    // The other process has ended its part, and the socket is closing.
    if (this.#passed.get(number) !== passed) return
    // Anybody can make up a token that names a process, and send a burst before the answer that it is wrong.
    if (onAnswer && ++passed.earlyFrames > EARLY_FRAMES_MAX) return connection.close(VOICE_CLOSE.rateLimited)
    this.#up(node, { say: 'frame', n: number, frame })
  }

  /** A frame of a bot that has reached another process. */
  #serve(from: string, message: Up): void {
    const key = `${from} ${message.n}`
    const connection = this.#served.get(key)
    if (message.say === 'closed') return this.#endServed(key)
    if (message.say === 'frame') {
      if (connection) return connection.foreign.message(message.frame)
      // This end has given the connection up, and the message about that was lost.
      return this.#down(from, { say: 'close', n: message.n, reason: '' })
    }
    if (connection || this.#served.size >= SERVED_MAX)
      return this.#down(from, { say: 'close', n: message.n, ...VOICE_CLOSE.sessionInvalid })
    const served = this.tools.newConnection(message.ip)
    this.#served.set(key, served)
    served.adopt(this.#socketOf(from, message.n, served))
    served.foreign.message(message.frame)
  }

  #endServed(key: string): void {
    const connection = this.#served.get(key)
    this.#served.delete(key)
    connection?.foreign.ended(1006)
  }

  /** The socket of a connection that another process passes here. */
  #socketOf(node: string, number: number, connection: VoiceConnection): ForeignSocket {
    const key = `${node} ${number}`
    const isOpen = () => this.#served.get(key) === connection
    const end = (code: number | undefined, reason: string) => {
      if (!isOpen()) return
      this.#down(node, { say: 'close', n: number, code, reason })
      this.#endServed(key)
    }
    return {
      get readyState() {
        return isOpen() ? WebSocket.OPEN : WebSocket.CLOSED
      },
      send: (frame) => this.#down(node, { say: 'frame', n: number, frame }),
      close: end,
      terminate: () => end(undefined, ''),
      sendBinary: () => {},
      cork: (work) => work(),
      ping: () => {},
      getBufferedAmount: () => 0,
    }
  }

  /** A frame for a bot that has reached this process. */
  #take(from: string, message: Down): void {
    const passed = this.#passed.get(message.n)
    if (passed?.node !== from) return
    const { connection } = passed
    if (message.say === 'frame') {
      passed.onAnswer?.()
      passed.onAnswer = undefined
      return connection.pass(message.frame)
    }
    // A later message about this number, such as an answer to a frame that crossed this one, counts no more.
    this.#forget(connection)
    const { code, reason } = message
    if (code === undefined) connection.terminate()
    else connection.close({ code, reason })
  }
}
