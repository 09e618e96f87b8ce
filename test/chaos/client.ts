import type { ClientEvents } from '../support/client-events.ts'
import type { Frame } from '../support/socket.ts'
import { type Answer, type Api, isUncertain } from './api.ts'
import { Caller } from './caller.ts'
import type { Counts } from './counts.ts'
import { Handover } from './handovers.ts'
import type { Carrier, Ledger } from './ledger.ts'
import { ReadingModel } from './reading.ts'
import type { Atlas } from './world.ts'

const PING_EVERY_MS = 10_000
/** The code with which a node that drains closes its sockets. */
const DRAINED = 1012
/** A connection is given up after this silence. */
const SILENT_MS_MAX = 2 * PING_EVERY_MS
const RETRY_MS_MAX = 800

/** Shared by all clients of a run. */
export interface Surroundings {
  url: string
  api: Api
  atlas: Atlas
  ledger: Ledger
  counts: Counts
  /** The ways of clients whose node drained to another one. */
  handovers: Handover[]
  /** Ends every wait, at the end of the run. */
  ended: AbortSignal
}

/** Bun's WebSocket has a method that browsers lack. */
type Socket = WebSocket & { terminate(): void }

/** A connection, and the time when it was complete. */
export interface Connection extends Carrier {
  socket: Socket
  began_at: number
  synced_at?: number
  closed_at?: number
  resumed?: boolean
  heardAt: number
}

/** The same text arrives at many clients, so it is parsed once. */
const parsed = new Map<string, Frame>()
function parse(text: string): Frame {
  const cachedFrame = parsed.get(text)
  if (cachedFrame) return cachedFrame
  if (parsed.size > 5000) parsed.clear()
  const frame = JSON.parse(text) as Frame
  if (frame.s !== undefined) parsed.set(text, frame)
  return frame
}

const TOLD =
  /^(ready|synced|server\.|channel\.(created|deleted|permissions)|message\.(updated|deleted)|voice\.disconnected)/
const DIARY_MAX = 4000

const pause = () => Bun.sleep(100 + Math.random() * RETRY_MS_MAX)

/** A client: a socket that reconnects by itself, its present state, and everything that it has ever seen. */
export class Client {
  /** Ids of messages that have reached it, in any way, and the time of the first. */
  readonly seen = new Map<number, number>()
  /** Its events of servers and channels, and its connections: to explain a violation. */
  readonly diary: string[] = []
  readonly connections: Connection[] = []
  model: ClientEvents
  #s: number | undefined
  #waiting: Frame[] = []
  #isTaking = false
  #isReloading = false
  #pings = 0
  /** The last time when it had applied everything that was sent to it. */
  #wholeAt = 0
  /** Set from the end of a connection by a node that drained until the next one is complete. */
  #handover: Handover | undefined
  /** Pending commands of this connection. */
  readonly #answers = new Map<number, (answer: Frame | undefined) => void>()
  readonly caller: Caller

  constructor(
    readonly n: number,
    readonly id: number,
    readonly token: string,
    readonly around: Surroundings,
  ) {
    this.model = this.newModel()
    const { counts, ended } = around
    this.caller = new Caller((op, d) => this.#call(op, d), counts, ended)
  }

  newModel = (): ClientEvents => new ReadingModel(this, this.#wholeAt)

  get connection(): Connection | undefined {
    return this.connections.at(-1)
  }

  /** Connected and up to date; or away on purpose. */
  isSynced = (): boolean =>
    this.#isReloading || (this.connection?.synced_at !== undefined && this.connection.closed_at === undefined)

  /** Connected, and every event is applied. */
  isWhole = (): boolean => !this.#isReloading && this.isSynced() && !this.#isTaking && this.#waiting.length === 0

  /** Repeats a request until its answer is final. */
  async insist(method: string, path: string, body?: unknown): Promise<Answer> {
    for (;;) {
      const answer = await this.around.api.call(this.token, method, path, body)
      if (!isUncertain(answer)) return answer
      this.around.ended.throwIfAborted()
      await pause()
    }
  }

  get = (path: string) => this.insist('GET', path) as Promise<any>

  /** Stays connected until the run ends. */
  async run(): Promise<void> {
    const { ended, counts } = this.around
    while (!ended.aborted) {
      const connection = await this.#connect()
      if (connection.synced_at === undefined) counts['connections that failed']++
      else counts['connections lost']++
      if (!ended.aborted) await pause()
    }
  }

  /** Forgets everything and begins anew, as a page that is loaded again. */
  reload(): void {
    this.around.counts.reloads++
    this.#isReloading = true
    this.model = this.newModel()
    this.#s = undefined
    this.#waiting = []
    this.caller.forget()
    this.connection?.socket.terminate()
  }

  /** Marks a channel read. */
  read(channel_id: number, message_id: number): void {
    this.#command('channel.ack', { channel_id, message_id })
  }

  /** Everything that this client receives after the answer was sent after that loss of sight. */
  fence(loss: number): void {
    const { connection } = this
    void this.#ask('ping', {}).then((answer) => {
      if (connection && answer) connection.clear = Math.max(connection.clear, loss)
    })
  }

