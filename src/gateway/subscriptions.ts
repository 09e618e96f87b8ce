import { ephemeralText, topic } from '../core/events.ts'
import { GroupedCalls } from '../core/grouped-calls.ts'
import { Turns } from '../core/turns.ts'
import { isDatabaseFault } from '../database/database.ts'
import { errorFields } from '../core/log.ts'
import type { Status } from '../features/members/model.ts'
import type { Parts } from '../parts.ts'
import { topicsOf } from './access.ts'
import { applyAccessChange, loadAccessChange } from './access-change.ts'
import { type Backlog, sendBacklog } from './backlog.ts'
import { goLive, type Handshake, loadHandshakes } from './handshake.ts'
import { HandshakeGarbage } from './handshake-garbage.ts'
import { KeyedQueue } from '../core/keyed-queue.ts'
import { close, type Ready } from './model.ts'
import { eventsSince, type LoggedEvent, type Reader, withNews } from './replay.ts'
import { refreshServer, type ServerNotice } from './server-refresh.ts'
import type { ServerViews } from './server-views.ts'
import { closeWith, isOpen, type Socket, subscriptionsOf } from './socket.ts'

/**
 * Groups of handshakes that are read at once, handshakes of a group, and those that may wait: a storm of reconnects
 * must not starve the requests.
 */
const GROUPS_AT_ONCE = 2
const HANDSHAKES_PER_GROUP_MAX = 64
const HANDSHAKES_QUEUED_MAX = 20_000
/** While more wait to be sent, none is read: each holds all that its socket is told. */
const HANDSHAKES_UNSENT_MAX = 2 * HANDSHAKES_PER_GROUP_MAX
/** How often a backlog's end asks whether notices arrive here again, and how long it waits for that. */
const UNTRUSTED_MS = 100
const UNTRUSTED_MS_MAX = 30_000

/** What `ready` and the snapshots contain that is not in the database. */
interface VolatileState {
  statusOf(user_id: number): Status
  /** The members present in these voice channels. */
  voiceStates(channel_ids: number[]): Ready['voice_states']
}

