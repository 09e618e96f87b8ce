import { EventEmitter } from 'node:events'
import { ephemeralText, type Events } from '../core/events.ts'
import { found, Problem } from '../core/errors.ts'
import type { PublicUser } from '../core/schema.ts'
import { PING_MS } from './client-sockets.ts'
import type { VoiceSockets } from './cluster/voice-sockets.ts'
import { SEAT_SECONDS } from './model.ts'
import {
  type Admission,
  isSilenced,
  type JoinOptions,
  newRoom,
  newSeat,
  peerOf,
  type Room,
  type Seat,
  stateOf,
  updateRoom,
  type VoiceClient,
} from './seat.ts'
import { demandSpace, type RoomLimits } from './room-limits.ts'
import { SignalBudgets } from './signalling/signal-budgets.ts'
import type { VoiceStates } from './states.ts'

/** A socket in a call that is silent for this long counts as dead. */
const SILENT_MS_MAX = 6_000
/**
 * A seat whose socket is silent for this long ends: its machine sleeps, or its network is gone. With the tick and the
 * delivery, others are rid of it within 20 s. A seat whose media still arrive stays.
 */
const SLEEP_MS_MAX = 18_000
/** Members of a mesh report twice a second how much they hear of each other. Older reports are ignored. */
const HEARD_MS_MAX = 4_000
/** If a tick is this late, this process hung, and unread input must not count as the clients' silence. */
const STALL_MS = 3_000

interface RoomsEvents {
  /** A change that the room's route may depend on. */
  changed: [room: Room]
  /** A seat was taken. Its media have not begun, and the others do not know of it yet. */
  entered: [seat: Seat]
  /** A seat has ended, and its room goes on. */
  left: [room: Room, voice_session_id: string]
  /** The room's last seat has ended; `given_up` if the room continues on another node. */
  ended: [room: Room, given_up: boolean]
}

/** Every room and seat of this process. A room ends with its last seat; a seat ends with its session or its socket. */
export class Rooms extends EventEmitter<RoomsEvents> {
  readonly #rooms = new Map<number, Room>()
  readonly #seats = new Map<string, Seat>()
  readonly #byUser = new Map<number, Seat>()
  readonly #budgets = new SignalBudgets()
  /** When the last tick ran, and since when ticks have been on time, ms. */
  #tickedAt = 0
  #awakeSince = 0

  constructor(
    private readonly states: VoiceStates,
    private readonly sockets: VoiceSockets,
    private readonly limits: RoomLimits,
  ) {
    super()
  }

  isOpen(client: VoiceClient): boolean {
    return this.sockets.isOpen(client)
  }

