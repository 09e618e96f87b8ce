import { ephemeralFrame, type Events, topic } from '../core/events.ts'
import type { Bus } from '../events/bus.ts'
import type { VoiceState } from './model.ts'

/** Shortest interval between announcements of one account's state. */
const INTERVAL_MS = 500
/** Delay before undelivered announcements are retried. */
const RETRY_MS = 200
/** After a channel became restricted, or an account left a group, rows may be outdated for this long. */
const HIDDEN_MS = 5_000

/** The channel of a state, which decides who receives it. */
export type AnnouncedPlace = Pick<ShownState['row'], 'restricted' | 'participant_ids'> & {
  state: Pick<VoiceState, 'server_id' | 'channel_id'>
}

/**
 * True if everybody who sees the channel receives the state. In a stage, only speakers, raised hands and invitations
 * are: each of its listeners would otherwise cause an event for all others.
 */
export const isNamed = ({ stage }: Pick<VoiceState, 'stage'>): boolean =>
  !stage || stage.speaks || stage.raised_at !== null || stage.invited_at !== null

/** One account's state, as known to this node's sockets. */
export interface ShownState {
  row: { restricted: boolean; participant_ids: number[]; state: VoiceState }
  /** The JSON last announced, and when, ms. */
  announced: string
  announcedAt: number
  /** True if the state last announced went to everybody. */
  isNamed: boolean
  /** True once any did. */
  wasNamed: boolean
  timer: Timer | undefined
}

/** Sends `voice.state_updated` and `stage.audience` to this node's sockets that see the channel. */
export class StateAnnouncer {
  /** Until when these channels count as restricted whatever their rows say, ms. */
  readonly #hidden = new Map<number, number>()
  /** By `channel account`: until when accounts count as gone from groups whatever the rows say, ms. */
  readonly #departed = new Map<string, number>()
  /** The newest undelivered announcement per account and channel. */
  readonly #postponed = new Map<string, () => void>()
  #retry: Timer | undefined

  constructor(private readonly bus: Bus) {
    bus.onNotice((notice) => {
      const now = Date.now()
      if (notice.kind === 'participant_changed') {
        const { channel_id, user_id, is_in } = notice
        prune(this.#departed, now)
        if (is_in) this.#departed.delete(`${channel_id} ${user_id}`)
        else this.#departed.set(`${channel_id} ${user_id}`, now + HIDDEN_MS)
      }
      if (notice.kind !== 'server_access_changed') return
      prune(this.#hidden, now)
      for (const id of notice.hidden) this.#hidden.set(id, now + HIDDEN_MS)
      for (const id of notice.revealed) this.#hidden.delete(id)
    })
  }

  /** Announces the state now, or INTERVAL_MS after the last announcement. */
  announce(shownState: ShownState): void {
    const waitMs = shownState.announcedAt + INTERVAL_MS - Date.now()
    if (waitMs > 0 || shownState.timer) {
      shownState.timer ??= setTimeout(() => {
        shownState.timer = undefined
        shownState.announcedAt = 0
        this.announce(shownState)
      }, waitMs)
      return
    }
    // A new participant of a group must also learn who is in its call.
    const text = JSON.stringify([shownState.row.state, shownState.row.participant_ids])
    if (text === shownState.announced) return
    shownState.announced = text
    shownState.announcedAt = Date.now()
    const { row } = shownState
    const isForAll = isNamed(row.state)
    // Sockets that know of a hand or a speaker learn that it is one no more.
    this.#announce(row, row.state, isForAll || shownState.isNamed)
    shownState.isNamed = isForAll
    shownState.wasNamed ||= isForAll
  }

  /** Announces that the account has left the channel. */
  announceEnd({ row, timer, wasNamed }: ShownState): void {
    clearTimeout(timer)
    this.#announce(row, { ...row.state, channel_id: null }, wasNamed)
  }

  #announce(row: ShownState['row'], d: Events['voice.state_updated'], isForAll: boolean): void {
    const key = `${d.user.id} ${row.state.channel_id}`
    if (isForAll) return this.deliver(key, row, 'voice.state_updated', d)
    this.bus.deliver(ephemeralFrame(topic.user(d.user.id), 'voice.state_updated', d))
  }

  /**
   * Sends an event to everybody who sees the channel.
   * @param key an undelivered event of the same key is replaced
   */
  readonly deliver = <K extends keyof Events & string>(
    key: string,
    row: AnnouncedPlace,
    type: K,
    d: Events[K],
  ): void => {
    // This node may not know about lost access, so it delivers nothing.
    if (!this.bus.receivesNotices()) return this.#postpone(key, () => this.deliver(key, row, type, d))
    // An earlier end must not be delivered after this beginning.
    this.#deliverPostponed()
    const { state, ...place } = row
    const { server_id, channel_id: id } = state
    const restricted = place.restricted || isAfterNow(this.#hidden.get(id))
    const participant_ids = place.participant_ids.filter((user) => !isAfterNow(this.#departed.get(`${id} ${user}`)))
    for (const to of topic.seers({ audience_id: id, server_id, restricted, participant_ids }))
      this.bus.deliver(ephemeralFrame(to, type, d))
  }

  #postpone(key: string, deliver: () => void): void {
    this.#postponed.delete(key)
    this.#postponed.set(key, deliver)
    if (this.#retry) return
    this.#retry = setTimeout(() => {
      this.#retry = undefined
      this.#deliverPostponed()
    }, RETRY_MS)
  }

  #deliverPostponed(): void {
    const all = [...this.#postponed.values()]
    this.#postponed.clear()
    for (const deliver of all) deliver()
  }
}

const isAfterNow = (until = 0): boolean => until > Date.now()

/** Drops expired times. */
function prune<K>(times: Map<K, number>, now: number): void {
  for (const [key, until] of times) if (until < now) times.delete(key)
}
