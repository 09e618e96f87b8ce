import type { Frame } from '../../core/events.ts'
import { errorFields, type Log } from '../../core/log.ts'
import type { Bus } from '../../events/bus.ts'
import type { Facts } from '../facts.ts'
import type { FileLinks } from '../file-links.ts'
import type { Dispatch, ParleyEvent } from './dispatch.ts'
import { isShared, isWanted, translate } from './events.ts'
import { INTENT } from './intents.ts'
import type { Beginning, NativeSocket } from './native-socket.ts'

/** Events that wait to be translated. Beyond this, all sessions resume from the log instead. */
const QUEUE_MAX = 20_000
/** Events translated together, whose facts come with the same statements. */
const BATCH_MAX = 200
/** Attempts to translate a batch, counting the first, and the pause between them: the database may be away. */
const ATTEMPTS = 20
const PAUSE_MS = 250

/** A dispatch whose body is encoded at most once, however many bots receive it, unless it differs by bot. */
export class Encoded {
  #full: string | undefined
  #blank: string | undefined

  constructor(readonly dispatch: Dispatch) {}

  /** @param hasContent false for the body without the content of a message */
  body(hasContent: boolean, botId: number): string {
    const { d, dFor, blank } = this.dispatch
    if (dFor) return JSON.stringify(dFor(botId))
    if (hasContent || !blank) return (this.#full ??= JSON.stringify(d))
    return (this.#blank ??= JSON.stringify(blank))
  }
}

/** A session on Discord's gateway, as the translator feeds it. */
export interface Receiver {
  /** Events of the handshake, which concern only this session. */
  begin(event: ParleyEvent): void
  /** @param s the event's id in the log; undefined for ephemeral events */
  take(s: number | undefined, dispatches: Encoded[]): void
  /** True if the bot has one of these intents. */
  wants(intents: number): boolean
  /** Asks the bot to connect again and resume. */
  reconnect(): void
}

interface Item {
  event: ParleyEvent
  /** The sockets that were subscribed when the event was published. */
  sockets: NativeSocket[]
  /** True for what our gateway sent only to this socket. */
  isDirect: boolean
}

/** Events of our gateway that concern only one session. */
const HANDSHAKE = new Set(['ready', 'server.snapshot', 'synced'])
/**
 * Events that no session keeps a position of, by the intents without which no bot gets them. They are frequent while
 * many bots come, and are read only if one of them wants them.
 */
const FLEETING = new Map([
  ['presence.updated', INTENT.presences],
  ['typing.started', INTENT.typing | INTENT.dmTyping],
])
/** The type of an event, which its text begins with. */
const typeIn = (text: string): string => /^\{"t":"([^"]+)"/.exec(text)?.[1] ?? ''

/** Several sockets of a topic, with its name, so that they share one string. */
class Subscribers extends Set<NativeSocket> {
  constructor(readonly topic: string) {
    super()
  }
}

/**
 * Translates the events of this process once for all bots that receive them. Sockets of bots subscribe here to topics
 * of our own gateway. Events wait in a queue, so that they leave in the order in which they came, however long their
 * facts take. When the queue is too long or a translation fails, the sessions resume from the event log.
 */
export class Translator {
  /** A single socket is stored without a Set, because each bot has a topic of its own. */
  readonly #byTopic = new Map<string, NativeSocket | Subscribers>()
  readonly #receivers = new Map<NativeSocket, Receiver>()
  #queue: Item[] = []
  #isPumping = false
  /** The payloads of waiting events that go to single accounts: those of one type that say the same are one object. */
  readonly #payloads = new Map<string, unknown>()
  /** Addresses of files, at the origin that the newest socket uses. */
  #links: FileLinks

  constructor(
    bus: Pick<Bus, 'onFrame'>,
    private readonly facts: Facts,
    private readonly log: Log,
    links: FileLinks,
  ) {
    this.#links = links
    bus.onFrame((frame) => this.#publish(frame))
  }

  add(socket: NativeSocket, receiver: Receiver): void {
    this.#receivers.set(socket, receiver)
    this.#links = this.#links.at(socket.data.base)
  }

  remove(socket: NativeSocket): void {
    this.#receivers.delete(socket)
    for (const topic of socket.subscriptions) this.unsubscribe(socket, topic)
  }

  /** @returns the topic, as the string that all its sockets share */
  subscribe(socket: NativeSocket, topic: string): string {
    const before = this.#byTopic.get(topic)
    if (before instanceof Set) {
      before.add(socket)
      return before.topic
    }
    this.#byTopic.set(topic, before && before !== socket ? new Subscribers(topic).add(before).add(socket) : socket)
    return topic
  }

  unsubscribe(socket: NativeSocket, topic: string): void {
    const before = this.#byTopic.get(topic)
    if (before instanceof Set) before.delete(socket)
    if (before !== socket && !(before instanceof Set && before.size === 0)) return
    this.#byTopic.delete(topic)
  }

  isSubscribed(socket: NativeSocket, topic: string): boolean {
    const sockets = this.#byTopic.get(topic)
    return sockets instanceof Set ? sockets.has(socket) : sockets === socket
  }

  readonly hasSubscribers = (topic: string): boolean => this.#byTopic.has(topic)

  /** Takes what our gateway sends to one socket. */
  send(socket: NativeSocket, text: string): void {
    const type = typeIn(text)
    // Presences sent to one socket name no server, and Discord has no others.
    if (type === 'presence.updated' || (!HANDSHAKE.has(type) && !isWanted(type))) return
    const { s, d }: { s?: number; d: unknown } = JSON.parse(text)
    this.#enqueueFor(socket, { type, s, d })
  }

  begin(socket: NativeSocket, { type, d }: Beginning): void {
    this.#enqueueFor(socket, { type, s: undefined, d })
  }

  #enqueueFor(socket: NativeSocket, event: Omit<ParleyEvent, 'topic'>): void {
    const topic = `user:${socket.data.user_id}`
    this.#enqueue({ event: { ...event, topic }, sockets: [socket], isDirect: true })
  }

