import type { Server as BunServer } from 'bun'
import type { Notice } from '../events/bus.ts'
import { errorFields } from '../core/log.ts'
import type { Parts } from '../parts.ts'
import { ephemeralText, topic } from '../core/events.ts'
import { Problem } from '../core/errors.ts'
import { Semaphore } from '../core/semaphore.ts'
import type { ClientSockets } from '../voice/client-sockets.ts'
import type { VoiceClient } from '../voice/seat.ts'
import type { Voice } from '../voice/voice.ts'
import { loadAccess, topicsOf } from './access.ts'
import { type Client, closeWith, drained, isOpen, type Socket } from './client.ts'
import { close, HEARTBEAT_MS, SOCKETS_PER_USER_MAX } from './model.ts'
import { atOneMoment, begin, catchUp, follow, loadBeginning, loadChange } from './handshake.ts'
import { openOutbox } from './frame-batcher.ts'
import { openPresence } from './presence.ts'
import { followServer } from './server-access.ts'

/** Beginnings that are read at once, and that may wait: a storm of reconnects must not starve the requests. */
const BEGINNINGS_AT_ONCE = 6
const BEGINNINGS_QUEUED_MAX = 20_000
/** Accounts that are looked at again at once, when this node may have missed something. */
const LOOKS_AT_ONCE = 8
const TICK_MS = 1_000
const TICKS_PER_HEARTBEAT = HEARTBEAT_MS / TICK_MS

