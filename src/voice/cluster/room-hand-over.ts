import { ephemeralText } from '../../core/events.ts'
import { Problem } from '../../core/errors.ts'
import { errorFields } from '../../core/log.ts'
import type { Notice } from '../../events/bus.ts'
import type { Parts } from '../../parts.ts'
import type { NodeSockets } from '../client-sockets.ts'
import type { Rooms } from '../rooms.ts'
import type { RouteSwitcher } from '../routing/route-switcher.ts'
import { concerns, type SeatAccess } from '../seat-access.ts'
import type { Room, Seat, VoiceClient } from '../seat.ts'
import type { Sfu } from '../sfu/sfu.ts'
import type { Welcome } from '../signalling/welcome.ts'
import type { VoiceStates } from '../states.ts'
import type { CommandForwarder } from './command-forwarder.ts'
import type { KeptFrames } from './kept-frames.ts'
import type { RemoteClients } from './remote-clients.ts'
import type { RoomOwners } from './room-owners.ts'
import { packed, type RoomParcel, unpacked } from './room-parcel.ts'
import type { RpcClient } from './rpc-client.ts'
import type { Successors } from './successors.ts'

/** Rooms handed over concurrently. */
const ROOMS_AT_ONCE = 50
/** Time that the SFU of this node goes on after a room has moved, while its members open their way to the next one. */
const REMAINS_MS = 5_000
const CHECK_MS = 100

/** The other parts of voice that the hand-over uses. */
export interface HandOverTools {
  rooms: Rooms
  states: VoiceStates
  sockets: NodeSockets
  remote: RemoteClients
  frames: KeptFrames
  access: Pick<SeatAccess, 'admitAll'>
  switcher: Pick<RouteSwitcher, 'reopen' | 'switched'>
  sfu: Pick<Sfu, 'state' | 'onWorker'>
  welcome: Pick<Welcome, 'iceServers'>
}

/** The media of a room that another node continues. */
interface Remains {
  room: Room
  endsAt: number
}

/**
 * Moves rooms from a node that drains to other nodes. No voice session ends: the next owner continues the room with the
 * same seats, peers and MLS group. In a mesh, media do not pass the server, and go on as they are. Over the SFU, the
 * next owner announces a new route, to its own router; the old router goes on until the members have changed.
 *
 * The owner lets no command of the room's members pass meanwhile, gives the lease away, and sends the room. The next
 * owner reads anew who may be in it, and tells each member's node that it is the owner. A command that still arrives at
 * the former owner is sent on. If anything fails, the members are asked to join again, as after the end of a process.
 */
export class RoomHandOver {
  /** Resolved when the room of the account has moved. */
  readonly #gates = new Map<number, Promise<void>>()
  /** The nodes that continue the calls of accounts. */
  readonly #moved = new Map<number, string>()
  /** The seats that clients of other nodes have on the node that continues their room. */
  readonly #seats = new WeakMap<VoiceClient, string>()
  readonly #remains = new Set<Remains>()

  constructor(
    private readonly parts: Pick<Parts, 'nodes' | 'log'>,
    private readonly tools: HandOverTools,
    private readonly owners: RoomOwners,
    private readonly successors: Successors,
    private readonly rpc: RpcClient,
    private readonly forwarder: CommandForwarder,
  ) {}

