import { decodeFrame, encodeFrame, type Frame } from '../core/events.ts'
import type { RedisLink } from '../redis/client.ts'
import { type Bus, memoryBus, type Notice } from './bus.ts'
import { DeliveredEvents } from './delivered-events.ts'
import { LateEvents } from './late-events.ts'
import { MovedChannels } from './moved-channels.ts'

/**
 * Frames in flight to Redis. Beyond this, frames are not sent: other nodes find durable events in the log, and
 * ephemeral ones are lost.
 */
const SENDING_MAX = 10_000
/** Longest that a frame waits to be batched, unless the local sockets get it earlier. */
const SEND_MS_MAX = 5
/** A topic is followed for at least this long, because a socket may be about to subscribe. */
const FOLLOWED_MS_MIN = 60_000
/** Frames that arrive from Redis later than this are dropped; the log has delivered them. */
const LATE_MS_MAX = 30_000
/** After a Redis timeout, don't wait for subscriptions for this long. */
const IMPATIENT_MS = 5_000

/**
 * Separates the frames of a message. RFC 7464's record separator, because JSON text cannot contain it but PostgreSQL's
 * JSON has line ends.
 */
const SEPARATOR = '\x1e'

/**
 * Reaches other nodes through Redis: one Redis channel per topic. Frames that local sockets get in one write go into
 * one message, so that other nodes also write them together. Nothing is sent while there is no other node. LogFollower
 * recovers from the log what Redis loses.
 */
export class RedisBus implements Bus {
  readonly lateMsMax = LATE_MS_MAX
  readonly #local = memoryBus()
  readonly #deliveredEvents = new DeliveredEvents(Date.now)
  /** Events that came after newer ones: LogFollower delivers the newer ones again. */
  readonly late = new LateEvents(() => performance.now())
  readonly #movedChannels = new MovedChannels(() => performance.now())
  /** The topics to follow, with the time of the last request; and those that Redis has confirmed. */
  readonly #wantedTopics = new Map<string, number>()
  readonly #confirmedTopics = new Set<string>()
  readonly #prefix: string
  /** Prefix of this node's own messages. */
  readonly #mark: string
  /** Unsent frames by topic. */
  readonly #unsentTexts = new Map<string, string[]>()
  /** Runs while there are unsent frames. */
  #sends: Timer | undefined
  /** Frames that are unsent or unconfirmed by Redis. */
  #sending = 0
  #canReceiveNotices = true
  /**
   * Frames up to this event may be addressed to topics that their channels left while this node received no notices.
   */
  #caughtUp = 0
  #isCurrent = (): boolean => true
  /** Until this time `follow` does not wait for Redis; by performance.now(). */
  #impatientUntil = 0

  /**
   * @param node name of this process, to recognise its own messages
   * @param isAlone true if there is no other node. A node that has just started may be missed: it reads the log
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
      this.#confirmedTopics.clear()
      this.#subscribe([...this.#wantedTopics.keys()]).catch(() => {})
    })
  }

  onFrame(listener: (frame: Frame) => void): void {
    this.#local.onFrame(listener)
  }

  onNotice(listener: (notice: Notice) => Promise<void> | void): void {
    this.#local.onNotice(listener)
  }

  async notify(notice: Notice): Promise<void> {
    this.#movedChannels.note(notice)
    if (notice.kind === 'disconnected') this.#canReceiveNotices = false
    if (notice.kind === 'connected') this.#canReceiveNotices = true
    await this.#local.notify(notice)
  }

  receivesNotices(): boolean {
    return this.#canReceiveNotices && this.#isCurrent()
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
    const texts = this.#unsentTexts.get(frame.topic)
    if (texts) return void texts.push(encodeFrame(frame))
    this.#sends ??= setTimeout(this.flush, SEND_MS_MAX)
    this.#unsentTexts.set(frame.topic, [encodeFrame(frame)])
  }

  deliver(frame: Frame): void {
    // LogFollower delivers the frame later, to the channel's current topic.
    if (!this.receivesNotices() || this.#movedChannels.isStale(frame)) return
    if (frame.s !== undefined) this.late.note(frame.s)
    this.deliverLate(frame)
  }

  /** Records that events up to this one are read from the log, so that Redis brings them too late. */
  caughtUp(s: number): void {
    this.#caughtUp = s
  }

  /** Delivers events found by LogFollower, which has checked that they may be delivered. */
  deliverLate(frame: Frame): void {
    if (frame.s !== undefined) this.#deliveredEvents.add(frame.s)
    this.#local.deliver(frame)
  }

  async follow(topics: Iterable<string>): Promise<void> {
    const now = Date.now()
    const unconfirmed: string[] = []
    for (const topic of topics) {
      if (!this.#confirmedTopics.has(topic)) unconfirmed.push(topic)
      this.#wantedTopics.set(topic, now)
    }
    if (unconfirmed.length === 0 || !this.link.isReady()) return
    // A failure needs no report: the log fills the gap.
    const following = this.#subscribe(unconfirmed).catch(
      () => void (this.#impatientUntil = performance.now() + IMPATIENT_MS),
    )
    if (performance.now() >= this.#impatientUntil) await following
  }

  retain(isSubscribed: (topic: string) => boolean): void {
    const now = Date.now()
    for (const [topic, askedAt] of this.#wantedTopics) {
      if (now - askedAt < FOLLOWED_MS_MIN || isSubscribed(topic)) continue
      this.#wantedTopics.delete(topic)
      if (this.#confirmedTopics.delete(topic)) this.link.subscriber.sunsubscribe(this.#prefix + topic).catch(() => {})
    }
    this.#subscribe([...this.#wantedTopics.keys()].filter((topic) => !this.#confirmedTopics.has(topic))).catch(() => {})
  }

  /** True if local sockets may be subscribed to the topic. */
  isFollowed(topic: string): boolean {
    return this.#wantedTopics.has(topic)
  }

  /** True if the event has been delivered on this node. */
  hasDelivered(s: number): boolean {
    return this.#deliveredEvents.has(s)
  }

  /** Marks the event as delivered: sockets that connect from now on read its effect from the database. */
  skip(s: number): void {
    this.#deliveredEvents.add(s)
  }

  readonly flush = (): void => {
    clearTimeout(this.#sends)
    this.#sends = undefined
    for (const [topic, texts] of this.#unsentTexts) {
      this.link.commands
        .spublish(this.#prefix + topic, this.#mark + texts.join(SEPARATOR))
        .catch(() => {}) // Durable events are in the log.
        .finally(() => (this.#sending -= texts.length))
    }
    this.#unsentTexts.clear()
  }

  #receive(topic: string, message: string): void {
    if (message.startsWith(this.#mark)) return
    const [, ...texts] = message.split(SEPARATOR)
    for (const text of texts) {
      const frame = decodeFrame(topic, text)
      if (!frame || (frame.s !== undefined && (frame.s <= this.#caughtUp || this.#deliveredEvents.isOld(frame.s))))
        continue
      this.deliver(frame)
    }
  }

  /** Rejects if Redis goes away meanwhile; then all topics are subscribed to again. */
  async #subscribe(topics: string[]): Promise<void> {
    // One command per topic, all at once: in a Redis cluster the topics may live on different nodes.
    await Promise.all(
      topics.map(async (topic) => {
        await this.link.subscriber.ssubscribe(this.#prefix + topic)
        if (this.#wantedTopics.has(topic)) this.#confirmedTopics.add(topic)
      }),
    )
  }
}
