import { decodeFrame, encodeFrame, type Frame } from '../core/events.ts'
import type { RedisLink } from '../redis/client.ts'
import { type Bus, memoryBus, type Notice } from './bus.ts'
import { DeliveredEvents } from './delivered-events.ts'
import { MovedChannels } from './moved-channels.ts'

/**
 * At most this many frames are on their way to Redis. Further ones are not sent: other nodes find the durable ones in
 * the log, and ephemeral ones are lost.
 */
const SENDING_MAX = 10_000
/** Frames wait at most this long for others to go with, unless the sockets here get them before. */
const SEND_MS_MAX = 5
/** A topic is followed for so long at least: a socket may be about to subscribe. */
const FOLLOWED_MS_MIN = 60_000
/** How late a frame may come by Redis; the log has delivered what comes later. */
const LATE_MS_MAX = 30_000
/** After a Redis timeout, don't wait for subscriptions for this long. */
const IMPATIENT_MS = 5_000

/** Between the frames of one message: RFC 7464's, which JSON text cannot contain; PostgreSQL's has line ends. */
const SEPARATOR = '\x1e'

/**
 * A bus that reaches other nodes through Redis: one Redis channel a topic, and the frames that sockets here get by one
 * write in one message, so that other nodes write them at once too. While there is no other node, nothing is sent.
 * What Redis loses, LogFollower finds in the log.
 */
export class RedisBus implements Bus {
  readonly late_ms_max = LATE_MS_MAX
  readonly #local = memoryBus()
  readonly #delivered = new DeliveredEvents(Date.now)
  readonly #moved = new MovedChannels(Date.now)
  /** The topics to follow, and when each was last asked for; those that Redis has confirmed. */
  readonly #wanted = new Map<string, number>()
  readonly #confirmed = new Set<string>()
  readonly #prefix: string
  /** How this node's own messages begin. */
  readonly #mark: string
  /** The frames to send, by topic. */
  readonly #unsent = new Map<string, string[]>()
  /** Runs while there are such frames. */
  #sends: Timer | undefined
  /** How many frames are unsent or not confirmed by Redis. */
  #sending = 0
  #receivesNotices = true
  /** Frames up to here may go to topics that their channels left while this node received no notices. */
  #caught_up = 0
  #isCurrent = (): boolean => true
  /** Until then, `follow` does not wait for Redis; by performance.now(). */
  #impatient_until = 0

