import type { Server as BunServer } from 'bun'
import { eventText, type Frame } from '../core/events.ts'
import type { Metrics } from '../core/metrics.ts'
import { SOCKETS_PER_BOT_MAX, SOCKETS_PER_USER_MAX } from './model.ts'
import { blankBody, type Intents, isBlanked, isWanted, narrowTopic } from './intents.ts'
import { isOpen, type Socket, type SocketData } from './socket.ts'

/** Every socket of this node, by account. */
export class SocketRegistry {
  readonly #sockets = new Map<number, Socket[]>()
  /** The intents of sockets, and how many have each. */
  readonly #intents = new Map<Intents, number>()
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
    const { user_id, intents } = socket.data
    if (intents !== undefined) this.#intents.set(intents, (this.#intents.get(intents) ?? 0) + 1)
    this.#sockets.set(user_id, [...this.ofUser(user_id), socket])
    this.metrics.sockets.inc()
  }

  /** @returns whether the socket was registered: one that was refused is not */
  remove(socket: Socket): boolean {
    const { user_id, intents } = socket.data
    const own = this.ofUser(user_id)
    const others = own.filter((other) => other !== socket)
    if (others.length === own.length) return false
    if (others.length > 0) this.#sockets.set(user_id, others)
    else this.#sockets.delete(user_id)
    this.metrics.sockets.dec()
    const left = intents === undefined ? undefined : (this.#intents.get(intents) ?? 0) - 1
    if (intents !== undefined && left === 0) this.#intents.delete(intents)
    else if (intents !== undefined && left !== undefined) this.#intents.set(intents, left)
    return true
  }

  readonly publish = (frame: Frame): void => {
    const { topic, type, text } = frame
    for (const server of this.#servers) server.publish(topic, text)
    let blank: string | undefined
    for (const intents of this.#intents.keys()) {
      if (!isWanted(intents, type)) continue
      const own = isBlanked(intents, type) ? (blank ??= blankOf(frame)) : text
      for (const server of this.#servers) server.publish(narrowTopic(topic, intents), own)
    }
  }

  readonly hasSubscribers = (topic: string): boolean =>
    [topic, ...[...this.#intents.keys()].map((intents) => narrowTopic(topic, intents))].some((name) =>
      this.#servers.some((server) => server.subscriberCount(name) > 0),
    )
}

/** The frame of a message's event without what was written, encoded once for all who want it so. */
function blankOf({ type, s, text }: Frame): string {
  const { d }: { d: object } = JSON.parse(text)
  return eventText(type, s, blankBody(JSON.stringify(d)))
}
