import { ephemeralText } from '../../core/events.ts'
import { found, Problem } from '../../core/errors.ts'
import type { Parts } from '../../parts.ts'
import type { NodeSockets } from '../client-sockets.ts'
import type { Joined } from '../model.ts'
import type { Rooms } from '../rooms.ts'
import type { JoinRequest, VoiceClient } from '../seat.ts'
import type { PresenceCommands } from '../signalling/signalling.ts'
import type { VoiceStates } from '../states.ts'
import { ArrivalOrder } from './arrival-order.ts'
import { CommandForwarder, isTargeted } from './command-forwarder.ts'
import { BEAT_MS, Heartbeat } from './heartbeat.ts'
import { ArrivedFrames, type KeptFrames } from './kept-frames.ts'
import { type Commands, on, type Payload, send } from './model.ts'
import type { RemoteClients } from './remote-clients.ts'
import { Renames } from './renames.ts'
import { type HandOverTools, RoomHandOver } from './room-hand-over.ts'
import { RoomOwners } from './room-owners.ts'
import { RpcClient } from './rpc-client.ts'
import { answer, Moved, parseCommand } from './rpc-server.ts'
import { Successors } from './successors.ts'
import { UnansweredJoins } from './unanswered-joins.ts'
import { UnconfirmedJoins } from './unconfirmed-joins.ts'

/** A node sends its lists of clients and seats with every n-th beat. */
const BEATS_PER_LIST = 2

/**
 * Calls across nodes. One node owns each room. Members connected to other nodes send their commands through their own
 * node; answers and events return the same way. Source: docs/voice.md.
 */
export class VoiceCluster {
  readonly #heartbeat: Heartbeat
  readonly #rpc: RpcClient
  readonly forwarder: CommandForwarder
  readonly #owners: RoomOwners
  readonly #successors: Successors
  readonly #joins = new UnconfirmedJoins()
  readonly #unanswered = new UnansweredJoins()
  readonly #order = new ArrivalOrder()
  readonly #arrived = new ArrivedFrames()
  readonly handOver: RoomHandOver
  readonly renames: Renames
  readonly #timer: Timer
  private readonly rooms: Rooms
  private readonly states: VoiceStates
  private readonly sockets: NodeSockets
  private readonly remote: RemoteClients
  private readonly frames: KeptFrames
  #beats = 0

