import { parseJson } from '../../core/json.ts'
import type { Foreign, ForeignSocket } from '../../gateway/socket.ts'
import { withWholeIds } from '../whole-ids.ts'
import { Frame, CLOSE, type Close, OP } from './wire.ts'
import type { Line } from './native-socket.ts'
import type { Outlet } from './session.ts'
import { zlibFrame } from './zlib-stream.ts'

/** How often a bot's library beats; our own pings tell a dead connection sooner. */
const HEARTBEAT_MS = 41_250
/** Time to identify after connecting. */
const IDENTIFY_MS_MAX = 30_000
/** As Discord's own limit of 4,096 bytes, with room for long lists of ids. */
const FRAME_BYTES_MAX = 16 * 1024
const FRAMES_PER_MINUTE_MAX = 120
/** With more than this in the outbound buffer, the next large frame waits, at most for so long. */
const PACE_BYTES = 128 * 1024
const DRAIN_SECONDS_MAX = 60
/** WebSocket's codes with which a bot gives its session up. */
const GONE_CODES = [1000, 1001]

/** The requests of a bot, by its frames. */
export interface Requests {
  identify(connection: Connection, d: unknown): Promise<void>
  resume(connection: Connection, d: unknown): Promise<void>
  members(connection: Connection, d: unknown): Promise<void>
  sounds(connection: Connection, d: unknown): Promise<void>
  presence(connection: Connection, d: unknown): void
  voice(connection: Connection, d: unknown): Promise<void>
  /** @param isGivenUp true if the bot does not want to resume */
  closed(connection: Connection, isGivenUp: boolean): void
  /** Keeps the connection's session, and then makes the bot connect again. */
  handOver(connection: Connection): Promise<void>
  /** The connection's session is over, but the connection stays. */
  sessionEnded(connection: Connection): void
  noteSign(connection: Connection): void
  drained(connection: Connection): void
}

/** A WebSocket of a bot that speaks Discord's protocol: frames, limits and close codes. */
export class Connection implements Outlet, Line, Foreign {
  #socket: ForeignSocket | undefined
  #identifying: Timer | undefined
  #hasIdentified = false
  /** True once the compressed stream has begun. */
  #isStreaming = false
  /** Set while a sender waits until the bot has read enough. */
  #draining: PromiseWithResolvers<void> | undefined
  #minute = 0
  #frames = 0

  constructor(
    private readonly requests: Requests,
    /** The origin that the client used. */
    readonly base: string,
    private readonly isCompressed: boolean,
  ) {}

  /** The data of its socket is the connection itself, because an object between them would be another one per bot. */
  get foreign(): this {
    return this
  }

  get isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN
  }

  get resumeUrl(): string {
    return gatewayUrl(this.base)
  }

  // Called by the server, as the handlers of a foreign socket.

  open(socket: ForeignSocket): void {
    this.#socket = socket
    this.#identifying = setTimeout(() => this.close(CLOSE.timedOut), IDENTIFY_MS_MAX)
    this.#write({ op: OP.hello, d: { heartbeat_interval: HEARTBEAT_MS, _trace: [] } })
  }

  message(message: string | Buffer): void {
    this.requests.noteSign(this)
    if (Buffer.byteLength(message) > FRAME_BYTES_MAX) return this.close(CLOSE.decode)
    if (!this.#countFrame()) return this.close(CLOSE.rateLimited)
    const { data } = Frame.safeParse(frameIn(message))
    if (!data) return this.close(CLOSE.decode)
    void this.#run(data.op, data.d)
  }

  ended(code: number): void {
    clearTimeout(this.#identifying)
    this.#socket = undefined
    this.#draining?.resolve()
    this.requests.closed(this, GONE_CODES.includes(code))
  }

  control(kind: 'ping' | 'pong'): void {
    this.requests.noteSign(this)
    if (kind === 'ping' && !this.#countFrame()) this.close(CLOSE.rateLimited)
  }

  drained(): void {
    this.#draining?.resolve()
    this.#draining = undefined
    this.requests.drained(this)
  }

  // Called by the session.

  dispatch(t: string, s: number, body: string): void {
    this.#send(`{"t":"${t}","s":${s},"op":${OP.dispatch},"d":${body}}`)
  }

  async drain(): Promise<void> {
    if (!this.isOpen || this.bufferedBytes() <= PACE_BYTES) return
    this.#draining ??= Promise.withResolvers()
    const timer = setTimeout(() => this.terminate(), DRAIN_SECONDS_MAX * 1000)
    await this.#draining.promise
    clearTimeout(timer)
  }

  reconnect(): void {
    this.#write({ op: OP.reconnect, d: null })
    this.close(CLOSE.unknown)
  }

  /** The bot may identify anew on this connection. */
  invalidate(): void {
    this.requests.sessionEnded(this)
    this.#hasIdentified = false
    this.#write({ op: OP.invalidSession, d: false })
  }

  close({ code, reason }: Close): void {
    if (this.isOpen) this.#socket?.close(code, reason)
  }

  // Called by our gateway through NativeSocket.

  ping(): void {
    this.#socket?.ping()
  }

  /** @param code of our gateway's close codes */
  closeByGateway(code: number): void {
    const isTokenGone = code === 4003 || code === 4005
    if (isTokenGone) return this.close(CLOSE.authenticationFailed)
    if (code === 4007) return this.close(CLOSE.rateLimited)
    void this.requests.handOver(this)
  }

  terminate(): void {
    this.#socket?.terminate()
  }

  bufferedBytes(): number {
    return this.#socket?.getBufferedAmount() ?? 0
  }

  cork(work: () => unknown): unknown {
    return this.#socket ? this.#socket.cork(work) : work()
  }

  /** The bot has identified. */
  noteIdentified(): void {
    clearTimeout(this.#identifying)
    this.#identifying = undefined
  }

  async #run(op: number, d: unknown): Promise<void> {
    switch (op) {
      case OP.heartbeat:
        return this.#write({ op: OP.heartbeatAck, d: null })
      case OP.identify:
      case OP.resume:
        if (this.#hasIdentified) return this.close(CLOSE.alreadyAuthenticated)
        this.#hasIdentified = true
        return op === OP.identify ? this.requests.identify(this, d) : this.requests.resume(this, d)
      case OP.presence:
        return this.requests.presence(this, d)
      case OP.members:
        return this.requests.members(this, d)
      case OP.sounds:
        return this.requests.sounds(this, d)
      case OP.voice:
        return this.requests.voice(this, d)
      default:
        return this.close(CLOSE.unknownOpcode)
    }
  }

  #countFrame(): boolean {
    const minute = Math.floor(Date.now() / 60_000)
    if (minute !== this.#minute) this.#frames = 0
    this.#minute = minute
    return ++this.#frames <= FRAMES_PER_MINUTE_MAX
  }

  #write(frame: object): void {
    this.#send(JSON.stringify({ t: null, s: null, ...frame }))
  }

  #send(text: string): void {
    if (!this.isOpen) return
    if (!this.isCompressed) return void this.#socket?.send(text)
    this.#socket?.sendBinary(zlibFrame(text, !this.#isStreaming))
    this.#isStreaming = true
  }
}

/** The address of the gateway. @param base the origin that the client uses */
export const gatewayUrl = (base: string): string => `${base.replace(/^http/, 'ws')}/discord/gateway`

/** @returns undefined for anything but JSON */
function frameIn(message: string | Buffer): unknown {
  try {
    return parseJson(withWholeIds(Buffer.from(message)))
  } catch {
    return undefined
  }
}
