import { MIC } from '../support/voice-people.ts'
import type { Frame } from '../support/socket.ts'
import type { Counts } from './counts.ts'

const RETRY_MS = 200
/** No media flow: a description's text is passed on as it is. */
const SDP = 'v=0\r\n'
/** Events for the members of a call. */
const OF_ROOM = new Set(['voice.route', 'voice.peer_joined', 'voice.peer_left', 'voice.description'])

/** Sends a command; undefined when the connection ended before the answer. */
type Ask = (op: string, d: unknown) => Promise<Frame | undefined>

const codeOf = (answer: Frame | undefined): string | undefined =>
  answer && 'error' in answer ? (answer.error as { code: string }).code : undefined

/** An account's place in a call, and those of the others there by their `voice_session_id`. */
interface Seat {
  voice_session_id: string
  epoch: number
  channel_id: number
  peers: Map<string, number>
}

interface Peer {
  voice_session_id: string
  user: { id: number }
}

const seatOf = ({ voice_session_id, epoch, channel_id, peers }: Omit<Seat, 'peers'> & { peers: Peer[] }): Seat => ({
  voice_session_id,
  epoch,
  channel_id,
  peers: new Map(peers.map((peer) => [peer.voice_session_id, peer.user.id])),
})

/** A client's part in calls: it does what a page does to be where its person wants to be. */
export class Caller {
  /** The voice channel where it wants to be. */
  wants: number | undefined
  /** Who is in which voice channel, as it was told: account → channel. */
  readonly shown = new Map<number, number>()
  /** Servers that it has entered since `ready`: who was in a call there before, it was not told. */
  readonly entered = new Set<number>()
  #seat: Seat | undefined
  /** Events of a call that come before the answer to the command by which it is joined or resumed. */
  #early: Frame[] | undefined
  /** The `voice_session_id` of the peers that have answered the offers of this seat. */
  readonly #heard = new Set<string>()
  /** Whether this connection has the seat. */
  #connected = false
  #isSynced = false
  #busy = false

  constructor(
    private readonly ask: Ask,
    private readonly counts: Counts,
    private readonly ended: AbortSignal,
  ) {}

  /** The others of its call, by account: those that it was told of, and those of them that have answered its offers. */
  company(): { told: number[]; heard: number[] } {
    const peers = [...(this.#seat?.peers ?? [])]
    return {
      told: peers.map(([, user_id]) => user_id),
      heard: peers.flatMap(([id, user_id]) => (this.#heard.has(id) ? user_id : [])),
    }
  }

  /** Offers a connection to those of its call that have not answered yet. */
  offer(): void {
    for (const id of this.#seat?.peers.keys() ?? []) if (!this.#heard.has(id)) this.#describe(id, 'offer')
  }

  #describe(to: string, type: 'offer' | 'answer'): void {
    const seat = this.#seat
    // What is refused or lost is offered again.
    if (seat) void this.ask('voice.description', { to, epoch: seat.epoch, description: { type, sdp: SDP } })
  }

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

  received(frame: Frame): void {
    const { t, d } = frame
    if (t === 'ready') {
      this.shown.clear()
      this.entered.clear()
      for (const { user, channel_id } of d.voice_states) this.shown.set(user.id, channel_id)
    } else if (t === 'voice.state_updated') {
      if (d.channel_id !== null) this.shown.set(d.user.id, d.channel_id)
      else this.shown.delete(d.user.id)
    } else if (t === 'server.created') this.entered.add(d.id)
    else if (OF_ROOM.has(t)) {
      if (this.#early) this.#early.push(frame)
      else this.#told(frame)
    } else if (t === 'voice.disconnected' && d.voice_session_id === this.#seat?.voice_session_id) {
      this.#seat = undefined
      if (d.reason === 'access') this.wants = undefined
      else this.counts['calls joined again']++
    } else if (t === 'synced') this.#isSynced = true
    if (t === 'synced' || t === 'voice.disconnected') void this.#settle()
  }

  /** What a call's members are told of it, and tell each other. */
  #told({ t, d }: Frame): void {
    const seat = this.#seat
    if (!seat) return
    if (t === 'voice.route') seat.epoch = d.epoch
    else if (t === 'voice.peer_joined') seat.peers.set(d.voice_session_id, d.user.id)
    else if (t === 'voice.peer_left') seat.peers.delete(d.voice_session_id)
    else if (d.description.type === 'offer') this.#describe(d.from, 'answer')
    else this.#heard.add(d.from)
  }

  async #askSeat(op: 'voice.join' | 'voice.resume', d: unknown): Promise<Frame | undefined> {
    this.#early = []
    return this.ask(op, d)
  }

  /** Takes a seat as an answer describes it, and what was told meanwhile. */
  #sit(seat: Seat): void {
    if (seat.voice_session_id !== this.#seat?.voice_session_id) this.#heard.clear()
    this.#seat = seat
    this.#connected = true
    for (const frame of this.#early?.splice(0) ?? []) this.#told(frame)
    this.#early = undefined
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
      const answer = await this.#askSeat('voice.resume', { voice_session_id, epoch })
      const code = codeOf(answer)
      if (!answer || code === 'unavailable') return false
      if (code === undefined) this.counts['seats resumed']++
      if (code === undefined && this.#seat === seat) this.#sit(seatOf(answer.d))
      else if (this.#seat === seat) this.#seat = undefined
      return true
    }
    // As a page does, which thus knows of what call it is told before the answer to `voice.join`.
    if (wants === undefined || seat) {
      const answer = await this.ask('voice.leave', {})
      const code = codeOf(answer)
      if (!answer || code === 'unavailable') return false
      this.counts['calls left']++
      this.#seat = undefined
      return true
    }
    const answer = await this.#askSeat('voice.join', { channel_id: wants, ...MIC })
    const code = codeOf(answer)
    if (!answer || code === 'unavailable') return false
    if (code !== undefined) {
      // It is no member any more, or was put out while it joined.
      if (this.wants === wants) this.wants = undefined
      return true
    }
    this.counts['calls joined']++
    this.#sit(seatOf(answer.d))
    return true
  }
}