/** Every socket of this node: opens, follows, watches and closes them. */
export function openHub({ sql, write, bus, nodes, environment, metrics, log }: Parts, voice: Voice) {
  const sockets = new Map<number, Socket[]>()
  const presence = openPresence(sql, bus, nodes, log)
  const turns = new Map<string, Promise<unknown>>()
  const gate = new Semaphore(BEGINNINGS_AT_ONCE, BEGINNINGS_QUEUED_MAX)
  let server: BunServer<Client> | undefined
  // A list of its own: closing a socket changes the map.
  const all = () => [...sockets.values()].flat()
  const outbox = openOutbox((frame) => server?.publish(frame.topic, frame.text), write.underway)

  voice.attach(voiceSockets(sockets, outbox.flush))
  bus.onFrame((frame) => {
    metrics.events.observe({ event: frame.type }, frame.text.length)
    outbox.put(frame)
  })
  bus.onNotice(async (notice) => act(notice))

  async function act(notice: Notice): Promise<void> {
    outbox.flush()
    if (notice.kind === 'sessions_revoked') {
      const ids = new Set(notice.session_ids)
      for (const socket of all()) if (ids.has(socket.data.session_id)) closeWith(socket, close.revoked)
    } else if (notice.kind === 'access_changed') {
      await Promise.all(notice.user_ids.flatMap((id) => sockets.get(id) ?? []).map(settle))
    } else if (notice.kind === 'server_access_changed') {
      await inTurn(`server:${notice.server_id}`, () => followServer(sql, bus, all(), notice)).catch(
        (error: unknown) => {
          // Sockets that cannot follow must not keep what they had: they begin again.
          log('warn', 'gateway.follow', errorFields(error))
          const { topic: name } = topic.server(notice.server_id)
          for (const socket of all()) if (socket.isSubscribed(name)) closeWith(socket, close.unknown)
        },
      )
    } else if (notice.kind === 'server_deleted') {
      const names = [topic.server(notice.server_id).topic, topic.invites(notice.server_id).topic]
      for (const socket of all()) for (const name of names) socket.unsubscribe(name)
    } else if (notice.kind === 'recheck_all') await lookAgain()
  }

  let looking = 0

  /** Sessions may have ended and access may have changed without a word: every socket is judged anew. */
  async function lookAgain(): Promise<void> {
    const turn = ++looking
    // One that opens meanwhile is judged as it begins.
    const judged = all()
    const ids = judged.map((socket) => socket.data.session_id)
    const rows = await sql<{ id: number }[]>`select id from sessions where id = any(${ids})`
    const living = new Set(rows.map((row) => row.id))
    for (const socket of judged) if (!living.has(socket.data.session_id)) closeWith(socket, close.revoked)
    const looks = new Semaphore(LOOKS_AT_ONCE, Infinity)
    const accounts = Map.groupBy(judged.filter(isOpen), (socket) => socket.data.user_id)
    // Where nothing has changed nothing is at stake: a look that fails closes no socket, and is tried again.
    const look = async (user_id: number, own: Socket[]) => {
      // Another has begun since: this one was for nothing.
      if (turn !== looking) return
      const wanted = topicsOf(await loadAccess(sql, user_id))
      const differs = ({ data, subscriptions }: Socket) =>
        !data.live || data.settling || new Set(subscriptions).symmetricDifference(wanted).size > 0
      await Promise.all(own.filter(differs).map(settle))
    }
    await Promise.all([...accounts].map(([user_id, own]) => looks.run(() => look(user_id, own))))
  }

  /**
   * Changes of one server are followed one after another: an older look must not undo a newer one. So are an account's
   * beginnings: it takes one place of the gate, however many sockets it opens.
   */
  function inTurn<T>(whose: string, work: () => Promise<T>): Promise<T> {
    const turn = (turns.get(whose) ?? Promise.resolve()).catch(() => {}).then(work)
    turns.set(whose, turn)
    const end = () => void (turns.get(whose) === turn && turns.delete(whose))
    turn.then(end, end)
    return turn
  }

  /** Brings a socket's subscriptions up to date: one look-up at a time, and another when access changed meanwhile. */
  function settle(socket: Socket): Promise<void> {
    const client = socket.data
    client.stale = true
    client.settling ??= (async () => {
      while (client.stale && isOpen(socket)) {
        client.stale = false
        client.looks++
        await (client.live ? update(socket) : start(socket))
      }
    })()
      .catch((error: unknown) => {
        if (error instanceof Problem && error.code === 'token_revoked') return closeWith(socket, close.revoked)
        log('warn', 'gateway.settle', errorFields(error))
        closeWith(socket, close.unknown)
      })
      .finally(() => {
        client.settling = undefined
        if (client.stale && isOpen(socket)) return settle(socket)
      })
    return client.settling
  }

  async function start(socket: Socket): Promise<void> {
    const { data } = socket
    const window_s = environment.RESUME_WINDOW
    const load = async () =>
      // Who went away while it waited costs nothing.
      isOpen(socket) ? atOneMoment(sql, (tx) => loadBeginning(tx, data, window_s, presence.statusOf)) : undefined
    const beginning = await inTurn(`user:${data.user_id}`, () => gate.run(load))
    if (beginning) await bus.follow(topicsOf(beginning.access))
    if (!beginning || data.stale || !isOpen(socket)) return
    begin(socket, beginning, window_s, voice.statesIn)
    // Not awaited: whoever changes this account's access waits for subscriptions, not for a slow reader.
    finish(socket, catchUp(socket, sql, beginning), true)
  }

  async function update(socket: Socket): Promise<void> {
    const { data } = socket
    const { user_id } = data
    const had = new Set(socket.subscriptions)
    const change = await atOneMoment(sql, (tx) => loadChange(tx, user_id, had, presence.statusOf))
    await bus.follow(topicsOf(change.access))
    if (data.stale || !isOpen(socket)) return
    follow(socket, change)
    if (change.snapshots.length > 0) finish(socket, catchUp(socket, sql, change), false)
  }

  function finish(socket: Socket, sending: Promise<number | undefined>, synced: boolean): void {
    sending.then(
      (s) => {
        if (s === undefined) closeWith(socket, close.restart)
        else if (synced && isOpen(socket)) socket.send(ephemeralText('synced', { s }))
      },
      (error: unknown) => {
        log('warn', 'gateway.catch_up', errorFields(error))
        closeWith(socket, close.unknown)
      },
    )
  }

  let ticks = 0
  const timer = setInterval(() => {
    const now = Date.now()
    const turn = ticks++ % TICKS_PER_HEARTBEAT
    if (turn === 0) bus.retain((name) => (server?.subscriberCount(name) ?? 0) > 0)
    for (const socket of all()) {
      const { data } = socket
      if (data.expires_s * 1000 <= now) closeWith(socket, close.expired)
      else if (data.id % TICKS_PER_HEARTBEAT !== turn) continue
      else if (now - data.heard_at > 2 * HEARTBEAT_MS + TICK_MS) socket.terminate()
      else socket.ping()
    }
  }, TICK_MS)

  return {
    presence,
    attach: (to: BunServer<Client>) => (server = to),
    opened(socket: Socket) {
      const { user_id } = socket.data
      const own = sockets.get(user_id) ?? []
      if (own.length >= SOCKETS_PER_USER_MAX) return closeWith(socket, close.too_many)
      if (gate.isFull()) return closeWith(socket, close.restart)
      sockets.set(user_id, [...own, socket])
      metrics.sockets.inc()
      presence.opened(user_id)
      void settle(socket)
    },
    closed(socket: Socket, code: number) {
      const { user_id } = socket.data
      metrics.closed.inc({ code })
      drained(socket)
      voice.socketClosed(socket.data)
      const own = sockets.get(user_id) ?? []
      const others = own.filter((other) => other !== socket)
      if (others.length === own.length) return
      metrics.sockets.dec()
      presence.closed(user_id)
      if (others.length > 0) sockets.set(user_id, others)
      else sockets.delete(user_id)
    },
    /** Sends what waits, so that an answer never overtakes what was published before it. */
    flush: outbox.flush,
    /** Closes every socket with a code that clients resume from. */
    closeAll() {
      outbox.flush()
      for (const socket of all()) closeWith(socket, close.restart)
    },
    stop() {
      clearInterval(timer)
      presence.stop()
    },
  }
}

export type Hub = ReturnType<typeof openHub>

/** The sockets as calls use them. */
function voiceSockets(sockets: Map<number, Socket[]>, flush: () => void): ClientSockets {
  const socketOf = (client: VoiceClient) => sockets.get(client.user_id)?.find((socket) => socket.data === client)
  return {
    send(client, frame) {
      // What was published before comes first.
      flush()
      const socket = socketOf(client)
      if (socket && isOpen(socket)) socket.send(frame)
    },
    ping: (client) => void socketOf(client)?.ping(),
    isOpen: (client) => isOpen(socketOf(client)),
  }
}
