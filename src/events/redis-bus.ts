import { decodeFrame, type Frame } from '../core/events.ts'
import { type Bus, memoryBus, type Notice } from './bus.ts'
import type { RedisLink } from '../redis/client.ts'

/** Frames on their way to Redis; what is more than that reaches other nodes by the log. */
const UNDERWAY_MAX = 10_000
/** A topic is not let go sooner: a socket may be about to subscribe. */
const FOLLOWED_MS_MIN = 60_000
/** Events are remembered so long, and twice as many of them, at most: what comes twice is told once. */
const REMEMBERED_MS = 60_000
const REMEMBERED_MAX = 200_000
/** Frames may be under way for so long; what comes later still has been found in the log. */
const LATE_MS_MAX = 30_000

/** A Redis that has not answered within its time keeps nobody waiting for so long. */
const IMPATIENT_MS = 5_000

/** Between the frames of one message: RFC 7464's, which stands in no JSON text. PostgreSQL's has line ends. */
const SEPARATOR = '\x1e'

/** A bus by which other nodes are reached. What Redis loses the follower finds in the log. */
export interface RedisBus extends Bus {
  /** Whether sockets here want what is published to the topic. */
  isFollowed(topic: string): boolean
  /** Whether the event has been handed out here. */
  hasDelivered(s: number): boolean
  /** It concerned nobody here: who begins from now on has it from the database, and must not be told it as news. */
  passOver(s: number): void
}

/**
 * The channels whose events have lately changed from their server's topic to their own, or back. Frames and notices
 * come in different ways: one that was published to the topic before may come after, to those who must not see it any
 * more, or to nobody.
 */
function openFlips(now: () => number) {
  const flips = new Map<number, { restricted: boolean; until: number }>()
  return {
    note(notice: Notice) {
      if (notice.kind === 'look_again') flips.clear()
      if (notice.kind !== 'server_access_changed') return
      const until = now() + 2 * LATE_MS_MAX
      for (const id of notice.hidden) flips.set(id, { restricted: true, until })
      for (const id of notice.revealed) flips.set(id, { restricted: false, until })
    },
    isStale({ topic, channel_id: id }: Frame): boolean {
      const flip = id === undefined ? undefined : flips.get(id)
      if (id === undefined || !flip) return false
      if (flip.until < now()) flips.delete(id)
      return topic.startsWith('channel:') !== flip.restricted
    },
  }
}

/** The events that were handed out lately. */
function openMemory(now: () => number) {
  let [current, previous, since] = [new Set<number>(), new Set<number>(), now()]
  let [newest, newest_before, floor] = [0, 0, 0]
  const has = (s: number) => current.has(s) || previous.has(s)
  return {
    has,
    /** Handed out, or older than what is remembered: a Redis that stood still says what has long been in the log. */
    isOld: (s: number) => s <= floor || has(s),
    add(s: number) {
      if (current.size >= REMEMBERED_MAX || now() - since > REMEMBERED_MS) {
        ;[previous, current, since] = [current, new Set(), now()]
        ;[floor, newest_before] = [newest_before, newest]
      }
      newest = Math.max(newest, s)
      current.add(s)
    },
  }
}

/**
 * Hands frames out here at once, and by one channel a topic to the nodes that follow it; what is published there in one
 * moment goes as one message.
 * @param node this process, whose own messages come back to it
 */
export function redisBus(link: RedisLink, node: string): RedisBus {
  const { commands, subscriber, key, isReady, isAnswering, onReady } = link
  const local = memoryBus()
  const memory = openMemory(Date.now)
  const flips = openFlips(Date.now)
  /** Topics that are to be followed, and since when that was last asked for. */
  const wanted = new Map<string, number>()
  const confirmed = new Set<string>()
  const prefix = key('topic:')
  const waiting = new Map<string, string[]>()
  let underway = 0
  let inTouch = true
  let patient_at = 0

  const deliver = (frame: Frame) => {
    // The log tells it again.
    if (!inTouch) return
    if (frame.s !== undefined) memory.add(frame.s)
    local.deliver(frame)
  }

  function send(): void {
    for (const [topic, texts] of waiting) {
      commands
        .spublish(prefix + topic, [node, ...texts].join(SEPARATOR))
        .catch(() => {}) // The log has what is durable of it.
        .finally(() => (underway -= texts.length))
    }
    waiting.clear()
  }

  /** Rejects when Redis goes away in between: then everything is subscribed to anew. */
  async function subscribe(topics: string[]): Promise<void> {
    // One after another in one go: in a cluster they may belong to different nodes.
    await Promise.all(
      topics.map(async (topic) => {
        await subscriber.ssubscribe(prefix + topic)
        if (wanted.has(topic)) confirmed.add(topic)
      }),
    )
  }

  subscriber.on('smessage', (channel: string, message: string) => {
    if (!channel.startsWith(prefix)) return
    const [from, ...texts] = message.split(SEPARATOR)
    if (from === node) return
    const topic = channel.slice(prefix.length)
    for (const text of texts) {
      const frame = decodeFrame(topic, text)
      // One to a topic that it has no more is found in the log.
      if (frame && (frame.s === undefined || !memory.isOld(frame.s)) && !flips.isStale(frame)) deliver(frame)
    }
  })
  onReady(() => {
    confirmed.clear()
    subscribe([...wanted.keys()]).catch(() => {})
  })
  return {
    ...local,
    deliver,
    late_ms_max: LATE_MS_MAX,
    async notify(notice) {
      flips.note(notice)
      if (notice.kind === 'out_of_touch') inTouch = false
      if (notice.kind === 'in_touch') inTouch = true
      await local.notify(notice)
    },
    isInTouch: () => inTouch,
    publish(frame) {
      deliver(frame)
      if (!isReady() || underway >= UNDERWAY_MAX) return
      underway++
      const texts = waiting.get(frame.topic)
      if (texts) return void texts.push(frame.text)
      if (waiting.size === 0) queueMicrotask(send)
      waiting.set(frame.topic, [frame.text])
    },
    async follow(topics) {
      const now = Date.now()
      const missing: string[] = []
      for (const topic of topics) {
        if (!confirmed.has(topic)) missing.push(topic)
        wanted.set(topic, now)
      }
      if (missing.length === 0 || !isReady()) return
      // Who cannot follow now does not wait: the log fills the gap.
      const following = subscribe(missing).catch(() => void (patient_at = performance.now() + IMPATIENT_MS))
      if (performance.now() >= patient_at) await following
    },
    retain(isSubscribed) {
      const now = Date.now()
      for (const [topic, since] of wanted) {
        if (now - since < FOLLOWED_MS_MIN || isSubscribed(topic)) continue
        wanted.delete(topic)
        if (confirmed.delete(topic)) subscriber.sunsubscribe(prefix + topic).catch(() => {})
      }
      subscribe([...wanted.keys()].filter((topic) => !confirmed.has(topic))).catch(() => {})
    },
    isFollowed: (topic) => wanted.has(topic),
    hasDelivered: memory.has,
    passOver: memory.add,
    state: () => (isAnswering() ? 'ok' : 'away'),
  }
}
