import type { z } from 'zod'
import type { Events } from '../../core/events.ts'
import type { CommandName, commands, Intent } from '../../gateway/model.ts'
import { apiError, ApiError } from './rest.ts'
import type { ProblemShape } from './endpoints.ts'

const FIRST_RETRY_MS = 500
const RETRY_MS_MAX = 20_000
/** The pause after close code 4009: the server counts commands by the minute. */
const RATE_LIMITED_MS = 30_000
const PING_MS = 20_000
const ANSWER_MS_MAX = 10_000
/** An attempt ends after this long without a frame: a half-open connection fires no event. */
const SILENCE_MS_MAX = 15_000
/** Time for the answer to the ping of a device that was asleep. A reconnection resumes: a wrong guess costs little. */
const AWAKE_MS_MAX = 4_000
/** The code of a connection that ends without a close frame. Source: RFC 6455 §7.4.1. */
const ABNORMAL = 1006
/** Close codes that decide whether and when to reconnect. Source: docs/gateway.md. */
const [MALFORMED, REVOKED, EXPIRED, TOO_MANY, RATE_LIMITED] = [4001, 4003, 4005, 4007, 4009]

/** The parameters and the answer of a command. */
export type CommandInput<K extends CommandName> = z.input<(typeof commands)[K]['d']>
export type CommandAnswer<K extends CommandName> = z.output<(typeof commands)[K]['answer']>

/** An event frame. Durable events have `s`; events older than `ready` have `replayed`. */
export type EventFrame = { [K in keyof Events]: { t: K; s?: number; replayed?: true; d: Events[K] } }[keyof Events]

/** `online` after `synced`; `ended` when the connection does not reconnect by itself. */
export type ConnectionState = 'connecting' | 'online' | 'waiting' | 'ended'

export interface GatewayOptions {
  base: string
  token?: string | undefined
  /** Events to receive besides those of the account; all events if absent. Source: docs/gateway.md. */
  intents?: Intent[] | undefined
  /** The servers to open, as in docs/gateway.md; all if absent. @param isResuming true after a lost connection */
  servers?: ((isResuming: boolean) => (number | 'recent')[]) | undefined
  /** Called when the token has expired, and when the server refuses the socket; false ends the connection. */
  renew(cause: 'expired' | 'refused'): Promise<boolean>
}

const UNPACKS = (() => {
  try {
    return Boolean(new DecompressionStream('deflate-raw'))
  } catch {
    return false
  }
})()

/** Delivers frames in the order in which they arrived, although compressed ones take a moment to unpack. */
class FrameQueue {
  /** A frame that is being unpacked has no text yet. */
  readonly #waiting: { text: string | undefined }[] = []

  constructor(private readonly deliver: (text: string) => void) {}

  /** @param onDamaged called if the frame cannot be unpacked; it is never delivered, nor are those after it */
  add(data: string | ArrayBuffer, onDamaged: () => void): void {
    const frame = { text: typeof data === 'string' ? data : undefined }
    this.#waiting.push(frame)
    if (typeof data === 'string') return this.#deliverReady()
    const unpacked = new Blob([data]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
    void new Response(unpacked).text().then((text) => {
      frame.text = text
      this.#deliverReady()
    }, onDamaged)
  }

  #deliverReady(): void {
    for (let frame = this.#waiting[0]; frame?.text !== undefined; frame = this.#waiting[0]) {
      this.#waiting.shift()
      this.deliver(frame.text)
    }
  }
}

/** The gateway connection. It reconnects by itself, with backoff and jitter, and resumes after the last event. */
export class GatewayConnection {
  state: ConnectionState = 'ended'
  #socket: WebSocket | undefined
  /** The `s` to resume from: known after the first `synced`. */
  #s: number | undefined
  #newest = 0
  #isOpened = false
  #tries = 0
  #commands = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #pinging: ReturnType<typeof setInterval> | undefined
  #silence: ReturnType<typeof setTimeout> | undefined
  readonly #answers = new Map<number, { resolve(d: never): void; reject(error: ApiError): void }>()
  readonly #listeners = new Set<(frame: EventFrame) => void>()
  readonly #watchers = new Set<(state: ConnectionState) => void>()

  constructor(private readonly options: GatewayOptions) {}