  /**
   * @param node this process, whose own messages come back to it
   * @param isAlone whether there is no other node; one that has just begun may still be unknown: it reads the log
   */
  constructor(
    private readonly link: RedisLink,
    node: string,
    private readonly isAlone = (): boolean => false,
  ) {
    this.#mark = node + SEPARATOR
    this.#prefix = link.key('topic:')
    link.subscriber.on('smessage', (channel: string, message: string) => {
      if (channel.startsWith(this.#prefix)) this.#receive(channel.slice(this.#prefix.length), message)
    })
    link.onReady(() => {
      this.#confirmed.clear()
      this.#subscribe([...this.#wanted.keys()]).catch(() => {})
    })
  }

  onFrame(listener: (frame: Frame) => void): void {
    this.#local.onFrame(listener)
  }

  onNotice(listener: (notice: Notice) => Promise<void> | void): void {
    this.#local.onNotice(listener)
  }

  async notify(notice: Notice): Promise<void> {
    this.#moved.note(notice)
    if (notice.kind === 'disconnected') this.#receivesNotices = false
    if (notice.kind === 'connected') this.#receivesNotices = true
    await this.#local.notify(notice)
  }

  receivesNotices(): boolean {
    return this.#receivesNotices && this.#isCurrent()
  }

  trustWhile(isCurrent: () => boolean): void {
    this.#isCurrent = isCurrent
  }

  state(): 'ok' | 'away' {
    return this.link.isAnswering() ? 'ok' : 'away'
  }

  publish(frame: Frame): void {
    this.deliver(frame)
    if (this.isAlone() || !this.link.isReady() || this.#sending >= SENDING_MAX) return
    this.#sending++
    const texts = this.#unsent.get(frame.topic)
    if (texts) return void texts.push(encodeFrame(frame))
    this.#sends ??= setTimeout(this.flush, SEND_MS_MAX)
    this.#unsent.set(frame.topic, [encodeFrame(frame)])
  }

  deliver(frame: Frame): void {
    // LogFollower delivers it later, to the channel's current topic.
    if (this.receivesNotices() && !this.#moved.isStale(frame)) this.deliverLate(frame)
  }

  /** What was logged up to this event has been read from the log, or will be: Redis brings it too late. */
  caughtUp(s: number): void {
    this.#caught_up = s
  }

  /** Delivers what LogFollower found, which knows whether it may be delivered. */
  deliverLate(frame: Frame): void {
    if (frame.s !== undefined) this.#delivered.add(frame.s)
    this.#local.deliver(frame)
  }

  async follow(topics: Iterable<string>): Promise<void> {
    const now = Date.now()
    const missing: string[] = []
    for (const topic of topics) {
      if (!this.#confirmed.has(topic)) missing.push(topic)
      this.#wanted.set(topic, now)
    }
    if (missing.length === 0 || !this.link.isReady()) return
    // A failure is no error here: the log fills the gap.
    const following = this.#subscribe(missing).catch(
      () => void (this.#impatient_until = performance.now() + IMPATIENT_MS),
    )
    if (performance.now() >= this.#impatient_until) await following
  }

  retain(isSubscribed: (topic: string) => boolean): void {
    const now = Date.now()
    for (const [topic, asked_at] of this.#wanted) {
      if (now - asked_at < FOLLOWED_MS_MIN || isSubscribed(topic)) continue
      this.#wanted.delete(topic)
      if (this.#confirmed.delete(topic)) this.link.subscriber.sunsubscribe(this.#prefix + topic).catch(() => {})
    }
    this.#subscribe([...this.#wanted.keys()].filter((topic) => !this.#confirmed.has(topic))).catch(() => {})
  }

  /** Whether sockets here may want what is published to the topic. */
  isFollowed(topic: string): boolean {
    return this.#wanted.has(topic)
  }

  /** Whether the event has been delivered here. */
  hasDelivered(s: number): boolean {
    return this.#delivered.has(s)
  }

  /** Delivers the event no more: sockets that begin from now on have read what it says from the database. */
  skip(s: number): void {
    this.#delivered.add(s)
  }

  readonly flush = (): void => {
    clearTimeout(this.#sends)
    this.#sends = undefined
    for (const [topic, texts] of this.#unsent) {
      this.link.commands
        .spublish(this.#prefix + topic, this.#mark + texts.join(SEPARATOR))
        .catch(() => {}) // The durable ones are in the log.
        .finally(() => (this.#sending -= texts.length))
    }
    this.#unsent.clear()
  }

  #receive(topic: string, message: string): void {
    if (message.startsWith(this.#mark)) return
    const [, ...texts] = message.split(SEPARATOR)
    for (const text of texts) {
      const frame = decodeFrame(topic, text)
      if (!frame || (frame.s !== undefined && (frame.s <= this.#caught_up || this.#delivered.isOld(frame.s)))) continue
      this.deliver(frame)
    }
  }

  /** Rejects when Redis goes away in between: then everything is subscribed to anew. */
  async #subscribe(topics: string[]): Promise<void> {
    // One command a topic, all at once: in a cluster the topics may belong to different nodes.
    await Promise.all(
      topics.map(async (topic) => {
        await this.link.subscriber.ssubscribe(this.#prefix + topic)
        if (this.#wanted.has(topic)) this.#confirmed.add(topic)
      }),
    )
  }
}
