import { ephemeralText, topic } from '../core/events.ts'
import { Problem } from '../core/errors.ts'
import { GroupedCalls } from '../core/grouped-calls.ts'
import { Semaphore } from '../core/semaphore.ts'
import { Turns } from '../core/turns.ts'
import { isDatabaseFault } from '../database/database.ts'
import { errorFields } from '../core/log.ts'
import type { Parts } from '../parts.ts'
import { topicsOf } from './access.ts'
import { applyAccessChange, loadAccessChange } from './access-change.ts'
import { type Backlog, sendBacklog } from './backlog.ts'
import { type CallStates, goLive, type Handshake, loadHandshakes } from './handshake.ts'
import { HandshakeGarbage } from './handshake-garbage.ts'
import { KeyedQueue } from '../core/keyed-queue.ts'
import { close } from './model.ts'
import type { Presence } from './presence.ts'
import { eventsSince, type LoggedEvent, type Reader, withNews } from './replay.ts'
import { loadOpenings } from './server-opening.ts'
import { refreshServer, type ServerNotice } from './server-refresh.ts'
import type { ServerViews } from './server-views.ts'
import { beginBacklog, closeWith, endBacklog, isOpen, isSubscribed, type Socket, subscriptionsOf } from './socket.ts'

/**
 * Concurrent groups of handshakes, handshakes per group, and waiting handshakes: a storm of reconnects must not starve
 * the requests.
 */
const GROUPS_AT_ONCE = 2
const HANDSHAKES_PER_GROUP_MAX = 64
const HANDSHAKES_QUEUED_MAX = 20_000
/**
 * Openings read at once, and those that wait. A message in a large server makes every client that only lists it open it
 * at the same time.
 */
const OPENINGS_AT_ONCE = 4
const OPENINGS_QUEUED_MAX = 20_000
/**
 * Stop reading handshakes while more than this wait to be sent, because each keeps everything for its socket in
 * memory.
 */
const HANDSHAKES_UNSENT_MAX = 2 * HANDSHAKES_PER_GROUP_MAX
/** Interval at which the end of a backlog checks whether notices arrive again, and how long it waits for that. */
const UNTRUSTED_MS = 100
const UNTRUSTED_MS_MAX = 30_000

/** Data of `ready` and the snapshots that is not in the database. */
interface VolatileState extends CallStates {
  presence: Pick<Presence, 'statusOf' | 'textOf' | 'know'>
}