  /** The dispatches of events, in their order. @throws Error if the facts cannot be loaded */
  async translateAll(events: ParleyEvent[]): Promise<Encoded[][]> {
    const dispatches = await this.facts.resolve((of) => {
      // News for single bots comes once for each of them, and is translated and encoded once.
      const earlier = new Map<unknown, { type: string; list: Dispatch[] }>()
      return events.map((event) => {
        const { type, d } = event
        const before = isShared(type) ? earlier.get(d) : undefined
        // A ban and its end have the same payload.
        const list = before?.type === type ? before.list : translate(of, event, this.#links)
        earlier.set(d, { type, list })
        return list
      })
    })
    const encoded = new Map(dispatches.map((list) => [list, list.map((dispatch) => new Encoded(dispatch))]))
    return dispatches.map((list) => encoded.get(list) ?? [])
  }

  /** The payload of a frame. */
  #payloadOf({ topic, type, text }: Frame): unknown {
    if (!topic.startsWith('user:')) return JSON.parse(text).d
    const body = text.slice(text.indexOf('"d":') + 4, -1)
    const key = `${type} ${body}`
    const payload = this.#payloads.get(key) ?? JSON.parse(body)
    this.#payloads.set(key, payload)
    return payload
  }

  #publish(frame: Frame): void {
    const { topic, type, s } = frame
    const subscribers = this.#byTopic.get(topic)
    if (!subscribers || !isWanted(type)) return
    const intents = FLEETING.get(type)
    const all = subscribers instanceof Set ? [...subscribers] : [subscribers]
    const sockets = intents === undefined ? all : all.filter((socket) => this.#receivers.get(socket)?.wants(intents))
    if (sockets.length === 0) return
    this.#enqueue({ event: { type, s, topic, d: this.#payloadOf(frame) }, sockets, isDirect: false })
  }

  #enqueue(item: Item): void {
    this.#queue.push(item)
    if (this.#queue.length > QUEUE_MAX) return this.#giveUp(this.#queue.splice(0))
    if (!this.#isPumping) void this.#pump()
  }

  async #pump(): Promise<void> {
    this.#isPumping = true
    try {
      // Frames of one moment go together.
      await Promise.resolve()
      while (this.#queue.length > 0) {
        await this.#deliver(this.#queue.splice(0, BATCH_MAX))
        // The queue of a busy server may never be empty, and payloads must not pile up until then.
        this.#payloads.clear()
      }
    } finally {
      this.#isPumping = false
      this.#payloads.clear()
    }
  }

  async #deliver(items: Item[]): Promise<void> {
    const isAllHandshake = items.every(({ event }) => HANDSHAKE.has(event.type))
    const translated = isAllHandshake ? [] : await this.#translated(items.map(({ event }) => event))
    if (!translated) return this.#giveUp(items)
    for (const [at, { event, sockets, isDirect }] of items.entries())
      for (const socket of sockets) {
        const receiver = this.#receivers.get(socket)
        // The account may have lost access meanwhile.
        if (!receiver || (!isDirect && !socket.isSubscribed(event.topic))) continue
        if (HANDSHAKE.has(event.type)) receiver.begin(event)
        else receiver.take(event.s, translated[at] ?? [])
      }
  }

  async #translated(events: ParleyEvent[]): Promise<Encoded[][] | undefined> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.translateAll(events)
      } catch (error) {
        this.log('warn', 'discord.translate', errorFields(error))
        if (attempt === ATTEMPTS) return undefined
        await Bun.sleep(PAUSE_MS)
      }
    }
  }

  #giveUp(items: Item[]): void {
    const sockets = new Set(items.flatMap((item) => item.sockets))
    for (const socket of sockets) this.#receivers.get(socket)?.reconnect()
  }
}
