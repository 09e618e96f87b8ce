import { randomBytes } from 'node:crypto'
import { ephemeralText, type Events } from '../core/events.ts'
import { found, Problem } from '../core/errors.ts'
import type { PublicUser } from '../core/schema.ts'
import { SEAT_SECONDS, WAITING_BYTES_MAX } from './model.ts'
import { type Admission, type Entry, isSilenced, peerOf, type Room, type Seat, type Speaker, stateOf } from './seat.ts'
import type { States } from './states.ts'

/** A socket in a call that says nothing for so long counts as dead; it is asked every PING_MS. */
const SILENT_MS_MAX = 6_000
export const PING_MS = 2_000

/** What voice needs of the sockets. */
export interface Line {
  send(client: Speaker, frame: string): void
  ping(client: Speaker): void
  isOpen(client: Speaker): boolean
}

/** Every room and seat of this process: rooms end with their last seat, seats with their session or their socket. */
export class Rooms {
  readonly #rooms = new Map<number, Room>()
  readonly #seats = new Map<string, Seat>()
  readonly #byUser = new Map<number, Seat>()
  #line: Line | undefined

  constructor(
    private readonly states: States,
    private readonly room_peers_max: number,
    /** Hears of every change that the route may depend on. */
    private readonly onChange: (room: Room) => void,
    /** Hears of every room that has ended. */
    private readonly onEnd: (channel_id: number) => void,
  ) {}

