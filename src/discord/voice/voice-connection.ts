import { parseJson } from '../../core/json.ts'
import type { Foreign, ForeignSocket } from '../../gateway/socket.ts'
import { withWholeIds } from '../whole-ids.ts'
import { Heartbeat, VOICE_CLOSE, VOICE_OP, VoiceFrame } from './wire.ts'

/** How often a library beats, as at Discord. A connection that is silent for three intervals is dead. */
const HEARTBEAT_MS = 13_750
const SILENT_MS_MAX = 3 * HEARTBEAT_MS
/** Time to identify or resume after connecting. */
const IDENTIFY_MS_MAX = 15_000
const FRAME_BYTES_MAX = 4_096
/** Speaking begins and ends often. */
const FRAMES_PER_MINUTE_MAX = 300
const VERSION = 8

/** The requests of a bot, by its frames. */
export interface VoiceRequests {
  identify(connection: VoiceConnection, d: unknown): void
  resume(connection: VoiceConnection, d: unknown): void
  select(connection: VoiceConnection, d: unknown): void
  /** The connection has ended. */
  closed(connection: VoiceConnection): void
}

/** A WebSocket of Discord's voice gateway: frames, limits, close codes and the heartbeat. */
export class VoiceConnection {
  /** The server's handlers of the socket. */
  readonly foreign: Foreign['foreign'] = {
    open: (socket) => this.#open(socket),
    message: (message) => this.#receive(message),
    ended: () => this.#end(),
    control: (kind) => {
      this.#heardAt = Date.now()
      if (kind === 'ping') this.#countFrame()
    },
    drained: () => {},
  }
  #socket: ForeignSocket | undefined
  #identifying: Timer | undefined
  #watch: Timer | undefined
  #hasIdentified = false
  #heardAt = 0
  #minute = 0
  #frames = 0
  #sequence = 0
  /** Set while another process has the bot's call: gets each frame. */
  #forward: ((frame: string) => void) | undefined

  /** @param demandedIp the address that the bot's packets must come from; undefined if the server cannot tell */
  constructor(
    private readonly requests: VoiceRequests,
    readonly demandedIp: string | undefined,
  ) {}

  get isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN
  }

  /** Sends a frame. A library that resumes names the number of the last one that it got. */
  send(op: number, d: object): void {
    if (this.isOpen) this.#socket?.send(JSON.stringify({ op, d, seq: ++this.#sequence }))
  }

  /** Sends a frame that a library does not count. */
  answer(op: number, d: object): void {
    if (this.isOpen) this.#socket?.send(JSON.stringify({ op, d }))
  }

  close({ code, reason }: { code: number; reason: string }): void {
    if (this.isOpen) this.#socket?.close(code, reason)
  }

  /** Breaks the connection off: a library then resumes. */
  terminate(): void {
    this.#socket?.terminate()
  }

  /** Takes a socket of another process, which has greeted the bot. */
  adopt(socket: ForeignSocket): void {
    this.#socket = socket
    this.#heardAt = Date.now()
    this.#identifying = setTimeout(() => this.close(VOICE_CLOSE.timedOut), IDENTIFY_MS_MAX)
    this.#watch = setInterval(() => {
      if (Date.now() - this.#heardAt > SILENT_MS_MAX) this.terminate()
    }, HEARTBEAT_MS)
  }

  /** From here on another process answers, also heartbeats. */
  passOn(forward: (frame: string) => void): void {
    this.#forward = forward
  }

  /** Sends a frame of the other process. */
  pass(frame: string): void {
    if (this.isOpen) this.#socket?.send(frame)
  }

  /** The bot has identified or resumed. */
  noteIdentified(): void {
    clearTimeout(this.#identifying)
  }

  /** Continues the numbers of the connection that this one resumes. */
  continueFrom(earlier: VoiceConnection | undefined): void {
    if (earlier) this.#sequence = earlier.#sequence
  }

  #open(socket: ForeignSocket): void {
    this.adopt(socket)
    this.answer(VOICE_OP.hello, { v: VERSION, heartbeat_interval: HEARTBEAT_MS })
  }

  #end(): void {
    clearTimeout(this.#identifying)
    clearInterval(this.#watch)
    this.#socket = undefined
    this.requests.closed(this)
  }

  #receive(message: string | Buffer): void {
    this.#heardAt = Date.now()
    if (!this.#countFrame()) return
    // Frames of Discord's encryption between members are binary; version 0 has none.
    if (typeof message !== 'string') return
    if (Buffer.byteLength(message) > FRAME_BYTES_MAX) return this.close(VOICE_CLOSE.decode)
    if (this.#forward) return this.#forward(message)
    const { data } = VoiceFrame.safeParse(frameIn(message))
    if (!data) return this.close(VOICE_CLOSE.decode)
    this.#run(data.op, data.d)
  }

  #run(op: number, d: unknown): void {
    switch (op) {
      case VOICE_OP.heartbeat:
        return this.#beat(d)
      case VOICE_OP.identify:
      case VOICE_OP.resume:
        if (this.#hasIdentified) return this.close(VOICE_CLOSE.alreadyAuthenticated)
        this.#hasIdentified = true
        return op === VOICE_OP.identify ? this.requests.identify(this, d) : this.requests.resume(this, d)
      case VOICE_OP.selectProtocol:
        return this.requests.select(this, d)
      case VOICE_OP.speaking:
        // The packets tell who speaks.
        return
      default:
        // Libraries send more than the server knows, such as their codecs or wishes for video.
        if (!this.#hasIdentified) this.close(VOICE_CLOSE.notAuthenticated)
    }
  }

  #beat(d: unknown): void {
    const { data } = Heartbeat.safeParse(d)
    if (data === undefined) return this.close(VOICE_CLOSE.decode)
    // A number of more digits than JavaScript keeps was read as a text.
    const body = typeof data === 'object' ? `{"t":${data.t}}` : String(data)
    if (this.isOpen) this.#socket?.send(`{"op":${VOICE_OP.heartbeatAck},"d":${body}}`)
  }

  #countFrame(): boolean {
    const minute = Math.floor(Date.now() / 60_000)
    if (minute !== this.#minute) this.#frames = 0
    this.#minute = minute
    if (++this.#frames <= FRAMES_PER_MINUTE_MAX) return true
    this.close(VOICE_CLOSE.rateLimited)
    return false
  }
}

/** @returns undefined for anything but JSON */
function frameIn(message: string): unknown {
  try {
    return parseJson(withWholeIds(Buffer.from(message)))
  } catch {
    return undefined
  }
}
