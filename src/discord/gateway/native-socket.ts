import type { ServerSnapshot, ServerTexts } from '../../gateway/snapshots.ts'
import { topic } from '../../core/events.ts'
import { type BareReady, beginBacklog, endBacklog, type Socket, type SocketData } from '../../gateway/socket.ts'

/** The beginning of a connection, or a server that the bot was added to. */
export type Beginning = { type: 'ready'; d: BareReady } | { type: 'server.snapshot'; d: WaitingSnapshot }

/**
 * A snapshot until it becomes the event of its server, which may take long: a bot may read slowly, and its other
 * servers may come first. What the account loses meanwhile is left out.
 */
export class WaitingSnapshot {
  #isEnded = false

  constructor(
    private readonly socket: NativeSocket,
    private readonly snapshot: ServerSnapshot,
  ) {
    beginBacklog(socket.data)
  }

  get serverId(): number {
    return this.snapshot.server_id
  }

  get texts(): ServerTexts {
    return this.snapshot.texts
  }

  /** JSON of the account's membership. */
  get me(): string {
    return this.snapshot.me
  }

  /** The channels that the account sees now; undefined if it has left the server, or a newer snapshot has come. */
  seenNow(): readonly { id: number }[] | undefined {
    if (this.#isEnded) return undefined
    if (!this.socket.isSubscribed(topic.server(this.serverId).topic)) return undefined
    const { lostChannels } = this.socket.data
    const { channels } = this.snapshot
    return lostChannels ? channels.filter(({ id }) => !lostChannels.has(id)) : channels
  }

  /** Call after the event is sent, or if it is not needed. */
  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    endBacklog(this.socket.data)
  }
}

/** Receives what our gateway sends to a socket. */
export interface Output {
  send(socket: NativeSocket, text: string): void
  begin(socket: NativeSocket, event: Beginning): void
  /** @returns the topic, as a string to keep */
  subscribe(socket: NativeSocket, topic: string): string
  unsubscribe(socket: NativeSocket, topic: string): void
  isSubscribed(socket: NativeSocket, topic: string): boolean
}

/** A connection, as our gateway uses it. */
export interface Line {
  readonly isOpen: boolean
  ping(): void
  /** @param code of our gateway's close codes */
  closeByGateway(code: number): void
  terminate(): void
  bufferedBytes(): number
  cork(work: () => unknown): unknown
}

/**
 * A bot on Discord's gateway, as a socket of our own gateway. Our gateway authenticates it, subscribes it and tells it
 * what its account may see, exactly as any other socket; what it would send is translated instead. So there is one
 * place that decides about access.
 */
export class NativeSocket implements Socket {
  /** An array, which is smaller than a Set. Bots change topics rarely; the output knows the sockets of each. */
  readonly #topics: string[] = []

  constructor(
    readonly data: SocketData,
    private readonly output: Output,
    readonly line: Line,
  ) {}

  get readyState(): number {
    return this.line.isOpen ? WebSocket.OPEN : WebSocket.CLOSED
  }

  get subscriptions(): string[] {
    return [...this.#topics]
  }

  send(text: string): void {
    this.output.send(this, text)
  }

  takeReady(ready: BareReady): void {
    this.output.begin(this, { type: 'ready', d: ready })
  }

  takeSnapshot(snapshot: ServerSnapshot): void {
    this.output.begin(this, { type: 'server.snapshot', d: new WaitingSnapshot(this, snapshot) })
  }

  subscribe(topic: string): void {
    if (this.isSubscribed(topic)) return
    this.#topics.push(this.output.subscribe(this, topic))
  }

  unsubscribe(topic: string): void {
    const at = this.#topics.indexOf(topic)
    if (at >= 0) this.#topics.splice(at, 1)
    this.output.unsubscribe(this, topic)
  }

  isSubscribed(topic: string): boolean {
    return this.output.isSubscribed(this, topic)
  }

  cork(work: () => unknown): unknown {
    return this.line.cork(work)
  }

  ping(): void {
    this.line.ping()
  }

  close(code: number): void {
    this.line.closeByGateway(code)
  }

  terminate(): void {
    this.line.terminate()
  }

  getBufferedAmount(): number {
    return this.line.bufferedBytes()
  }
}
