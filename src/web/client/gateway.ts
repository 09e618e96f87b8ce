import type { z } from 'zod'
import type { Events } from '../../core/events.ts'
import type { CommandName, commands } from '../../gateway/model.ts'
import { apiError, ApiError } from './rest.ts'
import type { ProblemShape } from './endpoints.ts'

const FIRST_RETRY_MS = 500
const RETRY_MS_MAX = 20_000
/** How long after too many commands; the server counts by the minute. */
const COOLING_MS = 30_000
const PING_MS = 20_000
const ANSWER_MS_MAX = 10_000
/** Close codes after which connecting again as before is pointless. Source: gateway.md, "Frames". */
const [MALFORMED, REVOKED, EXPIRED, TOO_MANY, COOLING] = [4001, 4003, 4005, 4007, 4009]

type Declared = z.ZodType
type Taken<K extends CommandName> = (typeof commands)[K]['d'] extends infer S extends Declared ? z.input<S> : never
type Answered<K extends CommandName> = (typeof commands)[K]['answer'] extends infer S extends Declared
  ? z.output<S>
  : never

/** An event as it arrives; `s` on durable ones. */
export type Frame = { [K in keyof Events]: { t: K; s?: number; d: Events[K] } }[keyof Events]

/** `online` from `synced` on; `ended` when it will not connect again by itself. */
export type Connection = 'connecting' | 'online' | 'waiting' | 'ended'

export interface GatewayOptions {
  base: string
  token?: string | undefined
  /** Called when a token has expired, and when the server refuses the socket: false ends it. */
  renew(cause: 'expired' | 'refused'): Promise<boolean>
}

/** The live side of the contract. It reconnects by itself with jitter and resumes where it stopped. */
export class Gateway {
  state: Connection = 'ended'
  #socket: WebSocket | undefined
  /** What to resume from: known once a connection was in step. */
  #s: number | undefined
  #newest = 0
  #opened = false
  #tries = 0
  #commands = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #pinging: ReturnType<typeof setInterval> | undefined
  readonly #answers = new Map<number, { resolve(d: unknown): void; reject(error: ApiError): void }>()
  readonly #listeners = new Set<(frame: Frame) => void>()
  readonly #watchers = new Set<(state: Connection) => void>()

  constructor(private readonly options: GatewayOptions) {}

  /** Hears every event. Returns what ends that. */
  listen(listener: (frame: Frame) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Hears every change of the connection's state. */
  watch(watcher: (state: Connection) => void): void {
    this.#watchers.add(watcher)
  }

  /** Connects, at once; where it waits to connect again it waits no longer. */
  connect(): void {
    clearTimeout(this.#timer)
    if (this.#socket) return
    this.#enter('connecting')
    const query = new URLSearchParams({ v: '1' })
    if (this.options.token !== undefined) query.set('token', this.options.token)
    if (this.#s !== undefined) query.set('s', String(this.#s))
    const origin = this.options.base || location.origin
    this.#opened = false
    const socket = new WebSocket(`${origin.replace(/^http/, 'ws')}/ws?${query}`)
    this.#socket = socket
    socket.onopen = () => (this.#opened = true)
    socket.onmessage = ({ data }) => {
      if (this.#socket === socket) this.#receive(JSON.parse(String(data)))
    }
    socket.onclose = ({ code }) => {
      if (this.#socket === socket) void this.#lost(code)
    }
  }

  /** Ends the connection until `connect` is called. What it could resume from it keeps. */
  disconnect(): void {
    clearTimeout(this.#timer)
    this.#drop()
    this.#enter('ended')
  }

  /**
   * Sends a command and waits for its answer.
   * @throws ApiError as the server refuses, or `offline`
   */
  command<K extends CommandName>(op: K, ...[d]: Record<never, never> extends Taken<K> ? [] : [d: Taken<K>]) {
    return new Promise<Answered<K>>((resolve, reject) => {
      if (this.#socket?.readyState !== WebSocket.OPEN) return reject(offline())
      const id = ++this.#commands
      const late = setTimeout(() => this.#answers.get(id)?.reject(offline()), ANSWER_MS_MAX)
      const settle = <T>(then: (value: T) => void) => {
        return (value: T) => {
          clearTimeout(late)
          this.#answers.delete(id)
          then(value)
        }
      }
      this.#answers.set(id, { resolve: settle(resolve as (d: unknown) => void), reject: settle(reject) })
      this.#socket.send(JSON.stringify({ op, id, ...(d === undefined ? {} : { d }) }))
    })
  }

  #enter(state: Connection): void {
    if (this.state === state) return
    this.state = state
    for (const watcher of this.#watchers) watcher(state)
  }

  #receive(frame: Frame | { re: number; d?: unknown; error?: ProblemShape }): void {
    if ('re' in frame) {
      const waiting = this.#answers.get(frame.re)
      if (frame.error) waiting?.reject(apiError(frame.error))
      else waiting?.resolve(frame.d)
      return
    }
    if (frame.t === 'ready' && !frame.d.resumed) this.#s = undefined
    if (frame.t === 'ready') this.#newest = this.#s ?? 0
    this.#newest = Math.max(this.#newest, frame.s ?? 0)
    if (frame.t === 'synced') {
      this.#newest = Math.max(this.#newest, frame.d.s)
      this.#tries = 0
    }
    // Before that, something below the newest may still be on its way.
    if (frame.t === 'synced' || this.state === 'online') this.#s = this.#newest
    for (const listener of this.#listeners) listener(frame)
    if (frame.t === 'synced') this.#inStep()
  }

  #inStep(): void {
    this.#enter('online')
    clearInterval(this.#pinging)
    // A dead network is silent: whoever does not answer is gone.
    this.#pinging = setInterval(() => {
      this.command('ping').catch((error: ApiError) => {
        if (error.status === 0 && this.state === 'online') void this.#lost(1006)
      })
    }, PING_MS)
  }

  /** Lets go of the socket; whoever waits for an answer will have none. */
  #drop(): void {
    clearInterval(this.#pinging)
    const socket = this.#socket
    this.#socket = undefined
    socket?.close()
    for (const { reject } of this.#answers.values()) reject(offline())
  }

  async #lost(code: number): Promise<void> {
    this.#drop()
    if (code === MALFORMED || code === REVOKED || code === TOO_MANY) return this.#enter('ended')
    this.#enter('waiting')
    const cause = code === EXPIRED ? 'expired' : this.#opened ? undefined : 'refused'
    if (cause !== undefined && !(await this.options.renew(cause))) return this.#enter('ended')
    if (this.state !== 'waiting') return
    const longest = Math.min(RETRY_MS_MAX, FIRST_RETRY_MS * 2 ** this.#tries++)
    const wait = code === COOLING ? COOLING_MS : longest / 4
    this.#timer = setTimeout(() => this.connect(), wait + Math.random() * longest)
  }
}

const offline = () => new ApiError(0, 'offline', 'The connection is away')
