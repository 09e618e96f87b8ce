import { ephemeralText } from '../core/events.ts'
import type { SendCoordinator } from '../events/send-coordinator.ts'
import type { Parts } from '../parts.ts'
import type { Attention } from '../features/push/decisions.ts'
import { type Choice, ownStatus } from '../features/status/shown.ts'
import type { Voice } from '../voice/voice.ts'
import { AccessNotices } from './access-notices.ts'
import { Focus } from './focus.ts'
import { FrameBatcher } from './frame-batcher.ts'
import { closeOverTime } from './hand-over.ts'
import { Heartbeat } from './heartbeat.ts'
import { MergedReactions } from './merged-reactions.ts'
import { close } from './model.ts'
import { drained, isClogged } from './paced-sending.ts'
import { Presence } from './presence.ts'
import { ServerViews } from './server-views.ts'
import type { ServerTexts } from './snapshots.ts'
import { closeWith, ping, type Socket, type SocketData, type SocketServer } from './socket.ts'
import { SocketRegistry } from './socket-registry.ts'
import { Subscriptions } from './subscriptions.ts'

/** Connects the gateway's parts with each other, the bus and voice. */
export class Gateway {
  readonly presence: Presence
  readonly focus: Focus
  readonly #registry: SocketRegistry
  readonly #batcher: FrameBatcher
  readonly #reactions: MergedReactions
  readonly #views: ServerViews
  readonly #subscriptions: Subscriptions
  readonly #heartbeat: Heartbeat

  constructor(
    private readonly parts: Parts,
    private readonly voice: Voice,
    coordinator: SendCoordinator,
  ) {
    const { sql, bus, nodes, metrics, log } = parts
    const registry = new SocketRegistry(metrics)
    const batcher = new FrameBatcher(registry.publish, registry.audience, coordinator, () => bus.flush())
    this.presence = new Presence(sql, bus, nodes, log, registry.all)
    this.focus = new Focus(nodes)
    this.#registry = registry
    this.#batcher = batcher
    const reactions = new MergedReactions((frame) => batcher.add(frame))
    this.#reactions = reactions
    this.#views = new ServerViews(sql, parts.environment.RESUME_WINDOW, parts.read)
    this.#subscriptions = new Subscriptions(parts, this.#views, {
      presence: this.presence,
      voiceStates: voice.shownIn,
      audiences: voice.audiencesIn,
    })
    this.#heartbeat = new Heartbeat(registry, bus)
    const notices = new AccessNotices(parts, registry, this.#views, this.#subscriptions)

    voice.attach({
      send(client, text) {
        batcher.flush()
        registry.socketOf(client)?.send(text)
      },
      ping(client) {
        const socket = registry.socketOf(client)
        if (socket) ping(socket)
      },
      isOpen: (client) => registry.socketOf(client) !== undefined,
      isClogged: (client) => isClogged(registry.socketOf(client)),
    })
    bus.onFrame((frame) => {
      metrics.events.observe({ event: frame.type }, frame.text.length)
      reactions.add(frame)
    })
    bus.onNotice(async (notice) => {
      reactions.flush()
      batcher.flush()
      if (notice.kind === 'status_changed') return this.#tellOwn(notice)
      await Promise.all([notices.act(notice), notice.kind === 'recheck_all' && this.#recheckStatuses()])
    })
  }

  /** @param server publishes to its sockets; each renewed certificate adds another server */
  attach(server: SocketServer): void {
    this.#registry.attach(server)
  }

  /** @param hasOthers true if a socket that is not Bun's is subscribed to a topic: other processes then send it here */
  follow(hasOthers: (topic: string) => boolean): void {
    this.#registry.follow(hasOthers)
  }

  handleOpen(socket: Socket): void {
    const { user_id } = socket.data
    if (this.#registry.isFull(socket.data)) return closeWith(socket, close.too_many)
    if (this.#subscriptions.isFull()) return closeWith(socket, close.restart)
    this.#registry.add(socket)
    this.presence.addSocket(user_id)
    void this.#subscriptions.refresh(socket)
  }

  /** Counts further garbage of a handshake. @param handshakes of our own gateway that leave as much */
  noteGarbage(handshakes: number): void {
    this.#subscriptions.garbage.addOfBots(handshakes)
  }

  /** Counts bytes that are kept for as long as the texts of a server are. */
  charge(texts: ServerTexts, bytes: number): void {
    this.#views.charge(texts, bytes)
  }

  /** Sends servers that a client asks for. @returns the ids of those that were sent */
  async openServers(data: SocketData, serverIds: readonly number[]): Promise<number[]> {
    const socket = this.#registry.socketOf(data)
    return socket ? this.#subscriptions.open(socket, serverIds) : []
  }

  /** Call when a socket's outbound buffer has drained. */
  drained(socket: Socket): void {
    drained(socket)
    this.voice.socketDrained(socket.data)
  }

  handleClose(socket: Socket, code: number): void {
    this.parts.metrics.closed.inc({ code })
    drained(socket)
    this.voice.socketClosed(socket.data)
    if (!this.#registry.remove(socket)) return
    this.presence.removeSocket(socket.data.user_id)
    this.focus.clear(socket.data)
  }

  /** Goes by what an account chose, and tells its own sockets. */
  #tellOwn({ user_id, choice }: { user_id: number; choice: Choice }): void {
    if (this.presence.know(user_id, choice) !== choice) return
    const text = ephemeralText('status.updated', ownStatus(choice))
    for (const socket of this.#registry.ofUser(user_id)) if (socket.data.state === 'live') socket.send(text)
  }

  /** Reads the choices whose notices this node may have missed. */
  async #recheckStatuses(): Promise<void> {
    for (const row of await this.presence.choices()) this.#tellOwn(row)
  }

  /** Attention of accounts, which decides about push notifications. */
  get attention(): Attention {
    return {
      isFocused: this.focus.isFocused,
      isOnline: (user_id) => this.presence.statusOf(user_id) !== 'offline',
    }
  }

  /** Sends the waiting frames, so that an answer never overtakes an event published before it. */
  flush(): void {
    this.#batcher.flush()
  }

  /** Closes every socket with a code after which clients resume. */
  closeAll(): void {
    this.#reactions.flush()
    this.flush()
    for (const socket of this.#registry.all()) closeWith(socket, close.restart)
  }

  /** Closes every socket over a time, with the same code. @param signal closes the rest at once */
  async handOver(signal: AbortSignal): Promise<void> {
    const closeSockets = (sockets: Socket[]) => {
      this.#reactions.flush()
      this.flush()
      for (const socket of sockets) closeWith(socket, close.restart)
    }
    await closeOverTime(this.#registry.all(), closeSockets, signal)
  }

  stop(): void {
    this.#heartbeat.stop()
    this.#reactions.stop()
    this.#views.stop()
    this.presence.stop()
  }
}
