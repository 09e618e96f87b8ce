import type { Server as BunServer } from 'bun'
import type { Notice } from '../../adapters/bus.ts'
import { errorFields } from '../../adapters/log.ts'
import type { Parts } from '../../adapters/parts.ts'
import { eventFrame, topic } from '../../core/contract.ts'
import { Problem } from '../../core/errors.ts'
import { openGate } from '../../core/gate.ts'
import { type Client, closeWith, drained, isOpen, type Socket } from './client.ts'
import { close, HEARTBEAT_MS, SOCKETS_PER_USER_MAX } from './model.ts'
import { atOneMoment, begin, catchUp, follow, loadBeginning, loadUpdate } from './opening.ts'
import { openPresence } from './presence.ts'

/** Beginnings that are read at once, and that may wait: a storm of reconnects must not starve the requests. */
const BEGINNINGS_AT_ONCE = 6
const BEGINNINGS_QUEUED_MAX = 20_000
const TICK_MS = 1_000
const TICKS_PER_HEARTBEAT = HEARTBEAT_MS / TICK_MS

/** Every socket of this node: opens, follows, watches and closes them. */
export function openHub({ sql, bus, environment, metrics, log }: Parts) {
  const sockets = new Map<number, Socket[]>()
  const presence = openPresence(sql, bus, log)
  const gate = openGate(BEGINNINGS_AT_ONCE, BEGINNINGS_QUEUED_MAX)
  let server: BunServer<Client> | undefined
  const each = function* () {
    for (const list of sockets.values()) yield* list
  }

  bus.onFrame((name, frame) => {
    metrics.frames.inc({ event: frame.slice(6, frame.indexOf('"', 6)) })
    server?.publish(name, frame)
  })
  bus.onNotice(async (notice) => act(notice))

  async function act(notice: Notice): Promise<void> {
    if (notice.kind === 'sessions_revoked') {
      const ids = new Set(notice.session_ids)
      for (const socket of each()) if (ids.has(socket.data.session_id)) closeWith(socket, close.revoked)
    } else if (notice.kind === 'access_changed') {
      await Promise.all(notice.user_ids.flatMap((id) => sockets.get(id) ?? []).map(settle))
    } else if (notice.kind === 'server_deleted') {
      const names = [topic.server(notice.server_id).topic, topic.invites(notice.server_id).topic]
      for (const socket of each()) for (const name of names) socket.unsubscribe(name)
    }
  }

  /** Brings a socket's subscriptions up to date: one look-up at a time, and another when access changed meanwhile. */
  function settle(socket: Socket): Promise<void> {
    const client = socket.data
    client.stale = true
    client.settling ??= (async () => {
      while (client.stale && isOpen(socket)) {
        client.stale = false
        await (client.live ? update(socket) : start(socket))
      }
    })()
      .catch((error: unknown) => {
        if (error instanceof Problem && error.code === 'token_revoked') return closeWith(socket, close.revoked)
        log('warn', 'gateway.settle', errorFields(error))
        closeWith(socket, close.unknown)
      })
      .finally(() => (client.settling = undefined))
    return client.settling
  }

  async function start(socket: Socket): Promise<void> {
    const { data } = socket
    const window_s = environment.RESUME_WINDOW
    const beginning = await gate.pass(() =>
      atOneMoment(sql, (tx) => loadBeginning(tx, data, window_s, presence.statusOf)),
    )
    if (data.stale || !isOpen(socket)) return
    begin(socket, beginning, window_s)
    // Not awaited: whoever changes this account's access waits for subscriptions, not for a slow reader.
    finish(socket, catchUp(socket, sql, beginning), true)
  }

  async function update(socket: Socket): Promise<void> {
    const { user_id } = socket.data
    const had = new Set(socket.subscriptions)
    const update = await atOneMoment(sql, (tx) => loadUpdate(tx, user_id, had, presence.statusOf))
    if (!isOpen(socket)) return
    follow(socket, update.access)
    if (update.snapshots.length > 0) finish(socket, catchUp(socket, sql, update), false)
  }

  function finish(socket: Socket, sending: Promise<number | undefined>, synced: boolean): void {
    sending.then(
      (s) => {
        if (s === undefined) closeWith(socket, close.restart)
        else if (synced && isOpen(socket)) socket.send(eventFrame('synced', undefined, JSON.stringify({ s })))
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
    for (const socket of each()) {
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
      const own = sockets.get(user_id) ?? []
      const others = own.filter((other) => other !== socket)
      if (others.length === own.length) return
      metrics.sockets.dec()
      presence.closed(user_id)
      if (others.length > 0) sockets.set(user_id, others)
      else sockets.delete(user_id)
    },
    /** Closes every socket with a code that clients resume from. */
    closeAll() {
      for (const socket of each()) closeWith(socket, close.restart)
    },
    stop() {
      clearInterval(timer)
      presence.stop()
    },
  }
}

export type Hub = ReturnType<typeof openHub>
