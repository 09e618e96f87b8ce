import { MIC } from '../support/voice-people.ts'
import type { Frame } from '../support/socket.ts'
import type { Counts } from './counts.ts'

const RETRY_MS = 200
/** No media flow: the server passes a description's text on unchanged. */
const SDP = 'v=0\r\n'
/** Events for the members of a call. */
const OF_ROOM = new Set(['voice.route', 'voice.peer_joined', 'voice.peer_left', 'voice.description'])

/** Sends a command; undefined when the connection ended before the answer. */
type Ask = (op: string, d: unknown) => Promise<Frame | undefined>

const codeOf = (answer: Frame | undefined): string | undefined =>
  answer && 'error' in answer ? (answer.error as { code: string }).code : undefined

/** An account's seat in a call, and the seats of the others there by their `voice_session_id`. */
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

/** A client's part in calls: it acts like a page until its person is in the wanted call. */
export class Caller {
  /** The voice channel that the client wants to be in. */
  wants: number | undefined
  /** The members of voice channels by the client's events: account → channel. */
  readonly visibleCalls = new Map<number, number>()
  /** Servers that it has entered since `ready`: it received no events of earlier joins there. */
  readonly entered = new Set<number>()
  #seat: Seat | undefined
  /** Events of a call that arrive before the answer to the command that joins or resumes it. */
  #early: Frame[] | undefined
  /** The `voice_session_id` of the peers that have answered the offers of this seat. */
  readonly #audible = new Set<string>()
  /** This connection has the seat. */
  #isConnected = false
  #isSynced = false
  #isBusy = false

  constructor(
    private readonly ask: Ask,
    private readonly counts: Counts,
    private readonly ended: AbortSignal,
  ) {}

  /** The others of its call, by account: all that it received events of, and those that answered its offers. */
  company(): { peers: number[]; audible: number[] } {
    const peers = [...(this.#seat?.peers ?? [])]
    return {
      peers: peers.map(([, userId]) => userId),
      audible: peers.flatMap(([id, userId]) => (this.#audible.has(id) ? userId : [])),
    }
  }

  /** Offers a connection to the members of its call that have not answered yet. */
  offer(): void {
    for (const id of this.#seat?.peers.keys() ?? []) if (!this.#audible.has(id)) this.#describe(id, 'offer')
  }

  #describe(to: string, type: 'offer' | 'answer'): void {
    const seat = this.#seat
    // A refused or lost offer is sent again.
    if (seat) void this.ask('voice.description', { to, epoch: seat.epoch, description: { type, sdp: SDP } })
  }

  /** The client is in the call that it wants. */
  isSettled = (): boolean => !this.#isBusy && this.#isThere()

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
    this.#isConnected = this.#isSynced = false
  }

  received(frame: Frame): void {
    const { t, d } = frame
    if (t === 'ready') {
      this.visibleCalls.clear()
      this.entered.clear()
      for (const { user, channel_id } of d.voice_states) this.visibleCalls.set(user.id, channel_id)
    } else if (t === 'voice.state_updated') {
      if (d.channel_id !== null) this.visibleCalls.set(d.user.id, d.channel_id)
      else this.visibleCalls.delete(d.user.id)
    } else if (t === 'server.created') this.entered.add(d.id)
    else if (OF_ROOM.has(t)) {
      if (this.#early) this.#early.push(frame)
      else this.#receive(frame)
    } else if (t === 'voice.disconnected' && d.voice_session_id === this.#seat?.voice_session_id) {
      this.#seat = undefined
      if (d.reason === 'access') this.wants = undefined
      else this.counts['calls joined again']++
    } else if (t === 'synced') this.#isSynced = true
    if (t === 'synced' || t === 'voice.disconnected') void this.#settle()
  }

  /** Events to a call's members, and their signalling. */
  #receive({ t, d }: Frame): void {
    const seat = this.#seat
    if (!seat) return
    if (t === 'voice.route') seat.epoch = d.epoch
    else if (t === 'voice.peer_joined') seat.peers.set(d.voice_session_id, d.user.id)
    else if (t === 'voice.peer_left') seat.peers.delete(d.voice_session_id)
    else if (d.description.type === 'offer') this.#describe(d.from, 'answer')
    else this.#audible.add(d.from)
  }

  async #askSeat(op: 'voice.join' | 'voice.resume', d: unknown): Promise<Frame | undefined> {
    this.#early = []
    return this.ask(op, d)
  }

  /** Takes a seat from an answer, and applies the events that arrived meanwhile. */
  #sit(seat: Seat): void {
    if (seat.voice_session_id !== this.#seat?.voice_session_id) this.#audible.clear()
    this.#seat = seat
    this.#isConnected = true
    for (const frame of this.#early?.splice(0) ?? []) this.#receive(frame)
    this.#early = undefined
  }

  async #settle(): Promise<void> {
    if (this.#isBusy) return
    this.#isBusy = true
    try {
      while (this.#isSynced && !this.ended.aborted && !this.#isThere()) {
        if (!(await this.#step())) await Bun.sleep(RETRY_MS)
      }
    } finally {
      this.#isBusy = false
    }
  }

  #isThere = (): boolean =>
    this.wants === undefined ? !this.#seat : this.#isConnected && this.#seat?.channel_id === this.wants

  /** @returns the answer was final */
  async #step(): Promise<boolean> {
    const { wants } = this
    const seat = this.#seat
    if (seat && !this.#isConnected) {
      const { voice_session_id, epoch } = seat
      const answer = await this.#askSeat('voice.resume', { voice_session_id, epoch })
      const code = codeOf(answer)
      if (!answer || code === 'unavailable') return false
      if (code === undefined) this.counts['seats resumed']++
      if (code === undefined && this.#seat === seat) this.#sit(seatOf(answer.d))
      else if (this.#seat === seat) this.#seat = undefined
      return true
    }
    // Like a page, it thus knows the call of the events that arrive before the answer to `voice.join`.
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
      // The client is no longer a member, or was removed while it joined.
      if (this.wants === wants) this.wants = undefined
      return true
    }
    this.counts['calls joined']++
    this.#sit(seatOf(answer.d))
    return true
  }
}
