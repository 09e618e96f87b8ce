import { MIC } from '../support/voice-people.ts'
import type { Frame } from '../support/socket.ts'
import type { Counts } from './counts.ts'

const RETRY_MS = 200

/** Sends a command; undefined when the connection ended before the answer. */
type Ask = (op: string, d: unknown) => Promise<Frame | undefined>

const codeOf = (answer: Frame | undefined): string | undefined =>
  answer && 'error' in answer ? (answer.error as { code: string }).code : undefined

/** A client's part in calls: it does what a page does to be where its person wants to be. */
export class Caller {
  /** The voice channel where it wants to be. */
  wants: number | undefined
  /** Who is in which voice channel, as it was told: account → channel. */
  readonly shown = new Map<number, number>()
  /** Servers that it has entered since `ready`: who was in a call there before, it was not told. */
  readonly entered = new Set<number>()
  #seat: { voice_session_id: string; epoch: number; channel_id: number } | undefined
  /** Whether this connection has the seat. */
  #connected = false
  #isSynced = false
  #busy = false

  constructor(
    private readonly ask: Ask,
    private readonly counts: Counts,
    private readonly ended: AbortSignal,
  ) {}

  /** It is where it wants to be. */
  isSettled = (): boolean => !this.#busy && this.#isThere()

  want(channel_id: number | undefined): void {
    this.wants = channel_id
    void this.#settle()
  }

  /** The page is loaded anew: it knows of no seat. */
  forget(): void {
    this.#seat = undefined
    this.disconnected()
  }

  disconnected(): void {
    this.#connected = this.#isSynced = false
  }

  received({ t, d }: Frame): void {
    if (t === 'ready') {
      this.shown.clear()
      this.entered.clear()
      for (const { user, channel_id } of d.voice_states) this.shown.set(user.id, channel_id)
    } else if (t === 'voice.state_updated') {
      if (d.channel_id !== null) this.shown.set(d.user.id, d.channel_id)
      else this.shown.delete(d.user.id)
    } else if (t === 'server.created') this.entered.add(d.id)
    else if (t === 'voice.route' && this.#seat) this.#seat.epoch = d.epoch
    else if (t === 'voice.disconnected' && d.voice_session_id === this.#seat?.voice_session_id) {
      this.#seat = undefined
      if (d.reason === 'access') this.wants = undefined
      else this.counts['calls joined again']++
    } else if (t === 'synced') this.#isSynced = true
    if (t === 'synced' || t === 'voice.disconnected') void this.#settle()
  }

  async #settle(): Promise<void> {
    if (this.#busy) return
    this.#busy = true
    try {
      while (this.#isSynced && !this.ended.aborted && !this.#isThere()) {
        if (!(await this.#step())) await Bun.sleep(RETRY_MS)
      }
    } finally {
      this.#busy = false
    }
  }

  #isThere = (): boolean =>
    this.wants === undefined ? !this.#seat : this.#connected && this.#seat?.channel_id === this.wants

  /** @returns whether it was answered for good */
  async #step(): Promise<boolean> {
    const { wants } = this
    const seat = this.#seat
    if (seat && !this.#connected) {
      const { voice_session_id, epoch } = seat
      const answer = await this.ask('voice.resume', { voice_session_id, epoch })
      const code = codeOf(answer)
      if (!answer || code === 'unavailable') return false
      if (code === undefined) this.counts['seats resumed']++
      if (code === undefined && this.#seat === seat) this.#connected = true
      else if (this.#seat === seat) this.#seat = undefined
      return true
    }
    if (wants === undefined) {
      const answer = await this.ask('voice.leave', {})
      const code = codeOf(answer)
      if (!answer || code === 'unavailable') return false
      this.counts['calls left']++
      this.#seat = undefined
      return true
    }
    const answer = await this.ask('voice.join', { channel_id: wants, ...MIC })
    const code = codeOf(answer)
    if (!answer || code === 'unavailable') return false
    if (code !== undefined) {
      // It is no member any more, or was put out while it joined.
      if (this.wants === wants) this.wants = undefined
      return true
    }
    this.counts['calls joined']++
    const { voice_session_id, epoch, channel_id } = answer.d
    this.#seat = { voice_session_id, epoch, channel_id }
    this.#connected = true
    return true
  }
}
