import { eventText, type Frame } from '../core/events.ts'
import type { Metrics } from '../core/metrics.ts'
import { SOCKETS_PER_BOT_MAX, SOCKETS_PER_USER_MAX } from './model.ts'
import { blankBody, type Intents, isBlanked, isWanted, narrowTopic } from './intents.ts'
import { isOpen, type Socket, type SocketData, type SocketServer } from './socket.ts'

/** Intents that include an event type, and whether their sockets receive it without content. */
interface Narrowed {
  intents: Intents
  blanked: boolean
}

/** All sockets of this node, by account. */
export class SocketRegistry {
  /** A single socket is stored without an array, because most accounts have one. */
  readonly #sockets = new Map<number, Socket | Socket[]>()
  /** Number of sockets by intents. */
  readonly #intents = new Map<Intents, number>()
  /** Cache: by event type, the intents that include it. Cleared when sockets with other intents come or go. */
  readonly #narrowed = new Map<string, Narrowed[]>()
  /** The listening server, and earlier ones with an old certificate that still have sockets. */
  #servers: SocketServer[] = []

  /** True if a socket that is not Bun's is subscribed to a topic. */
  #hasOthers: (topic: string) => boolean = () => false

  constructor(private readonly metrics: Pick<Metrics, 'sockets'>) {}

  attach(server: SocketServer): void {
    // The previous server stays even without sockets: a request that it accepted may still become one.
    const older = this.#servers.slice(0, -1).filter(({ pendingWebSockets }) => pendingWebSockets > 0)
    this.#servers = [...older, ...this.#servers.slice(-1), server]
  }

  /** @param hasOthers true if a socket that is not Bun's is subscribed to a topic */
  follow(hasOthers: (topic: string) => boolean): void {
    this.#hasOthers = hasOthers
  }

  /** True if the account has reached its limit of sockets. */
  isFull({ user_id, is_bot }: Pick<SocketData, 'user_id' | 'is_bot'>): boolean {
    return this.ofUser(user_id).length >= (is_bot ? SOCKETS_PER_BOT_MAX : SOCKETS_PER_USER_MAX)
  }

  /** A copy, because closing a socket changes the registry. */
  readonly all = (): Socket[] => [...this.#sockets.values()].flat()

  readonly ofUser = (user_id: number): Socket[] => {
    const stored = this.#sockets.get(user_id) ?? []
    return Array.isArray(stored) ? stored : [stored]
  }

  /** The open socket with this data. */
  socketOf(data: Pick<SocketData, 'user_id'>): Socket | undefined {
    return this.ofUser(data.user_id).find((socket) => socket.data === data && isOpen(socket))
  }

  add(socket: Socket): void {
    const { user_id, intents } = socket.data
    if (intents !== undefined) this.#count(intents, 1)
    const others = this.ofUser(user_id)
    this.#sockets.set(user_id, others.length > 0 ? [...others, socket] : socket)
    this.metrics.sockets.inc()
  }

  /** @returns true if the socket was registered; refused sockets are not */
  remove(socket: Socket): boolean {
    const { user_id, intents } = socket.data
    const userSockets = this.ofUser(user_id)
    const others = userSockets.filter((other) => other !== socket)
    if (others.length === userSockets.length) return false
    const [other, ...more] = others
    if (other) this.#sockets.set(user_id, more.length > 0 ? others : other)
    else this.#sockets.delete(user_id)
    this.metrics.sockets.dec()
    if (intents !== undefined) this.#count(intents, -1)
    return true
  }

  #count(intents: Intents, change: 1 | -1): void {
    const before = this.#intents.get(intents) ?? 0
    if (before + change > 0) this.#intents.set(intents, before + change)
    else this.#intents.delete(intents)
    if (before === 0 || before + change === 0) this.#narrowed.clear()
  }

  #narrowedFor(type: string): Narrowed[] {
    const cached = this.#narrowed.get(type)
    if (cached) return cached
    const wanting = [...this.#intents.keys()].filter((intents) => isWanted(intents, type))
    const narrowed = wanting.map((intents) => ({ intents, blanked: isBlanked(intents, type) }))
    this.#narrowed.set(type, narrowed)
    return narrowed
  }

  readonly publish = (frame: Frame): void => {
    const { topic, type, text } = frame
    for (const server of this.#servers) server.publish(topic, text)
    if (this.#intents.size === 0) return
    let blank: string | undefined
    for (const { intents, blanked } of this.#narrowedFor(type)) {
      const name = narrowTopic(topic, intents)
      for (const server of this.#servers) {
        // Do not encode for an empty audience.
        if (blanked && server.subscriberCount(name) === 0) continue
        server.publish(name, blanked ? (blank ??= blankOf(frame)) : text)
      }
    }
  }

  /** Number of sockets that receive the full frames published to a topic. */
  readonly audience = (topic: string): number =>
    this.#servers.reduce((sum, server) => sum + server.subscriberCount(topic), 0)

  readonly hasSubscribers = (topic: string): boolean =>
    this.#hasOthers(topic) ||
    [topic, ...[...this.#intents.keys()].map((intents) => narrowTopic(topic, intents))].some((name) =>
      this.#servers.some((server) => server.subscriberCount(name) > 0),
    )
}

/** The frame of a message event without the content, encoded once for all sockets that need it. */
function blankOf({ type, s, text }: Frame): string {
  const { d }: { d: object } = JSON.parse(text)
  return eventText(type, s, blankBody(JSON.stringify(d)))
}