  /** Hands every room over, as far as there are nodes that take them. @param signal ends it early */
  async run(signal: AbortSignal): Promise<void> {
    const { owners, successors } = this
    successors.retire()
    owners.retire(() => successors.next())
    const rooms = this.tools.rooms.all()
    for (let from = 0; from < rooms.length && !signal.aborted; from += ROOMS_AT_ONCE)
      await Promise.all(rooms.slice(from, from + ROOMS_AT_ONCE).map((room) => this.#hand(room)))
  }

  /** Resolves when no member uses the SFU of this node any more, or some seconds after the last room has moved. */
  async mediaMoved(signal: AbortSignal): Promise<void> {
    while (this.#remains.size > 0 && !signal.aborted) await Bun.sleep(CHECK_MS)
  }

  /** A command of this account waits for this. */
  gateOf(userId: number): Promise<void> | undefined {
    return this.#gates.get(userId)
  }

  /** The node that continues the account's call; undefined if its call is here, or it has none. */
  movedTo(userId: number): string | undefined {
    return this.tools.rooms.ofUser(userId) ? undefined : this.#moved.get(userId)
  }

  /** The seat of another node's client here, or on the node that continues its room. */
  seatOf(client: VoiceClient): string | undefined {
    return this.tools.rooms.of(client)?.voice_session_id ?? this.#seats.get(client)
  }

  /** Media must not outlive access: they end with any notice that may be about it. */
  onNotice(notice: Notice): void {
    for (const remains of this.#remains)
      if ([...remains.room.seats.values()].some((seat) => concerns(notice, seat) || isRevoked(notice, seat)))
        this.#end(remains)
  }

  /** Continues a room of another node. @throws Problem `unavailable` if this node cannot */
  async take(from: string, parcel: RoomParcel): Promise<object> {
    const refuse = () => Promise.reject(new Problem('unavailable'))
    if (!this.successors.takes(parcel.route)) return refuse()
    await this.owners.at(parcel.channel_id, () => this.#continue(from, parcel), refuse)
    return {}
  }

  async #continue(from: string, parcel: RoomParcel): Promise<void> {
    const { rooms, access, switcher } = this.tools
    const { channel_id, seats } = parcel
    const sessions = new Map(seats.map(({ user_id, session_id }) => [user_id, session_id]))
    const admissions = await access.admitAll(sessions, channel_id)
    // Somebody has joined here, with the lease that was given away.
    if (rooms.at(channel_id)) throw new Problem('unavailable')
    const room = unpacked(parcel, admissions, (seat) => this.#clientOf(from, seat))
    if (!room) return
    const outrankedSeats = rooms.adopt(room)
    for (const seat of room.seats.values()) this.#tell(from, seat)
    for (const seat of outrankedSeats) this.#dismiss(from, room, seat, 'taken_over')
    for (const seat of seats.filter(({ user_id }) => !admissions.has(user_id)))
      this.#dismiss(from, room, { ...seat, client: this.#clientOf(from, seat) }, 'access')
    if (room.seats.size === 0) return
    this.parts.log('info', 'voice.taken_over', { channel_id, members: room.seats.size })
    switcher.reopen(room)
  }

  #clientOf(from: string, { client, user_id, session_id }: RoomParcel['seats'][number]): VoiceClient | undefined {
    if (!client) return undefined
    const { node, id, base, silent_ms } = client
    if (node === this.parts.nodes.id) return this.forwarder.takeOver(from, id)
    return this.tools.remote.adopt(node, { id, user_id, session_id, base }, silent_ms)
  }

  /** Tells a member, and before it the member's node, that the call has another owner. */
  #tell(from: string, { client, voice_session_id }: Pick<Seat, 'client' | 'voice_session_id'>): void {
    if (!client) return
    const ice_servers = this.tools.welcome.iceServers(client)
    const frame = ephemeralText('voice.handed_over', { voice_session_id, ice_servers })
    const { node, id } = client
    if (node === undefined) this.tools.sockets.send(client, frame)
    else this.tools.frames.send(node, { client: id, seat: voice_session_id, frame, adopts: from })
  }

  /** A member of the room is not in it any more: tells the others, and the member unless its client sits elsewhere. */
  #dismiss(
    from: string,
    room: Room,
    { client, voice_session_id, listens }: Pick<Seat, 'client' | 'voice_session_id' | 'listens'>,
    reason: 'taken_over' | 'access',
  ): void {
    const { rooms, sockets, frames } = this.tools
    room.order?.leave(voice_session_id)
    // Others do not know a listener of a stage.
    if (!(room.is_stage && listens)) rooms.sendToAll(room, 'voice.peer_left', { voice_session_id })
    if (!client || rooms.of(client)) return
    // The member's node passes only frames of the owner on.
    this.#tell(from, { client, voice_session_id })
    const frame = ephemeralText('voice.disconnected', { voice_session_id, reason })
    if (client.node === undefined) sockets.send(client, frame)
    else frames.send(client.node, { client: client.id, seat: null, frame })
  }

  async #hand(room: Room): Promise<void> {
    const { rooms } = this.tools
    const gate = Promise.withResolvers<void>()
    const shut = () => {
      for (const { user } of room.seats.values()) this.#gates.set(user.id, gate.promise)
    }
    shut()
    try {
      await this.owners.handOver(room.channel_id, async (give) => {
        // Some may have joined since.
        shut()
        await this.#give(room, give)
      })
    } catch (error) {
      this.parts.log('warn', 'voice.hand_over', { channel_id: room.channel_id, ...errorFields(error) })
      room.isHanded = false
      if (rooms.at(room.channel_id) === room) rooms.giveUp(room.channel_id)
    } finally {
      for (const [id, promise] of this.#gates) if (promise === gate.promise) this.#gates.delete(id)
      gate.resolve()
    }
  }

  async #give(room: Room, give: (node: string) => Promise<boolean>): Promise<void> {
    const { rooms, switcher } = this.tools
    const isHere = () => rooms.at(room.channel_id) === room
    await switcher.switched(room)
    const next = isHere() ? this.successors.next(room.choice.route === 'sfu') : undefined
    // Without an SFU there, a stage would end, and silenced members would leave.
    // Without a next owner, the members join again when this process ends.
    if (next === undefined || !(await give(next)) || !isHere()) return
    const nodes = [...room.seats.values()].flatMap(({ client }) => client?.node ?? [])
    if (!nodes.every((node) => this.successors.understands(node))) throw new Error('A node is of an earlier version')
    await this.#send(room, next)
  }

  async #send(room: Room, next: string): Promise<void> {
    room.isHanded = true
    const { forwarder } = this
    const seats = [...room.seats.values()]
    const taking = this.rpc.take(next, packed(room, this.parts.nodes.id))
    const isTaken = taking.then(
      () => true,
      () => false,
    )
    const moves = seats.map(
      ({ client, voice_session_id }) =>
        client && client.node === undefined && forwarder.handOver(client, next, voice_session_id, isTaken),
    )
    await taking
    for (const { user, client, voice_session_id } of seats) {
      this.#moved.set(user.id, next)
      if (client?.node !== undefined) this.#seats.set(client, voice_session_id)
    }
    this.tools.rooms.release(room)
    if (room.routed && !room.routed.isClosed()) this.#keep({ room, endsAt: Date.now() + REMAINS_MS })
    await Promise.all(moves)
    this.parts.log('info', 'voice.handed_over', { channel_id: room.channel_id, members: seats.length })
  }

  /** Keeps the media of a room for REMAINS_MS, even if other rooms still move after that. */
  #keep(remains: Remains): void {
    this.#remains.add(remains)
    const timer = setInterval(() => {
      if (this.#remains.has(remains)) this.#check(remains)
      else clearInterval(timer)
    }, CHECK_MS)
    timer.unref()
  }

  /** Ends the media of members who have left the call meanwhile, and all of them when their time is over. */
  #check(remains: Remains): void {
    const { room, endsAt } = remains
    if (!room.routed || room.routed.isClosed() || Date.now() >= endsAt) return this.#end(remains)
    for (const { voice_session_id, user } of room.seats.values())
      if (this.tools.states.at(user.id)?.row.voice_session_id !== voice_session_id)
        room.routed.peer(voice_session_id).close()
  }

  #end(remains: Remains): void {
    this.#remains.delete(remains)
    remains.room.routed?.close()
  }
}

const isRevoked = (notice: Notice, { session_id }: Seat): boolean =>
  notice.kind === 'sessions_revoked' && notice.session_ids.includes(session_id)