  seats(): Seat[] {
    return [...this.#seats.values()]
  }

  all(): Room[] {
    return [...this.#rooms.values()]
  }

  at(channelId: number): Room | undefined {
    return this.#rooms.get(channelId)
  }

  ofUser(userId: number): Seat | undefined {
    return this.#byUser.get(userId)
  }

  /** The seat that this client took or resumed. */
  of(client: VoiceClient): Seat | undefined {
    const seat = this.#byUser.get(client.user_id)
    return seat?.client === client ? seat : undefined
  }

  /** The same, but @throws Problem `not_found` */
  demandSeat(client: VoiceClient): Seat {
    return found(this.of(client))
  }

  /** Another member of the same room. @throws Problem `not_found` */
  peer(seat: Seat, voice_session_id: string): Seat {
    return found(voice_session_id === seat.voice_session_id ? undefined : seat.room.seats.get(voice_session_id))
  }

  /**
   * Sends an event to a seat's socket. A seat without a socket gets nothing, because resuming answers with the current
   * state.
   */
  send<K extends keyof Events & string>(seat: Seat, type: K, d: Events[K]): void {
    if (seat.client) this.#deliver(seat.client, ephemeralText(type, d))
  }

  /** Sends an event to the seats of a room. Encoded once, because a stage has many. */
  sendToAll<K extends keyof Events & string>(room: Room, type: K, d: Events[K], except?: Seat): void {
    const frame = ephemeralText(type, d)
    for (const { client } of room.seats.values()) if (client && client !== except?.client) this.#deliver(client, frame)
  }

  sendToOthers<K extends keyof Events & string>(seat: Seat, type: K, d: Events[K]): void {
    this.sendToAll(seat.room, type, d, seat)
  }

  /**
   * Sends signalling to a peer's socket. A peer without a socket gets it after resuming, and a slow reader when its
   * outbound buffer has drained, so that other frames still fit there.
   * @throws Problem `rate_limited` if either budget, or the peer's queue, is exhausted
   */
  signal<K extends keyof Events & string>(from: Seat, to: Seat, type: K, d: Events[K]): void {
    const frame = ephemeralText(type, d)
    const bytes = Buffer.byteLength(frame)
    this.#budgets.take(from.user.id, to.user.id, bytes, Date.now())
    if (!this.#post(from, to, frame, bytes))
      throw new Problem('rate_limited', 'Too much signalling waits for this peer', { retry_after: 1 })
  }

  /** Sends a message of the call's group to a member, in the same order as signalling. A full queue loses it. */
  handOn<K extends keyof Events & string>(from: Seat, to: Seat, type: K, d: Events[K]): void {
    const frame = ephemeralText(type, d)
    this.#post(from, to, frame, Buffer.byteLength(frame))
  }

  /** Charges a member for bytes that it sends to the room. @throws Problem `rate_limited` */
  charge({ user }: Seat, bytes: number): void {
    this.#budgets.takeSent(user.id, bytes, Date.now())
  }

  #post({ voice_session_id: from }: Seat, to: Seat, frame: string, bytes: number): boolean {
    if (!to.client || !to.waiting.isEmpty() || this.sockets.isClogged(to.client))
      return to.waiting.push({ from, frame, bytes }, to.room.seats.size - 1)
    this.#deliver(to.client, frame)
    return true
  }

  /** Sends a seat's queued signalling, as far as its socket has space. */
  flush(seat: Seat): void {
    const { client, waiting } = seat
    while (client && !waiting.isEmpty() && !this.sockets.isClogged(client)) this.#deliver(client, waiting.shift() ?? '')
  }

  /** Call when the outbound buffer of a client's socket has drained. */
  socketDrained(client: VoiceClient): void {
    const seat = this.of(client)
    if (seat) this.flush(seat)
  }

  /**
   * Changes a seat, and tells the room's members if the change is visible. Ended seats do not change. Others do not
   * know a listener of a stage: to them, a listener who goes up joins, and a speaker who goes down leaves.
   */
  change(seat: Seat, changes: Partial<Seat>): void {
    if (!this.#seats.has(seat.voice_session_id)) return
    const before = JSON.stringify([stateOf(seat), peerOf(seat)])
    const wasMuted = seat.self_mute || isSilenced(seat)
    const listened = seat.listens
    Object.assign(seat, changes)
    if (wasMuted && !seat.self_mute) seat.heardSince = Date.now()
    this.states.put(seat)
    if (JSON.stringify([stateOf(seat), peerOf(seat)]) === before) return
    const { room, voice_session_id } = seat
    if (listened && !seat.listens) this.sendToOthers(seat, 'voice.peer_joined', peerOf(seat))
    if (!listened && seat.listens) this.sendToOthers(seat, 'voice.peer_left', { voice_session_id })
    if (listened || seat.listens) this.send(seat, 'voice.peer_updated', peerOf(seat))
    else this.sendToAll(room, 'voice.peer_updated', peerOf(seat))
    this.emit('changed', room)
  }

  /** Updates an account's name after its profile changed. */
  rename(user: PublicUser): void {
    const seat = this.#byUser.get(user.id)
    if (seat) this.change(seat, { user: { ...seat.user, ...user } })
  }

  /**
   * Takes a seat; the account's other seat ends. Members who may move others pass the channel's limit, and so do moved
   * members.
   * @throws Problem `voice_room_full`
   */
  enter(client: VoiceClient, admission: Admission, options: JoinOptions, isMoved = false): Seat {
    const before = this.#byUser.get(admission.user.id)
    demandSpace(this.#rooms.get(admission.channel_id), admission, before, this.limits, isMoved)
    if (before) this.leave(before, before.client === client ? undefined : 'taken_over')
    const room = this.#rooms.get(admission.channel_id) ?? newRoom(admission)
    this.#rooms.set(room.channel_id, room)
    updateRoom(room, admission)
    const rank = this.states.nextRank(admission.user.id)
    const seat = newSeat(client.session_id, room, admission, options, rank, client, before)
    this.#seats.set(seat.voice_session_id, seat)
    this.#byUser.set(seat.user.id, seat)
    room.seats.set(seat.voice_session_id, seat)
    // Events sent from here on are about the client's new room.
    if (before?.client === client) this.send(seat, 'voice.peer_left', { voice_session_id: before.voice_session_id })
    this.emit('entered', seat)
    if (!seat.listens) this.sendToOthers(seat, 'voice.peer_joined', peerOf(seat))
    this.states.put(seat)
    return seat
  }

  /** Attaches a new client to an account's seat; `flush` then sends queued signalling. @throws Problem `not_found` */
  resume(client: VoiceClient, voice_session_id: string): Seat {
    const seat = this.#byUser.get(client.user_id)
    if (seat?.voice_session_id !== voice_session_id) throw new Problem('not_found')
    if (seat.client && seat.client !== client)
      this.send(seat, 'voice.disconnected', { voice_session_id, reason: 'taken_over' })
    this.change(seat, { client, session_id: client.session_id, silent: false, presentSince: Date.now() })
    return seat
  }

  /**
   * Ends a seat.
   * @param reason sent to the seat's socket; undefined if its member already knows
   * @param isGivenUp true if the room continues on another node
   */
  leave(seat: Seat, reason?: Events['voice.disconnected']['reason'], isGivenUp = false): void {
    const { room, voice_session_id } = seat
    if (!this.#seats.delete(voice_session_id)) return
    this.#byUser.delete(seat.user.id)
    room.seats.delete(voice_session_id)
    if (reason) this.send(seat, 'voice.disconnected', { voice_session_id, reason })
    for (const [key, { from, to }] of room.reports)
      if (from === voice_session_id || to === voice_session_id) room.reports.delete(key)
    if (!seat.listens) this.sendToOthers(seat, 'voice.peer_left', { voice_session_id })
    this.states.remove(seat.user.id)
    if (room.routed && !room.routed.isClosed()) room.routed.peer(voice_session_id).close()
    if (room.seats.size > 0) {
      this.emit('left', room, voice_session_id)
      return void this.emit('changed', room)
    }
    this.#rooms.delete(room.channel_id)
    room.routed?.close()
    this.emit('ended', room, isGivenUp)
  }

  /**
   * Ends a seat because its account has a later one on another node, for client `holder`.
   * @param hasGone true if the seat's client itself joined that node, so it already knows
   */
  leaveOutranked(voice_session_id: string, holder: string, hasGone: (client: VoiceClient) => boolean): void {
    const seat = this.#seats.get(voice_session_id)
    if (!seat) return
    const { client, room } = seat
    if (room.isHanded) return
    if (!client || holder !== this.states.holderOf(client)) return this.leave(seat, 'taken_over')
    // Otherwise the later seat comes from a join that this node gave up before the other node got it.
    const clientLeft = hasGone(client)
    this.leave(seat, clientLeft ? undefined : 'rejoin', !clientLeft)
  }

  /** Ends a room that another node now owns: its members join there. */
  giveUp(channelId: number): void {
    for (const seat of this.#rooms.get(channelId)?.seats.values() ?? []) this.leave(seat, 'rejoin', true)
  }

  /** Continues a room of another node; its channel must be empty here. @returns who is left out for a later seat */
  adopt(room: Room): Seat[] {
    const outrankedSeats = [...room.seats.values()].filter(({ user }) => this.#byUser.has(user.id))
    for (const { voice_session_id } of outrankedSeats) room.seats.delete(voice_session_id)
    for (const seat of room.seats.values()) {
      this.#seats.set(seat.voice_session_id, seat)
      this.#byUser.set(seat.user.id, seat)
      this.states.put(seat)
    }
    if (room.seats.size > 0) this.#rooms.set(room.channel_id, room)
    return outrankedSeats
  }

  /** Forgets a room that another node continues with the same seats. Its members notice nothing. */
  release(room: Room): void {
    this.#rooms.delete(room.channel_id)
    for (const { voice_session_id, user } of room.seats.values()) {
      this.#seats.delete(voice_session_id)
      this.#byUser.delete(user.id)
      this.states.remove(user.id)
    }
    this.emit('ended', room, true)
  }

  /** Call when a client's socket has closed; the seat waits for another. */
  socketClosed(client: VoiceClient): void {
    const seat = this.of(client)
    if (seat) this.change(seat, { client: undefined, lostAt: Date.now() })
  }

  /** Call once a second: ends seats that nobody resumed, and detects dead sockets. */
  tick(now: number): void {
    this.#budgets.prune(now)
    // The clock may also be set back.
    if (now - this.#tickedAt > STALL_MS || now < this.#tickedAt) this.#awakeSince = now
    this.#tickedAt = now
    for (const seat of this.#seats.values()) {
      const { client } = seat
      this.flush(seat)
      if (!client) {
        if (now - seat.lostAt >= SEAT_SECONDS * 1000) this.leave(seat)
        continue
      }
      if (now - client.heardAt > PING_MS) this.sockets.ping(client)
      const isSilent = now - client.heardAt > SILENT_MS_MAX
      if (isSilent !== seat.silent) this.change(seat, { silent: isSilent, presentSince: now })
      if (isSilent) this.#endSleeping(seat, client, now)
    }
  }

  /** Ends the seat of a sleeping machine. If the client was only slow, this event tells it to join again. */
  #endSleeping(seat: Seat, { heardAt }: VoiceClient, now: number): void {
    if (seat.room.choice.route === 'sfu') this.#lookForMedia(seat)
    const aliveAt = Math.max(heardAt, this.#awakeSince, seat.mediaAt, this.#heardInMeshAt(seat, now))
    if (now - aliveAt >= SLEEP_MS_MAX) this.leave(seat, 'rejoin')
  }

  /** When other members of a mesh last heard this one, by recent reports; otherwise 0. */
  #heardInMeshAt({ voice_session_id, room }: Seat, now: number): number {
    const about = [...room.reports.values()].filter(
      ({ to, state, reportedAt }) =>
        to === voice_session_id && state === 'connected' && now - reportedAt <= HEARD_MS_MAX,
    )
    return Math.max(0, ...about.map(({ grewAt }) => grewAt))
  }

  /** Checks, for the next tick, whether media of a silent member still reach the SFU. */
  #lookForMedia(seat: Seat): void {
    if (!seat.room.routed || seat.room.routed.isClosed()) return
    const peer = seat.room.routed.peer(seat.voice_session_id)
    void peer.receivedBytes().then((bytes) => {
      if (bytes > seat.mediaBytes && seat.mediaBytes > 0) seat.mediaAt = Date.now()
      seat.mediaBytes = bytes
    })
  }

  #deliver(client: VoiceClient, frame: string): void {
    this.sockets.send(client, frame, this.of(client)?.voice_session_id ?? null)
  }
}