  /** Calls the listener with every event. @returns a function that removes the listener */
  listen(listener: (frame: EventFrame) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Calls the watcher with every change of the connection's state. */
  watch(watcher: (state: ConnectionState) => void): void {
    this.#watchers.add(watcher)
  }

  /** Connects at once, also while the connection waits to reconnect. */
  connect(): void {
    clearTimeout(this.#timer)
    if (this.#socket) return
    this.#enter('connecting')
    const query = new URLSearchParams({ v: '1' })
    if (this.options.token !== undefined) query.set('token', this.options.token)
    if (this.#s !== undefined) query.set('s', String(this.#s))
    if (this.options.intents) query.set('intents', this.options.intents.join())
    if (this.options.servers) query.set('servers', this.options.servers(this.#s !== undefined).join())
    if (UNPACKS) query.set('compress', 'deflate')
    const origin = this.options.base || location.origin
    this.#isOpened = false
    const socket = new WebSocket(`${origin.replace(/^http/, 'ws')}/ws?${query}`)
    this.#socket = socket
    this.#limitSilence()
    const onLost = (code: number) => {
      if (this.#socket === socket) void this.#reconnect(code)
    }
    socket.onopen = () => (this.#isOpened = true)
    socket.binaryType = 'arraybuffer'
    const inbox = new FrameQueue((text) => {
      if (this.#socket === socket) this.#receive(JSON.parse(text))
    })
    socket.onmessage = ({ data }) => inbox.add(data, () => onLost(ABNORMAL))
    socket.onclose = ({ code }) => onLost(code)
    // Node 20 and 22 fire `error` and no `close` when the handshake fails.
    socket.onerror = () => {
      if (!this.#isOpened) onLost(ABNORMAL)
    }
  }

  /**
   * Connects at once if the connection waits to reconnect, and tests an open one: iOS stops hidden pages and their
   * sockets without an event.
   */
  wake(): void {
    if (this.state === 'waiting') this.connect()
    else if (this.state === 'online') this.#ping(AWAKE_MS_MAX)
  }

  /** Restarts the time limit of the attempt. */
  #limitSilence(): void {
    clearTimeout(this.#silence)
    this.#silence = setTimeout(() => void this.#reconnect(ABNORMAL, false), SILENCE_MS_MAX)
  }

  /** Closes the connection until `connect` is called, which resumes. */
  disconnect(): void {
    clearTimeout(this.#timer)
    this.#drop()
    this.#enter('ended')
  }

  /**
   * Sends a command and waits for its answer.
   * @throws ApiError with the server's problem, or with code `offline`
   */
  command<K extends CommandName>(
    op: K,
    ...[d]: Record<never, never> extends CommandInput<K> ? [d?: CommandInput<K>] : [d: CommandInput<K>]
  ): Promise<CommandAnswer<K>> {
    return this.#ask(op, d, ANSWER_MS_MAX)
  }

  #ask<K extends CommandName>(op: K, d: CommandInput<K> | undefined, ms: number) {
    return new Promise<CommandAnswer<K>>((resolve, reject) => {
      if (this.#socket?.readyState !== WebSocket.OPEN) return reject(offline())
      const id = ++this.#commands
      const timeout = setTimeout(() => this.#answers.get(id)?.reject(offline()), ms)
      const finish = <T>(then: (value: T) => void) => {
        return (value: T) => {
          clearTimeout(timeout)
          this.#answers.delete(id)
          then(value)
        }
      }
      this.#answers.set(id, { resolve: finish(resolve), reject: finish(reject) })
      this.#socket.send(JSON.stringify({ op, id, ...(d === undefined ? {} : { d }) }))
    })
  }

  #enter(state: ConnectionState): void {
    if (this.state === state) return
    this.state = state
    for (const watcher of this.#watchers) watcher(state)
  }

  #receive(frame: EventFrame | { re: number; d?: unknown; error?: ProblemShape }): void {
    if ('re' in frame) {
      const waiting = this.#answers.get(frame.re)
      if (frame.error) waiting?.reject(apiError(frame.error))
      else waiting?.resolve(frame.d as never)
      return
    }
    if (this.state === 'connecting') this.#limitSilence()
    if (frame.t === 'ready' && !frame.d.resumed) this.#s = undefined
    if (frame.t === 'ready') this.#newest = this.#s ?? 0
    this.#newest = Math.max(this.#newest, frame.s ?? 0)
    if (frame.t === 'synced') {
      this.#newest = Math.max(this.#newest, frame.d.s)
      this.#tries = 0
    }
    // Before `synced`, events below the newest `s` may still be on their way.
    if (frame.t === 'synced' || this.state === 'online') this.#s = this.#newest
    for (const listener of this.#listeners) listener(frame)
    if (frame.t === 'synced') this.#becomeOnline()
  }

  #becomeOnline(): void {
    this.#enter('online')
    clearTimeout(this.#silence)
    clearInterval(this.#pinging)
    this.#pinging = setInterval(() => this.#ping(ANSWER_MS_MAX), PING_MS)
  }

  /** Reconnects unless the server answers in time: a dead network closes no socket. */
  #ping(ms: number): void {
    this.#ask('ping', undefined, ms).catch((error: ApiError) => {
      if (error.status === 0 && this.state === 'online') void this.#reconnect(ABNORMAL)
    })
  }

  /** Closes the socket and rejects every command that waits for an answer. */
  #drop(): void {
    clearTimeout(this.#silence)
    clearInterval(this.#pinging)
    const socket = this.#socket
    this.#socket = undefined
    socket?.close()
    for (const { reject } of this.#answers.values()) reject(offline())
  }

  /** @param isRefused whether the server may have refused the token: a failed handshake does not say so */
  async #reconnect(code: number, isRefused = !this.#isOpened): Promise<void> {
    this.#drop()
    if (code === MALFORMED || code === REVOKED || code === TOO_MANY) return this.#enter('ended')
    this.#enter('waiting')
    const cause = code === EXPIRED ? 'expired' : isRefused ? 'refused' : undefined
    if (cause !== undefined && !(await this.options.renew(cause))) return this.#enter('ended')
    if (this.state !== 'waiting') return
    const longest = Math.min(RETRY_MS_MAX, FIRST_RETRY_MS * 2 ** this.#tries++)
    const wait = code === RATE_LIMITED ? RATE_LIMITED_MS : longest / 4
    this.#timer = setTimeout(() => this.connect(), wait + Math.random() * longest)
  }
}

const offline = () => new ApiError(0, 'offline', 'There is no connection')
