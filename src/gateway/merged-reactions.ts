import type { Frame } from '../core/events.ts'

/** The reactions of one message reach sockets so often at most. */
const GAP_MS = 250
/** Messages whose newest frame is remembered; the frames of further ones go out at once. */
const MESSAGES_MAX = 5_000

/** A message whose reactions have just been published. */
interface Recent {
  timer: Timer
  /** The newest frame since then. */
  held: Frame | undefined
}

/**
 * Merges a storm of reactions: each frame says all reactions of its message, so of those that come within GAP_MS only
 * the newest is published. The event log keeps every one.
 */
export class MergedReactions {
  readonly #recent = new Map<string, Recent>()

  constructor(private readonly publish: (frame: Frame) => void) {}

  add(frame: Frame): void {
    if (frame.type === 'message.reactions') return this.#merge(frame)
    // Nothing about a message comes after its deletion.
    if (frame.type === 'message.deleted' && this.#recent.size > 0) this.#forget(keyOf(frame))
    this.publish(frame)
  }

  #merge(frame: Frame): void {
    const key = keyOf(frame)
    const recent = this.#recent.get(key)
    if (recent) {
      if ((recent.held?.s ?? 0) < (frame.s ?? 0)) recent.held = frame
      return
    }
    if (this.#recent.size < MESSAGES_MAX)
      this.#recent.set(key, { timer: setTimeout(() => this.#end(key), GAP_MS), held: undefined })
    this.publish(frame)
  }

  /** Publishes what is held. To be called before a change of subscriptions. */
  flush(): void {
    for (const recent of this.#recent.values()) {
      if (recent.held) this.publish(recent.held)
      recent.held = undefined
    }
  }

  stop(): void {
    for (const key of this.#recent.keys()) this.#forget(key)
  }

  #end(key: string): void {
    const held = this.#recent.get(key)?.held
    this.#recent.delete(key)
    if (held) this.#merge(held)
  }

  #forget(key: string): void {
    clearTimeout(this.#recent.get(key)?.timer)
    this.#recent.delete(key)
  }
}

/** The topic and the message that a frame is about: each participant of a dm or group has frames of its own. */
const keyOf = ({ topic, text }: Frame): string => `${topic} ${/"d":\{"id":(\d+)/.exec(text)?.[1]}`