  /** Sends a command: its answer, or undefined when the connection ended before. */
  async #ask(op: string, d: unknown): Promise<Frame | undefined> {
    const id = this.#command(op, d)
    if (id === undefined) return undefined
    const { promise, resolve } = Promise.withResolvers<Frame | undefined>()
    this.#answers.set(id, resolve)
    return promise
  }

  async #call(op: string, d: unknown): Promise<Frame | undefined> {
    const answer = await this.#ask(op, d)
    if (op === 'voice.description') return answer
    const error = answer && 'error' in answer ? JSON.stringify(answer.error) : ''
    this.note(
      `${op} ${answer?.d?.voice_session_id ?? ''} ${answer ? error : 'unanswered'} ${answer?.d?.channel_id ?? ''}`,
    )
    return answer
  }

  #command(op: string, d: unknown): number | undefined {
    const { connection } = this
    if (connection?.socket.readyState !== WebSocket.OPEN) return undefined
    connection.socket.send(JSON.stringify({ op, id: ++this.#pings, d }))
    return this.#pings
  }

  /** One connection, until it is closed. */
  async #connect(): Promise<Connection> {
    const { url, ledger, ended } = this.around
    const since = this.#s === undefined ? '' : `&s=${this.#s}`
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws?token=${this.token}${since}`) as Socket
    const now = Date.now()
    const connection: Connection = { client: this.n, clear: ledger.losses, socket, began_at: now, heardAt: now }
    this.connections.push(connection)
    this.#handover?.connect(now)
    socket.onopen = () => this.#handover?.note('is open', Date.now())
    const { promise, resolve } = Promise.withResolvers<void>()
    socket.onclose = ({ code, reason }) => {
      if (code === DRAINED && connection.synced_at !== undefined) this.#handover = new Handover(Date.now())
      if (code === 4003) ledger.violations.push(`client ${this.n} was closed with ${code} ${reason}`)
      resolve()
    }
    socket.onmessage = ({ data }) => this.#receive(connection, String(data))
    const timer = setInterval(() => this.#watch(connection), PING_EVERY_MS)
    const end = () => socket.terminate()
    ended.addEventListener('abort', end)
    await promise
    ended.removeEventListener('abort', end)
    clearInterval(timer)
    connection.closed_at = Date.now()
    this.caller.disconnected()
    for (const answer of this.#answers.values()) answer(undefined)
    this.#answers.clear()
    return connection
  }

  #watch({ socket, heardAt }: Connection): void {
    if (Date.now() - heardAt > SILENT_MS_MAX) socket.terminate()
    else this.#command('ping', {})
  }

  #receive(connection: Connection, text: string): void {
    // The former socket may still deliver frames after its client was reloaded.
    if (connection !== this.connection || connection.socket.readyState !== WebSocket.OPEN) return
    connection.heardAt = Date.now()
    const frame = parse(text)
    if ('re' in frame) return this.#answered(frame.re as number, frame)
    const { counts, ledger } = this.around
    const { t, s, d } = frame
    counts.events++
    ledger.received(connection, frame)
    if (d.recipient_id !== undefined && d.sender_id !== this.id && d.recipient_id !== this.id)
      ledger.violations.push(`client ${this.n} received ${t} ${s} of a dm of ${d.sender_id} and ${d.recipient_id}`)
    if (TOLD.test(t))
      this.note(`${t} ${s ?? ''} ${d.id ?? d.server?.id ?? d.s ?? d.reason ?? ''} ${d.channel_id ?? ''}`)
    if (t === 'message.created' || t === 'message.updated') this.see(d.id)
    if (t === 'ready') {
      connection.resumed = d.resumed
      // The clock is the same: the rest is the way through this process, which may be busy, too.
      this.#handover?.note('is sent `ready`', Date.parse(d.server_time))
      this.#handover?.note('reads it', Date.now())
      counts[d.resumed ? 'resumed connections' : 'fresh connections']++
    }
    // Until everything has arrived, a present event says nothing about earlier ones.
    if (t === 'synced') {
      connection.synced_at = Date.now()
      this.#handover?.note('is up to date', connection.synced_at)
      if (this.#handover) this.around.handovers.push(this.#handover)
      this.#handover = undefined
      this.#isReloading = false
      this.#s = d.s
    } else if (s !== undefined && connection.synced_at !== undefined) this.#s = Math.max(this.#s ?? 0, s)
    this.caller.received(frame)
    this.#waiting.push(frame)
    if (!this.#isTaking) void this.#take()
  }

  #answered(id: number, answer: Frame): void {
    this.#answers.get(id)?.(answer)
    this.#answers.delete(id)
  }

  note(what: string): void {
    if (this.diary.push(`${new Date().toISOString().slice(14, 23)} ${this.connections.length} ${what}`) > DIARY_MAX)
      this.diary.shift()
  }

  see(message_id: number): void {
    const { counts } = this.around
    if (this.seen.has(message_id)) counts['messages seen again']++
    else counts['messages seen']++
    if (!this.seen.has(message_id)) this.seen.set(message_id, Date.now())
  }

  /** Applies the queued frames in order. */
  async #take(): Promise<void> {
    this.#isTaking = true
    try {
      for (let frame = this.#waiting.shift(); frame; frame = this.#waiting.shift()) await this.model.take(frame)
    } catch (error) {
      const { ended, ledger } = this.around
      if (!ended.aborted) ledger.violations.push(`client ${this.n} cannot take a frame: ${String(error)}`)
    }
    this.#isTaking = false
    if (this.isWhole()) this.#wholeAt = Date.now()
  }
}