/** Keeps the subscriptions of sockets equal to their accounts' access, from the handshake on. */
export class Subscriptions {
  readonly #handshakes = new GroupedCalls<Socket, Handshake | undefined>(
    (sockets) => this.#loadHandshakes(sockets),
    GROUPS_AT_ONCE,
    HANDSHAKES_PER_GROUP_MAX,
    HANDSHAKES_QUEUED_MAX,
    isDatabaseFault,
  )
  /**
   * Serialises changes of one server, so that an older read does not undo a newer one, and the handshakes of one
   * account, so that it uses only one slot however many sockets it opens.
   */
  readonly #queue = new KeyedQueue()

  readonly #openings: Semaphore

  /** Sends handshakes in turns, because sending a whole group at once would delay connected clients. */
  readonly #turns = new Turns()
  /** Handshakes read but not yet sent; the promise resolves when the count drops. */
  #unsent = 0
  #sent = Promise.withResolvers<void>()

  readonly garbage = new HandshakeGarbage()
  /** Reads the events committed while handshakes were sent. */
  readonly #meanwhile = new GroupedCalls<Reader, LoggedEvent[] | undefined>(
    (readers) => this.#eventsMeanwhile(readers),
    GROUPS_AT_ONCE,
    HANDSHAKES_PER_GROUP_MAX,
    Infinity,
    isDatabaseFault,
  )

  constructor(
    private readonly parts: Pick<Parts, 'sql' | 'read' | 'bus' | 'environment' | 'log'>,
    private readonly views: ServerViews,
    private readonly volatile: VolatileState,
  ) {
    const half = Math.floor(parts.environment.DATABASE_CONNECTIONS / 2)
    this.#openings = new Semaphore(Math.min(OPENINGS_AT_ONCE, half), OPENINGS_QUEUED_MAX)
  }

  /** True if no further handshake may wait. */
  isFull(): boolean {
    return this.#handshakes.isFull()
  }

  /**
   * Brings a socket's subscriptions up to date; for a new socket this is its handshake. A socket has one running
   * refresh, which reads again if the access changes meanwhile. A socket whose refresh fails is closed.
   */
  refresh(socket: Socket): Promise<void> {
    const { data } = socket
    data.accessChanged = true
    data.refreshing ??= this.#refreshUntilCurrent(socket)
      .catch((error: unknown) => this.#closeFailed(socket, error))
      .finally(() => {
        data.refreshing = undefined
        if (data.accessChanged && isOpen(socket)) return this.refresh(socket)
      })
    return data.refreshing
  }

  /**
   * Updates all sockets of a server after its roles or overwrites changed.
   * @param sockets all of this node
   */
  refreshServer(sockets: Socket[], notice: ServerNotice): Promise<void> {
    const { sql, bus } = this.parts
    return this.#queue.run(topic.server(notice.server_id).topic, () => refreshServer(sql, bus, sockets, notice))
  }

  /**
   * Sends servers that the client asks for: snapshot and marks of each. Openings of one
   * account are read one after another, and those of one socket are sent so too.
   * @returns the ids of those in which the account is a member; the others are not sent
   * @throws Problem `unavailable` if too many wait
   */
  async open(socket: Socket, serverIds: readonly number[]): Promise<number[]> {
    if (this.#openings.isFull())
      throw new Problem('unavailable', 'Too many servers are being opened', { retry_after: 5 })
    return this.#queue.run(`open:${socket.data.id}`, () => this.#open(socket, serverIds))
  }

  async #open(socket: Socket, serverIds: readonly number[]): Promise<number[]> {
    const { data } = socket
    const read = () =>
      this.views.readOpenings((sql, load) => loadOpenings(sql, load, data.user_id, serverIds, this.volatile.presence))
    const load = () => this.#openings.run(async () => (isOpen(socket) ? read() : undefined))
    // From before the read on, so that channels lost meanwhile are noted.
    beginBacklog(data)
    try {
      // Apart from the account's handshakes: a change of access waits for those.
      const openings = await this.#queue.run(`open-of:${data.user_id}`, load)
      if (!openings || !isOpen(socket)) return []
      await this.#sendBacklog(socket, openings)
      return openings.openings
        .map(({ server_id }) => server_id)
        .filter((id) => isSubscribed(socket, topic.server(id).topic))
    } finally {
      endBacklog(data)
    }
  }

  async #refreshUntilCurrent(socket: Socket): Promise<void> {
    const { data } = socket
    while (data.accessChanged && isOpen(socket)) {
      data.accessChanged = false
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
    if (socket.data.accessChanged || !isOpen(socket)) return
    socket.cork(() => {
      const choice = this.volatile.presence.know(socket.data.user_id, handshake.choice)
      goLive(socket, handshake, choice, topics, this.parts.environment, this.volatile)
      // Not awaited, so that a change of this account's access does not wait for a slow reader.
      void this.#sendBacklog(socket, handshake).then((s) => {
        if (s !== undefined && isOpen(socket)) socket.send(ephemeralText('synced', { s }))
      })
    })
  }

  /** @returns undefined for a socket that closed meanwhile, or is closed because its session has ended */
  async #loadHandshakes(sockets: Socket[]): Promise<(Handshake | undefined)[]> {
    while (this.#unsent > HANDSHAKES_UNSENT_MAX) await this.#sent.promise
    // Skip sockets that closed while they waited.
    const open = sockets.filter(isOpen)
    if (open.length === 0) return sockets.map(() => undefined)
    const windowS = this.parts.environment.RESUME_WINDOW
    const socketsData = open.map(({ data }) => data)
    const handshakes = await this.views.readOpenings((sql, load, marks) =>
      loadHandshakes(sql, load, marks, socketsData, windowS, this.volatile.presence),
    )
    this.garbage.add(open.length)
    const handshakeOf = new Map(open.map((socket, at) => [socket, handshakes[at]]))
    for (const [socket, handshake] of handshakeOf) if (!handshake) closeWith(socket, close.revoked)
    return sockets.map((socket) => handshakeOf.get(socket))
  }

  /** Most handshakes miss nothing, so check the end of the log first, which is cheap. */
  async #eventsMeanwhile(readers: Reader[]): Promise<(LoggedEvent[] | undefined)[]> {
    // A replica that serves this has all that was committed before, so also what was published before.
    const { late, events } = await this.parts.read('replays', async (sql) => {
      const withEvents = await withNews(sql, readers)
      return { late: withEvents, events: await eventsSince(sql, withEvents) }
    })
    const eventsOf = new Map(late.map((reader, at) => [reader, events[at]]))
    return readers.map((reader) => (eventsOf.has(reader) ? eventsOf.get(reader) : []))
  }

  async #update(socket: Socket): Promise<void> {
    const { data } = socket
    const { bus } = this.parts
    const subscriptions = subscriptionsOf(socket)
    const change = await this.views.read((sql, load) =>
      loadAccessChange(sql, load, data.user_id, subscriptions, this.volatile.presence.statusOf),
    )
    await bus.follow(topicsOf(change.access))
    if (data.accessChanged || !isOpen(socket)) return
    applyAccessChange(socket, change)
    if (change.snapshots.length > 0) void this.#sendBacklog(socket, change)
  }

  /** @returns the newest `s` sent; undefined if the backlog cannot be sent and the socket is closed */
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
   * Reads events committed meanwhile, once notices arrive on this node: before that, it may not know that the account
   * lost access.
   * @returns undefined also if the socket closes, or no notices arrive for UNTRUSTED_MS_MAX
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
