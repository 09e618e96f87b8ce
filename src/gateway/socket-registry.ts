import { eventText, type Frame } from '../core/events.ts'
import type { Metrics } from '../core/metrics.ts'
import { SOCKETS_PER_BOT_MAX, SOCKETS_PER_USER_MAX } from './model.ts'
import { type Packed, packed } from './compression.ts'
import { blankBody, isBlanked, isWanted } from './intents.ts'
import { isOpen, type Socket, type SocketData, type SocketServer } from './socket.ts'
import { type Variant, variantOf } from './variants.ts'

/** The sockets that asked for nothing. Their topics have no suffix. */
const PLAIN = variantOf(undefined, false)
/** The sockets that receive every frame whole. */
const WHOLE = [PLAIN, variantOf(undefined, true)]

/** Sockets that receive an event type, and whether they receive it without content. */
interface Wanting {
  variant: Variant
  isBlank: boolean
}

/** All sockets of this node, by account. */
export class SocketRegistry {
  /** A single socket is stored without an array, because most accounts have one. */
  readonly #sockets = new Map<number, Socket | Socket[]>()
  /** Number of sockets by variant, without the plain ones. */
  readonly #variants = new Map<Variant, number>()
  /** Cache: by event type, the variants that receive it. Cleared when the first of a variant comes or the last goes. */
  readonly #wanting = new Map<string, Wanting[]>()
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
    const { user_id, variant } = socket.data
    if (variant !== PLAIN) this.#count(variant, 1)
    const others = this.ofUser(user_id)
    this.#sockets.set(user_id, others.length > 0 ? [...others, socket] : socket)
    this.metrics.sockets.inc()
  }

  /** @returns true if the socket was registered; refused sockets are not */
  remove(socket: Socket): boolean {
    const { user_id, variant } = socket.data
    const userSockets = this.ofUser(user_id)
    const others = userSockets.filter((other) => other !== socket)
    if (others.length === userSockets.length) return false
    const [other, ...more] = others
    if (other) this.#sockets.set(user_id, more.length > 0 ? others : other)
    else this.#sockets.delete(user_id)
    this.metrics.sockets.dec()
    if (variant !== PLAIN) this.#count(variant, -1)
    return true
  }

  #count(variant: Variant, change: 1 | -1): void {
    const before = this.#variants.get(variant) ?? 0
    if (before + change > 0) this.#variants.set(variant, before + change)
    else this.#variants.delete(variant)
    if (before === 0 || before + change === 0) this.#wanting.clear()
  }

  #wantingOf(type: string): Wanting[] {
    const cached = this.#wanting.get(type)
    if (cached) return cached
    const wanting = [...this.#variants.keys()].flatMap((variant): Wanting[] => {
      const { intents } = variant
      if (intents === undefined) return [{ variant, isBlank: false }]
      return isWanted(intents, type) ? [{ variant, isBlank: isBlanked(intents, type) }] : []
    })
    this.#wanting.set(type, wanting)
    return wanting
  }

  readonly publish = (frame: Frame): void => {
    const { topic, type, text } = frame
    for (const server of this.#servers) server.publish(topic, text)
    if (this.#variants.size === 0) return
    const forms = new FrameForms(frame)
    for (const { variant, isBlank } of this.#wantingOf(type)) {
      const name = topic + variant.suffix
      for (const server of this.#servers) {
        // Do not encode for an empty audience.
        if (server.subscriberCount(name) > 0) server.publish(name, forms.of(isBlank, variant.isCompressed))
      }
    }
  }

  /** Number of sockets that receive the whole frames published to a topic. */
  readonly audience = (topic: string): number =>
    WHOLE.reduce((sum, { suffix }) => sum + this.#subscribers(topic + suffix), 0)

  readonly hasSubscribers = (topic: string): boolean =>
    this.#hasOthers(topic) ||
    [PLAIN, ...this.#variants.keys()].some(({ suffix }) => this.#subscribers(topic + suffix) > 0)

  #subscribers(name: string): number {
    return this.#servers.reduce((sum, server) => sum + server.subscriberCount(name), 0)
  }
}

/** A frame in the forms that sockets asked for, each encoded once for all of them. */
class FrameForms {
  #blank: string | undefined
  readonly #packed: { whole?: Packed; blank?: Packed } = {}

  constructor(private readonly frame: Frame) {}

  of(isBlank: boolean, isCompressed: boolean): Packed {
    const text = isBlank ? (this.#blank ??= blankOf(this.frame)) : this.frame.text
    return isCompressed ? (this.#packed[isBlank ? 'blank' : 'whole'] ??= packed(text)) : text
  }
}

/** The frame of a message event without the content. */
function blankOf({ type, s, text }: Frame): string {
  const { d }: { d: object } = JSON.parse(text)
  return eventText(type, s, blankBody(JSON.stringify(d)))
}