  /** @param presence the commands by which a client of this node enters a room of this node */
  constructor(
    private readonly parts: Pick<Parts, 'nodes' | 'leases' | 'log' | 'environment'>,
    tools: HandOverTools,
    private readonly presence: Pick<PresenceCommands, 'voice.join' | 'voice.resume'>,
  ) {
    const { nodes } = parts
    const { rooms, states, sockets, remote, frames } = tools
    this.rooms = rooms
    this.states = states
    this.sockets = sockets
    this.remote = remote
    this.frames = frames
    this.#heartbeat = new Heartbeat(nodes)
    this.#rpc = new RpcClient(nodes, this.#heartbeat)
    this.forwarder = new CommandForwarder(nodes, this.#rpc, sockets)
    this.#owners = new RoomOwners(parts, this.#heartbeat, rooms)
    this.#successors = new Successors(nodes, this.#heartbeat, tools.sfu)
    this.handOver = new RoomHandOver(parts, tools, this.#owners, this.#successors, this.#rpc, this.forwarder)
    this.renames = new Renames({
      nodes,
      ownersOf: (userId) => this.forwarder.ownersOf(userId),
      shownOf: (userId) => states.at(userId)?.row.state.user,
      isOpen: () => this.#heartbeat.isOpen(),
    })
    this.#heartbeat.on('beat', (node) => this.#sendBeat(node))
    this.#heartbeat.on('silent', (node) => this.#lose(node))
    this.#listen()
    this.#timer = setInterval(() => this.#tick(), BEAT_MS)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /**
   * Serves the commands of other nodes' clients.
   * @returns the commands for this node's own clients, which forward to the owner if another node owns the room
   */
  serve(commands: Commands): Commands {
    on(this.parts.nodes, 'voice.command', (from, { n, client, op, d, wait_ms, seat, moved }) => {
      const work = this.remote.run(from, client, async (remote) => {
        const userId = targetOf(op, d) ?? remote.user_id
        await this.handOver.gateOf(userId)
        const node = op === 'voice.join' ? undefined : this.handOver.movedTo(userId)
        if (node !== undefined) throw new Moved(node)
        if (op === 'voice.leave' && seat !== undefined) return this.#endSeat(remote, seat)
        if (op !== 'voice.join')
          return this.#run(commands, remote, op, d).catch((error: unknown) => {
            const next = this.#missed(error, targetOf(op, d))
            throw next === undefined ? error : new Moved(next)
          })
        const unwantedSignal = wait_ms === undefined ? undefined : this.#joins.begin(from, n, remote, wait_ms)
        return this.#joinHere(remote, parseCommand(op, d), unwantedSignal, moved)
      })
      void answer(this.parts, this.frames, from, n, op, work)
    })
    const localCommands = this.forwarder.commands(commands, (userId, serverId) => this.#ownerOf(userId, serverId), {
      'voice.join': (client, d) => this.#join(client, d),
      'voice.resume': (client, d) => this.#resume(client, d),
    })
    return this.#afterHandOver({
      ...localCommands,
      'voice.leave': async (client, d) => {
        this.#unanswered.giveUp(client)
        return localCommands['voice.leave'](client, d)
      },
    })
  }

  /** Runs `here` if this node owns the channel's room; otherwise makes the client join on the node that does. */
  place(client: VoiceClient, request: JoinRequest, here: () => Promise<void>): Promise<void> {
    return this.#owners.at(request.channel_id, here, () => this.#move(client, request))
  }

  /** Call when a room of this node has ended. */
  ended(channelId: number): void {
    this.#owners.release(channelId)
  }

  /** Call when the socket of a client of this node has closed. */
  handleClose(client: VoiceClient): void {
    this.forwarder.handleClose(client)
  }

  /** The same commands, which wait while the room of their account, and that of their target, moves. */
  #afterHandOver(commands: Commands): Commands {
    const waiting =
      <K extends keyof Commands>(op: K) =>
      (client: VoiceClient, d: Payload<K>) => {
        const target = targetOf(op, d)
        const run = () => commands[op](client, d)
        const gates = [client.user_id, target ?? 0].flatMap((id) => this.handOver.gateOf(id) ?? [])
        const answered = gates.length > 0 ? Promise.all(gates).then(run) : run()
        if (target === undefined) return answered
        return Promise.resolve(answered).catch((error: unknown) => {
          if (this.#missed(error, target) === undefined) throw error
          return run()
        })
      }
    const all = (Object.keys(commands) as (keyof Commands)[]).map((op) => [op, waiting(op)])
    return Object.fromEntries(all) as Commands
  }

  /** The node that continues the call of a target that a command did not find, since its call moved meanwhile. */
  #missed(error: unknown, target: number | undefined): string | undefined {
    const isMissed = error instanceof Problem && error.code === 'not_found' && target !== undefined
    return isMissed ? this.handOver.movedTo(target) : undefined
  }

  #listen(): void {
    const { nodes } = this.parts
    on(nodes, 'voice.take', (from, { n, room }) => {
      void answer(this.parts, this.frames, from, n, 'voice.take', this.handOver.take(from, room))
    })
    on(nodes, 'voice.answer', (from, body) =>
      this.#order.run(() => {
        this.#rpc.settle(from, body)
        return true
      }),
    )
    on(nodes, 'voice.frame', (from, body) =>
      this.#inOrder(() => {
        if (this.#arrived.isNext(from, body)) this.forwarder.deliver(from, body)
      }),
    )
    on(nodes, 'voice.beat', (from, { clients, seats, clogged, got, frames = 0 }) => {
      this.#heartbeat.noteBeat(from)
      if (clients) this.remote.update(from, clients)
      if (clogged) this.remote.setClogged(from, clogged)
      // The frame that says why a seat ended may be missing; it will be resent.
      const compare = () => {
        if (seats && this.#arrived.newest(from) >= frames) this.forwarder.compareSeats(from, new Map(seats))
      }
      this.#inOrder(compare)
      // Clients that will never receive all frames must join again.
      if (got !== undefined && !this.frames.acknowledge(from, got)) this.remote.lose(from)
    })
    on(nodes, 'voice.move', (from, { n, client: id, d }) => {
      const work = async () => {
        await this.#move(found(this.forwarder.clientAt(from, id)), d)
        return {}
      }
      void answer(this.parts, this.frames, from, n, 'voice.move', work())
    })
    on(nodes, 'voice.confirm', (from, { n }) => this.#joins.confirm(from, n))
    on(nodes, 'voice.cancel', (from, { n }) => this.#joins.cancel(from, n))
    this.remote.on('closed', (client) => this.#joins.cancelOf(client))
    on(nodes, 'voice.closed', (from, { client }) => this.remote.close(from, client))
    on(nodes, 'voice.renamed', (_from, { user }) => this.rooms.rename(user))
    nodes.onGone((node) => {
      this.#lose(node)
      this.#heartbeat.forget(node)
    })
  }

  #inOrder(work: () => void): void {
    this.#order.run(() => {
      work()
      return false
    })
  }

  #tick(): void {
    this.#beats++
    this.#successors.publish()
    this.forwarder.ping(Date.now())
    this.frames.keepOnly(this.remote.nodes())
    this.renames.resend()
    this.#heartbeat.tick([...this.forwarder.owners(), ...this.remote.nodes()])
  }

  #sendBeat(node: string): void {
    const isList = this.#beats % BEATS_PER_LIST === 0
    const clients = () => this.forwarder.clientsAt(node, Date.now())
    const lists = isList ? { clients: clients(), seats: this.#seatsOf(node), frames: this.frames.newest(node) } : {}
    const clogged = this.forwarder.cloggedAt(node)
    send(this.parts.nodes, node, 'voice.beat', { ...lists, clogged, got: this.#arrived.newest(node) })
  }

  /** A node's clients that have a seat here. */
  #seatsOf(node: string): [id: number, seat: string][] {
    return this.remote.clientsOf(node).flatMap((client): [number, string][] => {
      const seat = this.handOver.seatOf(client)
      return seat ? [[client.id, seat]] : []
    })
  }

  #lose(node: string): void {
    this.#rpc.drop(node)
    this.forwarder.lose(node)
    this.remote.lose(node)
    this.#arrived.forget(node)
  }

  /** Runs a command for a client of another node. @throws Problem if the command refuses */
  async #run<K extends keyof Commands>(commands: Commands, client: VoiceClient, op: K, d: unknown) {
    return commands[op](client, parseCommand(op, d))
  }

  /** Ends a seat that another node's client has left behind. */
  async #endSeat(client: VoiceClient, voice_session_id: string): Promise<object> {
    const seat = this.rooms.of(client)
    if (seat?.voice_session_id === voice_session_id) this.rooms.leave(seat)
    return {}
  }

  /** Makes a client of another node join a room of this node. @throws Problem if the command refuses */
  async #joinHere(
    client: VoiceClient,
    request: JoinRequest,
    unwantedSignal: AbortSignal | undefined,
    isMoved?: boolean,
  ): Promise<Joined> {
    // Another node may own the room by now.
    const elsewhere = () => Promise.reject(new Problem('unavailable'))
    const here = () => this.presence['voice.join'](client, request, unwantedSignal, isMoved)
    const joined = await this.#owners.at(request.channel_id, here, elsewhere)
    this.#demandKept(client, joined)
    return joined
  }

  /**
   * The lease was lost during the join, so the room was given up; its client heard that before the answer.
   * @throws Problem `unavailable`
   */
  #demandKept(client: VoiceClient, { voice_session_id }: Joined): void {
    if (this.rooms.of(client)?.voice_session_id !== voice_session_id) throw new Problem('unavailable')
  }

  /** @throws Problem `not_found` if the client leaves before the end; or if the command refuses */
  #join(client: VoiceClient, { encrypts, accepts_open, ...rest }: JoinRequest, isMoved = false): Promise<Joined> {
    // Earlier nodes refuse fields that they do not know.
    const isOff = this.parts.environment.CALLS_ENCRYPTION === 'off'
    const request = isOff ? rest : { ...rest, encrypts, ...(accepts_open && { accepts_open }) }
    return this.#unanswered.run(client, (leaveSignal) => this.#joinUnless(leaveSignal, client, request, isMoved))
  }

  async #joinUnless(
    leaveSignal: AbortSignal,
    client: VoiceClient,
    request: JoinRequest,
    isMoved: boolean,
  ): Promise<Joined> {
    let isHere = false
    const joined = await this.#owners.at(
      request.channel_id,
      async () => {
        isHere = true
        const joined = await this.presence['voice.join'](client, request, leaveSignal, isMoved)
        this.forwarder.returned(client)
        return joined
      },
      async (node) => {
        const joined = await this.forwarder.enter(node, client, 'voice.join', request, leaveSignal, isMoved)
        const before = this.rooms.of(client)
        if (before) this.rooms.leave(before)
        return joined
      },
    )
    if (isHere) this.#demandKept(client, joined)
    return joined
  }

  async #resume(client: VoiceClient, d: { voice_session_id: string; epoch: number }): Promise<Joined> {
    const node = this.#ownerOf(client.user_id)
    if (node === undefined) {
      const joined = await this.presence['voice.resume'](client, d)
      this.forwarder.returned(client)
      return joined
    }
    return this.forwarder.enter(node, client, 'voice.resume', d).catch((error: unknown) => {
      // The seat is lost with its node.
      throw this.#heartbeat.isSilent(node) ? new Problem('not_found') : error
    })
  }

  /** Makes a client join a room because a moderator moves it there. */
  async #move(client: VoiceClient, request: JoinRequest): Promise<void> {
    if (client.node !== undefined) await this.#rpc.move(client.node, { client: client.id, d: request })
    else this.sockets.send(client, ephemeralText('voice.moved', await this.#join(client, request, true)))
  }

  /** The node with the account's seat, optionally only in this server; undefined if it is this node. */
  #ownerOf(userId: number, serverId?: number): string | undefined {
    const { node, row } = this.states.at(userId) ?? {}
    // The next owner of its room may not have said so yet.
    if (!row) return this.handOver.movedTo(userId)
    const isMeant = serverId === undefined || row?.state.server_id === serverId
    return isMeant && node !== this.parts.nodes.id ? node : undefined
  }
}

/** The account that a moderator's command is about; undefined for commands that are about their own account. */
const targetOf = (op: keyof Commands, d: unknown): number | undefined =>
  isTargeted(op) && typeof d === 'object' && d !== null && 'user_id' in d ? Number(d.user_id) : undefined
