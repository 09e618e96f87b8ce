import type { Frame } from '../core/events.ts'

/** Shortest interval between two frames of one message's reactions, or of its votes. */
const GAP_MS = 250
/** Messages tracked at once; reactions to further ones, and their votes, are not merged. */
const MESSAGES_MAX = 5_000

/** Types whose frames hold the whole state of their part of a message. */
const MERGED_TYPES = ['message.reactions', 'message.poll']

/** A message whose reactions, or votes, were published within the last GAP_MS. */
interface Recent {
  timer: Timer
  /** The newest frame since then, waiting. */
  pendingFrame: Frame | undefined
}

/**
 * Merges bursts of reactions and votes: a frame contains all reactions of its message, or all counts of its poll, so
 * only the newest within GAP_MS is published. The event log keeps every event.
 */
export class MergedReactions {
  readonly #recent = new Map<string, Recent>()

  constructor(private readonly publish: (frame: Frame) => void) {}

  add(frame: Frame): void {
    if (MERGED_TYPES.includes(frame.type)) return this.#merge(frame)
    // Nothing about a message may follow its deletion.
    if (frame.type === 'message.deleted' && this.#recent.size > 0)
      for (const type of MERGED_TYPES) this.#forget(keyOf(frame, type))
    if (frame.type === 'channel.pruned_by') this.flush()
    this.publish(frame)
  }

  #merge(frame: Frame): void {
    const key = keyOf(frame, frame.type)
    const recent = this.#recent.get(key)
    if (recent) {
      if ((recent.pendingFrame?.s ?? 0) < (frame.s ?? 0)) recent.pendingFrame = frame
      return
    }
    if (this.#recent.size < MESSAGES_MAX)
      this.#recent.set(key, { timer: setTimeout(() => this.#end(key), GAP_MS), pendingFrame: undefined })
    this.publish(frame)
  }

  /** Publishes the waiting frames. Call before subscriptions change. */
  flush(): void {
    for (const recent of this.#recent.values()) {
      if (recent.pendingFrame) this.publish(recent.pendingFrame)
      recent.pendingFrame = undefined
    }
  }

  stop(): void {
    for (const key of this.#recent.keys()) this.#forget(key)
  }

  #end(key: string): void {
    const pendingFrame = this.#recent.get(key)?.pendingFrame
    this.#recent.delete(key)
    if (pendingFrame) this.#merge(pendingFrame)
  }

  #forget(key: string): void {
    clearTimeout(this.#recent.get(key)?.timer)
    this.#recent.delete(key)
  }
}

/** Type, topic and message. The topic is needed because each participant of a dm or group has separate frames. */
const keyOf = ({ topic, text }: Frame, type: string): string => `${type} ${topic} ${/"d":\{"id":(\d+)/.exec(text)?.[1]}`