/** Keeps the subscriptions of sockets equal to what their accounts may see, from the handshake on. */
export class Subscriptions {
  readonly #handshakes = new GroupedCalls<Socket, Handshake | undefined>(
    (sockets) => this.#loadHandshakes(sockets),
    GROUPS_AT_ONCE,
    HANDSHAKES_PER_GROUP_MAX,
    HANDSHAKES_QUEUED_MAX,
    isDatabaseFault,
  )
  /**
   * Changes of one server are applied one after another: an older read must not undo a newer one. An account's
   * handshakes are read one after another too: an account takes one of the places, however many sockets it opens.
   */
  readonly #queue = new KeyedQueue()

  /** Handshakes that are read together are not sent in one go: that would hold up whoever is connected. */
  readonly #turns = new Turns()
  /** How many have been read and not sent yet; resolves when there is one less. */
  #unsent = 0
  #sent = Promise.withResolvers<void>()

  readonly #garbage = new HandshakeGarbage()
  /** What was committed while handshakes were sent. */
  readonly #meanwhile = new GroupedCalls<Reader, LoggedEvent[] | undefined>(
    (readers) => this.#eventsMeanwhile(readers),
    GROUPS_AT_ONCE,
    HANDSHAKES_PER_GROUP_MAX,
    Infinity,
    isDatabaseFault,
  )

  constructor(
    private readonly parts: Pick<Parts, 'sql' | 'bus' | 'environment' | 'log'>,
    private readonly views: ServerViews,
    private readonly volatile: VolatileState,
  ) {}

  /** Whether no further handshake may wait. */
  isFull(): boolean {
    return this.#handshakes.isFull()
  }

  /**
   * Brings a socket's subscriptions up to date; for a new socket, that is its handshake. A socket has one refresh under
   * way, which reads again when the access changes meanwhile. A socket whose refresh fails is closed.
   */
  refresh(socket: Socket): Promise<void> {
    const { data } = socket
    data.access_changed = true
    data.refreshing ??= this.#refreshUntilCurrent(socket)
      .catch((error: unknown) => this.#closeFailed(socket, error))
      .finally(() => {
        data.refreshing = undefined
        if (data.access_changed && isOpen(socket)) return this.refresh(socket)
      })
    return data.refreshing
  }

  /**
   * Brings all sockets of a server up to date after a change of its roles or overwrites.
   * @param sockets all of this node
   */
  refreshServer(sockets: Socket[], notice: ServerNotice): Promise<void> {
    const { sql, bus } = this.parts
    return this.#queue.run(topic.server(notice.server_id).topic, () => refreshServer(sql, bus, sockets, notice))
  }

  async #refreshUntilCurrent(socket: Socket): Promise<void> {
    const { data } = socket
    while (data.access_changed && isOpen(socket)) {
      data.access_changed = false
      data.refreshes++
      await (data.state === 'live' ? this.#update(socket) : this.#handshake(socket))
    }
  }

  async #handshake(socket: Socket): Promise<void> {
    const { data } = socket
    const { bus } = this.parts
    const load = () => this.#handshakes.call(socket)
    const handshake = await this.#queue.run(topic.user(data.user_id).topic, load)
    if (!handshake) return
    this.#unsent++
    try {
      const topics = topicsOf(handshake.access)
      await bus.follow(topics)
      await this.#turns.run(() => this.#begin(socket, handshake, topics))
    } finally {
      this.#unsent--
      this.#sent.resolve()
      this.#sent = Promise.withResolvers()
    }
  }

  #begin(socket: Socket, handshake: Handshake, topics: Iterable<string>): void {
    if (socket.data.access_changed || !isOpen(socket)) return
    socket.cork(() => {
      goLive(socket, handshake, topics, this.parts.environment, this.volatile.voiceStates)
      // Not awaited: a change of this account's access waits for the subscriptions, not for a slow reader.
      void this.#sendBacklog(socket, handshake).then((s) => {
        if (s !== undefined && isOpen(socket)) socket.send(ephemeralText('synced', { s }))
      })
    })
  }

  /** @returns undefined for a socket that has closed meanwhile, or is closed because its session has ended */
  async #loadHandshakes(sockets: Socket[]): Promise<(Handshake | undefined)[]> {
    while (this.#unsent > HANDSHAKES_UNSENT_MAX) await this.#sent.promise
    // A socket that closed while it waited costs nothing.
    const open = sockets.filter(isOpen)
    if (open.length === 0) return sockets.map(() => undefined)
    const window_s = this.parts.environment.RESUME_WINDOW
    const waiting = open.map(({ data }) => data)
    const handshakes = await this.views.read((sql, load) =>
      loadHandshakes(sql, load, waiting, window_s, this.volatile.statusOf),
    )
    this.#garbage.add(open.length)
    const read = new Map(open.map((socket, at) => [socket, handshakes[at]]))
    for (const [socket, handshake] of read) if (!handshake) closeWith(socket, close.revoked)
    return sockets.map((socket) => read.get(socket))
  }

  /** Most handshakes miss nothing, so a short look at the end of the log comes first. */
  async #eventsMeanwhile(readers: Reader[]): Promise<(LoggedEvent[] | undefined)[]> {
    const late = await withNews(this.parts.sql, readers)
    const events = await eventsSince(this.parts.sql, late)
    const read = new Map(late.map((reader, at) => [reader, events[at]]))
    return readers.map((reader) => (read.has(reader) ? read.get(reader) : []))
  }

  async #update(socket: Socket): Promise<void> {
    const { data } = socket
    const { bus } = this.parts
    const subscriptions = subscriptionsOf(socket)
    const change = await this.views.read((sql, load) =>
      loadAccessChange(sql, load, data.user_id, subscriptions, this.volatile.statusOf),
    )
    await bus.follow(topicsOf(change.access))
    if (data.access_changed || !isOpen(socket)) return
    applyAccessChange(socket, change)
    if (change.snapshots.length > 0) void this.#sendBacklog(socket, change)
  }

  /** @returns the newest `s` sent, or undefined when the socket is closed because the backlog cannot be sent */
  async #sendBacklog(socket: Socket, backlog: Backlog): Promise<number | undefined> {
    try {
      const s = await sendBacklog(socket, backlog, (reader) => this.#trustedMeanwhile(socket, reader))
      if (s === undefined) closeWith(socket, close.restart)
      return s
    } catch (error) {
      this.parts.log('warn', 'gateway.catch_up', errorFields(error))
      closeWith(socket, close.unknown)
      return undefined
    }
  }

  /**
   * What was committed meanwhile, read while notices arrive here: before they do, this node does not know what the
   * account has lost since its access was read.
   * @returns undefined also when the socket closes, or no notices arrive for UNTRUSTED_MS_MAX
   */
  async #trustedMeanwhile(socket: Socket, reader: Reader): Promise<LoggedEvent[] | undefined> {
    const { bus } = this.parts
    const deadline = performance.now() + UNTRUSTED_MS_MAX
    while (isOpen(socket) && performance.now() < deadline) {
      if (bus.receivesNotices()) {
        const events = await this.#meanwhile.call(reader)
        if (bus.receivesNotices()) return events
      }
      await Bun.sleep(UNTRUSTED_MS)
    }
    return undefined
  }

  #closeFailed(socket: Socket, error: unknown): void {
    this.parts.log('warn', 'gateway.settle', errorFields(error))
    closeWith(socket, close.unknown)
  }
}
