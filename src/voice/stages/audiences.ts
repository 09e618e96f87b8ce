import type { AnnouncedPlace, StateAnnouncer } from '../state-announcer.ts'

/** Delay before a changed number of listeners is announced, which merges all changes until then. */
const INTERVAL_MS = 2_000
/** The same in a stage with more listeners than this: each announcement goes to all of them. */
const LONG_INTERVAL_MS = 5_000
const LISTENERS_LARGE = 200

/**
 * Announces how many people listen in each stage. Listeners come and go without an event for everybody: the number is
 * sent at most every 2 or 5 s, whatever happens, so the cost of an event for each listener does not grow with joins.
 */
export class Audiences {
  /** Numbers last announced, of stages that have listeners. */
  readonly #announced = new Map<number, number>()
  readonly #timers = new Map<number, Timer>()

  /** @param count the listeners of a stage now */
  constructor(
    private readonly count: (channelId: number) => number,
    private readonly deliver: StateAnnouncer['deliver'],
  ) {}

  /** Call when somebody in a stage has come, changed or left. */
  touch(place: AnnouncedPlace): void {
    const { channel_id } = place.state
    if (this.#timers.has(channel_id)) return
    const isLarge = (this.#announced.get(channel_id) ?? 0) > LISTENERS_LARGE
    const timer = setTimeout(() => this.#announce(place), isLarge ? LONG_INTERVAL_MS : INTERVAL_MS)
    this.#timers.set(channel_id, timer.unref())
  }

  #announce(place: AnnouncedPlace): void {
    const { channel_id } = place.state
    this.#timers.delete(channel_id)
    const listeners = this.count(channel_id)
    if (listeners === (this.#announced.get(channel_id) ?? 0)) return
    if (listeners === 0) this.#announced.delete(channel_id)
    else this.#announced.set(channel_id, listeners)
    this.deliver(`audience ${channel_id}`, place, 'stage.audience', { channel_id, listeners })
  }
}
