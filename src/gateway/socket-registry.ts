import type { Server as BunServer } from 'bun'
import type { Frame } from '../core/events.ts'
import type { Metrics } from '../core/metrics.ts'
import { SOCKETS_PER_BOT_MAX, SOCKETS_PER_USER_MAX } from './model.ts'
import { isOpen, type Socket, type SocketData } from './socket.ts'

/** Every socket of this node, by account. */
export class SocketRegistry {
  readonly #sockets = new Map<number, Socket[]>()
  /** The server that listens, and those whose certificate was renewed while sockets were open. */
  #servers: BunServer<SocketData>[] = []

  constructor(private readonly metrics: Pick<Metrics, 'sockets'>) {}

  attach(server: BunServer<SocketData>): void {
    // The one before is kept even without sockets: a request that it took may still become one.
    const older = this.#servers.slice(0, -1).filter(({ pendingWebSockets }) => pendingWebSockets > 0)
    this.#servers = [...older, ...this.#servers.slice(-1), server]
  }

  /** Whether the account has as many sockets as it may have. */
  isFull({ user_id, is_bot }: Pick<SocketData, 'user_id' | 'is_bot'>): boolean {
    return this.ofUser(user_id).length >= (is_bot ? SOCKETS_PER_BOT_MAX : SOCKETS_PER_USER_MAX)
  }

  /** A list of its own: closing a socket changes the registry. */
  readonly all = (): Socket[] => [...this.#sockets.values()].flat()

  readonly ofUser = (user_id: number): Socket[] => this.#sockets.get(user_id) ?? []

  /** The open socket with this data. */
  socketOf(data: Pick<SocketData, 'user_id'>): Socket | undefined {
    return this.ofUser(data.user_id).find((socket) => socket.data === data && isOpen(socket))
  }

  add(socket: Socket): void {
    const { user_id } = socket.data
    this.#sockets.set(user_id, [...this.ofUser(user_id), socket])
    this.metrics.sockets.inc()
  }

  /** @returns whether the socket was registered: one that was refused is not */
  remove(socket: Socket): boolean {
    const { user_id } = socket.data
    const own = this.ofUser(user_id)
    const others = own.filter((other) => other !== socket)
    if (others.length === own.length) return false
    if (others.length > 0) this.#sockets.set(user_id, others)
    else this.#sockets.delete(user_id)
    this.metrics.sockets.dec()
    return true
  }

  readonly publish = ({ topic, text }: Frame): void => {
    for (const server of this.#servers) server.publish(topic, text)
  }

  readonly hasSubscribers = (topic: string): boolean =>
    this.#servers.some((server) => server.subscriberCount(topic) > 0)
}