  readonly attach = (line: Line): void => void (this.#line = line)
  readonly isOpen = (client: Speaker): boolean => this.#line?.isOpen(client) ?? false
  readonly seats = (): Seat[] => [...this.#seats.values()]
  readonly all = (): Room[] => [...this.#rooms.values()]
  readonly at = (channel_id: number): Room | undefined => this.#rooms.get(channel_id)
  readonly ofUser = (user_id: number): Seat | undefined => this.#byUser.get(user_id)

  /** Tells a seat's socket; one without has nothing of it, and hears the state of things when it resumes. */
  tell<K extends keyof Events & string>(seat: Seat, type: K, d: Events[K]): void {
    if (seat.client) this.#line?.send(seat.client, ephemeralText(type, d))
  }

  tellOthers<K extends keyof Events & string>(seat: Seat, type: K, d: Events[K]): void {
    for (const other of seat.room.seats.values()) if (other !== seat) this.tell(other, type, d)
  }

  /** Hands signalling on, or keeps it for one whose socket died. */
  relay<K extends keyof Events & string>(seat: Seat, type: K, d: Events[K]): void {
    if (seat.client && seat.waiting.length === 0) return this.tell(seat, type, d)
    const frame = ephemeralText(type, d)
    const size = Buffer.byteLength(frame)
    if (seat.waiting_bytes + size > WAITING_BYTES_MAX) return
    seat.waiting_bytes += size
    seat.waiting.push(frame)
  }

  /** Applies a change and tells who has to know. */
  change(seat: Seat, changes: Partial<Seat>): void {
    const before = JSON.stringify([stateOf(seat), peerOf(seat)])
    const muted = seat.self_mute || isSilenced(seat)
    Object.assign(seat, changes)
    if (muted && !seat.self_mute) seat.heard_since = Date.now()
    this.states.keep(seat)
    if (JSON.stringify([stateOf(seat), peerOf(seat)]) === before) return
    for (const each of seat.room.seats.values()) this.tell(each, 'voice.peer_updated', peerOf(seat))
    this.onChange(seat.room)
  }

  /** Ends a seat; whoever still has its socket is told why, if that is not its own doing. */
  leave(seat: Seat, reason?: Events['voice.disconnected']['reason']): void {
    const { room, voice_session_id } = seat
    if (!this.#seats.delete(voice_session_id)) return
    this.#byUser.delete(seat.user.id)
    room.seats.delete(voice_session_id)
    if (reason) this.tell(seat, 'voice.disconnected', { voice_session_id, reason })
    for (const [key, { from, to }] of room.reports)
      if (from === voice_session_id || to === voice_session_id) room.reports.delete(key)
    this.tellOthers(seat, 'voice.peer_left', { voice_session_id })
    this.states.drop(seat.user.id)
    if (room.stage && !room.stage.closed()) room.stage.peer(voice_session_id).close()
    if (room.seats.size > 0) return this.onChange(room)
    this.#rooms.delete(room.channel_id)
    room.stage?.close()
    this.onEnd(room.channel_id)
  }

  /** Keeps the names of those present: what one joins with may change. */
  rename(user: PublicUser): void {
    const seat = this.#byUser.get(user.id)
    if (seat) this.change(seat, { user: { ...seat.user, ...user } })
  }

  /** A seat has ended because its account has a later one on another node. */
  outranked(voice_session_id: string, holder: string): void {
    const seat = this.#seats.get(voice_session_id)
    // Whoever has gone elsewhere by itself knows.
    if (seat) this.leave(seat, holder === this.states.holderOf(seat.client) ? undefined : 'taken_over')
  }

  /** The room lives on another node now: its members join there. */
  giveUp(channel_id: number): void {
    for (const seat of this.#rooms.get(channel_id)?.seats.values() ?? []) this.leave(seat, 'rejoin')
  }

  /**
   * Takes a seat; one that the account has elsewhere ends.
   * @throws Problem `voice_room_full`
   */
  enter(client: Speaker, admission: Admission, entry: Entry): Seat {
    const before = this.#byUser.get(admission.user.id)
    const there = [...(this.#rooms.get(admission.channel_id)?.seats.values() ?? [])].filter((seat) => seat !== before)
    if (there.length >= this.room_peers_max) throw new Problem('voice_room_full')
    if (before) this.leave(before, before.client === client ? undefined : 'taken_over')
    const room = this.#rooms.get(admission.channel_id) ?? newRoom(admission)
    this.#rooms.set(room.channel_id, room)
    room.restricted = admission.restricted
    const seat = newSeat(client, room, admission, entry, this.states.rankFor(admission.user.id))
    this.#seats.set(seat.voice_session_id, seat)
    this.#byUser.set(seat.user.id, seat)
    room.seats.set(seat.voice_session_id, seat)
    this.tellOthers(seat, 'voice.peer_joined', peerOf(seat))
    this.states.keep(seat)
    return seat
  }

  /** Once a second: ends the seats that nobody came back to, and finds the sockets that are dead without a word. */
  tick(now: number): void {
    for (const seat of this.#seats.values()) {
      const { client } = seat
      if (!client) {
        if (now - seat.lost_at >= SEAT_SECONDS * 1000) this.leave(seat)
        continue
      }
      if (now - client.heard_at > PING_MS) this.#line?.ping(client)
      const silent = now - client.heard_at > SILENT_MS_MAX
      if (silent !== seat.silent) this.change(seat, { silent, present_since: now })
    }
  }

  /** The seat that this socket speaks for. */
  of(client: Speaker): Seat | undefined {
    const seat = this.#byUser.get(client.user_id)
    return seat?.client === client ? seat : undefined
  }

  /** The same. @throws Problem `not_found` */
  readonly own = (client: Speaker): Seat => found(this.of(client))

  /** Gives an account's seat to its new socket; what waited follows by `flush`. @throws Problem `not_found` */
  resume(client: Speaker, voice_session_id: string): Seat {
    const seat = this.#byUser.get(client.user_id)
    if (seat?.voice_session_id !== voice_session_id) throw new Problem('not_found')
    if (seat.client && seat.client !== client)
      this.tell(seat, 'voice.disconnected', { voice_session_id, reason: 'taken_over' })
    this.change(seat, { client, session_id: client.session_id, silent: false, present_since: Date.now() })
    return seat
  }

  /** Sends what waited for a seat that is back. */
  flush(seat: Seat): void {
    const { client } = seat
    if (client) for (const frame of seat.waiting.splice(0)) this.#line?.send(client, frame)
    seat.waiting_bytes = 0
  }

  /** A socket has closed: its seat waits for another. */
  socketClosed(client: Speaker): void {
    const seat = this.of(client)
    if (seat) this.change(seat, { client: undefined, lost_at: Date.now() })
  }

  /** Another member of the same room. @throws Problem `not_found` */
  peer(seat: Seat, voice_session_id: string): Seat {
    return found(voice_session_id === seat.voice_session_id ? undefined : seat.room.seats.get(voice_session_id))
  }
}

const newRoom = ({ server_id, channel_id, restricted }: Admission): Room => ({
  server_id,
  channel_id,
  restricted,
  epoch: 1,
  epoch_at: Date.now(),
  choice: { route: 'p2p', broken: [] },
  stage: undefined,
  seats: new Map(),
  reports: new Map(),
})

function newSeat(client: Speaker, room: Room, admission: Admission, entry: Entry, rank: number): Seat {
  const { user, permissions, server_mute } = admission
  const now = Date.now()
  return {
    ...entry,
    voice_session_id: randomBytes(16).toString('hex'),
    room,
    session_id: client.session_id,
    joined_at: now,
    rank,
    user,
    permissions,
    server_mute,
    sharing_screen: false,
    client,
    silent: false,
    present_since: now,
    heard_since: now,
    lost_at: 0,
    waiting: [],
    waiting_bytes: 0,
  }
}
