import type { Nodes } from '../../cluster/nodes.ts'
import { ephemeralText } from '../../core/events.ts'
import { Problem } from '../../core/errors.ts'
import { type NodeSockets, PING_MS } from '../client-sockets.ts'
import { voiceCommands } from '../model.ts'
import type { VoiceClient } from '../seat.ts'
import { type ForwardedClient, newForwardedClient } from './forwarded-client.ts'
import { type Answer, type Commands, type Message, type Payload, send } from './model.ts'
import type { RpcClient } from './rpc-client.ts'

/** Signalling frames, which wait while their receiver's outbound buffer is filling. */
const SIGNALLING = /^{"t":"voice\.(description|candidate|mls)"/

/** Commands about another member's seat: they run on the node that has it. */
const TARGETED = ['voice.move_member', 'voice.disconnect_member', 'voice.let_up', 'voice.send_down'] as const
type Targeted = (typeof TARGETED)[number]

/** Commands about the seat of the caller's account, whichever of its sockets has it. */
type OwnSeat = 'voice.raise_hand' | 'voice.go_up' | 'voice.step_down'

export const isTargeted = (op: keyof Commands): boolean => TARGETED.some((each) => each === op)

/**
 * Clients of this node whose rooms are owned by other nodes: forwards commands there, and frames back to the clients.
 */
export class CommandForwarder {
  readonly #clients = new Map<number, ForwardedClient>()

  constructor(
    private readonly nodes: Nodes,
    private readonly rpc: RpcClient,
    private readonly sockets: NodeSockets,
  ) {}

  /**
   * The commands for this node's own clients, forwarded to the node that owns the client's room.
   * @param local the same commands, run on this node
   * @param ownerOf the other node with the account's seat, if given in this server; undefined if it is this node
   * @param entering the commands by which a client gets a seat
   */
  commands(
    local: Commands,
    ownerOf: (user_id: number, serverId?: number) => string | undefined,
    entering: Pick<Commands, 'voice.join' | 'voice.resume'>,
  ): Commands {
    const forwarded =
      <K extends keyof Commands>(op: K) =>
      (client: VoiceClient, d: Payload<K>) => {
        const owner = this.#clients.get(client.id)?.owner
        return owner === undefined ? local[op](client, d) : this.forward(owner, client, op, d)
      }
    // Runs on the node with the target's seat, not the caller's.
    const targeted =
      <K extends Targeted>(op: K) =>
      async (client: VoiceClient, d: Payload<K>) => {
        const owner = ownerOf(d.user_id, d.server_id)
        await (owner === undefined ? local[op](client, d) : this.forward(owner, client, op, d))
        return {}
      }
    const ofAccount =
      <K extends OwnSeat>(op: K) =>
      (client: VoiceClient, d: Payload<K>) => {
        const owner = this.#clients.get(client.id)?.owner ?? ownerOf(client.user_id)
        return owner === undefined ? local[op](client, d) : this.forward(owner, client, op, d)
      }
    const all = (Object.keys(voiceCommands) as (keyof Commands)[]).map((op) => [op, forwarded(op)])
    return {
      ...(Object.fromEntries(all) as Commands),
      ...entering,
      'voice.leave': (client, d) => this.#leave(client, d, local['voice.leave']),
      // These only read and change the database, so any node can run them.
      'voice.mute_member': local['voice.mute_member'],
      'voice.deafen_member': local['voice.deafen_member'],
      'voice.stop_camera': local['voice.stop_camera'],
      'voice.device_key': local['voice.device_key'],
      'voice.device_keys': local['voice.device_keys'],
      'voice.device_logs': local['voice.device_logs'],
      'voice.move_member': targeted('voice.move_member'),
      'voice.disconnect_member': targeted('voice.disconnect_member'),
      'voice.let_up': targeted('voice.let_up'),
      'voice.send_down': targeted('voice.send_down'),
      'voice.raise_hand': ofAccount('voice.raise_hand'),
      'voice.go_up': ofAccount('voice.go_up'),
      'voice.step_down': ofAccount('voice.step_down'),
    }
  }

  /**
   * Joins or resumes on another node, which owns the client's room from then on.
   * @param leaveSignal aborted if the client leaves meanwhile
   * @throws Problem if the node refuses; `not_found` if the client left or its socket closed
   */
  async enter<K extends 'voice.join' | 'voice.resume'>(
    node: string,
    client: VoiceClient,
    op: K,
    d: Payload<K>,
    leaveSignal?: AbortSignal,
    isMoved = false,
  ): Promise<Answer<K>> {
    // The socket may have closed while the node was being found; nothing would report that to the node any more.
    if (!this.sockets.isOpen(client)) throw new Problem('not_found')
    const asking = this.#entryOf(client)
    asking.entering.begin(node)
    try {
      const { d: answer, frames, node: answering } = await this.#ask(node, client, op, d, leaveSignal, isMoved)
      const joined = answer as Answer<K>
      if (!this.sockets.isOpen(client)) throw new Problem('not_found')
      const entry = this.#entryOf(client)
      if (entry.owner !== answering) this.#leaveBehind(entry)
      const isNew = op === 'voice.join'
      Object.assign(entry, { owner: answering, seat: joined.voice_session_id, since: frames, isNew })
      return joined
    } finally {
      // After a refusal they may say why the seat has ended.
      for (const frame of asking.entering.end(node))
        if (asking.owner === undefined || asking.owner === node) this.#pass(asking, node, frame)
      this.#removeIdle(asking)
    }
  }

  /** Makes a node run a client's command. @throws Problem from `RpcClient.command` */
  async forward<K extends keyof Commands>(node: string, client: VoiceClient, op: K, d: Payload<K>): Promise<Answer<K>> {
    return (await this.#ask(node, client, op, d)).d as Answer<K>
  }

  async #ask<K extends keyof Commands>(
    node: string,
    client: VoiceClient,
    op: K,
    d: Payload<K>,
    unwanted?: AbortSignal,
    isMoved = false,
  ) {
    const entry = this.#entryOf(client)
    entry.pending.set(node, (entry.pending.get(node) ?? 0) + 1)
    try {
      const { id, user_id, session_id, base } = client
      const body = { client: { id, user_id, session_id, base }, op, d, ...(isMoved ? { moved: true } : {}) }
      return await this.rpc.command(node, body, unwanted)
    } finally {
      this.#ended(entry, node)
    }
  }

  /** A command of the client has ended on that node. */
  #ended(entry: ForwardedClient, node: string): void {
    const pendingCount = (entry.pending.get(node) ?? 1) - 1
    if (pendingCount > 0) entry.pending.set(node, pendingCount)
    else entry.pending.delete(node)
    this.#removeIdle(entry)
  }

  /** The client with this id, if that node owns its room. */
  clientAt(node: string, id: number): VoiceClient | undefined {
    const entry = this.#clients.get(id)
    return entry?.owner === node ? entry.client : undefined
  }

  /** The other node that owns the client's room. */
  ownerOf({ id }: VoiceClient): string | undefined {
    return this.#clients.get(id)?.owner
  }

  /** True if that node owns the client's room, or is running one of its commands. */
  isAt(node: string, { id }: VoiceClient): boolean {
    const entry = this.#clients.get(id)
    return entry?.owner === node || (entry?.pending.has(node) ?? false)
  }

  /** Call when the client has a seat on this node. */
  returned(client: VoiceClient): void {
    const entry = this.#clients.get(client.id)
    if (!entry) return
    this.#leaveBehind(entry)
    this.#unseat(entry)
  }

  /**
   * This node hands the client's room over: the client belongs to that node as soon as `run` resolves to true.
   * Meanwhile frames of both nodes reach it.
   */
  async handOver(client: VoiceClient, node: string, seat: string, run: Promise<boolean>): Promise<void> {
    const entry = this.#entryOf(client)
    Object.assign(entry, { owner: node, seat, since: 0, isNew: false })
    entry.pending.set(node, (entry.pending.get(node) ?? 0) + 1)
    const isHanded = await run
    if (!isHanded && entry.owner === node && entry.seat === seat) entry.owner = entry.seat = undefined
    this.#ended(entry, node)
  }

  /** That node has handed the client's room over to this one. @returns undefined if the socket has closed */
  takeOver(node: string, id: number): VoiceClient | undefined {
    const entry = this.#clients.get(id)
    if (entry?.owner !== node) return undefined
    this.#unseat(entry)
    return entry.client
  }

  /** Call when the client's socket has closed. */
  handleClose({ id }: VoiceClient): void {
    const entry = this.#clients.get(id)
    if (!entry) return
    this.#clients.delete(id)
    for (const node of new Set([...entry.pending.keys(), entry.owner]))
      if (node !== undefined) send(this.nodes, node, 'voice.closed', { client: id })
  }

  /** The other nodes that own the rooms of an account's clients. */
  ownersOf(userId: number): string[] {
    const ofAccount = [...this.#clients.values()].filter(({ client }) => client.user_id === userId)
    return [...new Set(ofAccount.flatMap(({ owner }) => owner ?? []))]
  }

  /** Sends another node's frame to its client. */
  deliver(from: string, body: Message<'voice.frame'>): void {
    const { client: id, seat, n, adopts } = body
    const entry = this.#clients.get(id)
    if (!entry) return
    if (adopts !== undefined && entry.owner === adopts && entry.seat === seat)
      Object.assign(entry, { owner: from, since: (n ?? 1) - 1, isNew: false })
    if (entry.entering.keeps(from, body)) return
    // Drop frames of a node that the client has left.
    if (entry.owner === from || (n === undefined && entry.pending.has(from))) this.#pass(entry, from, body)
  }

  #pass(entry: ForwardedClient, from: string, { seat, frame, n }: Message<'voice.frame'>): void {
    if (this.#clients.get(entry.client.id) !== entry) return
    if (entry.owner === from) {
      // The answer contains what came before it, except signalling. Other resent ones may be about an earlier seat.
      const isForSeat = entry.isNew && seat === entry.seat && SIGNALLING.test(frame)
      if (n !== undefined && n <= entry.since && !isForSeat) return
      if (seat === null) this.#unseat(entry)
      else entry.seat = seat
    }
    // The owner learns of the full buffer only with the next beat, and sends more until then.
    if (SIGNALLING.test(frame) && this.#isClogged(entry)) entry.heldFrames.push(frame)
    else this.sockets.send(entry.client, frame)
  }

  /** Sends the waiting signalling as far as it fits. Call when the outbound buffer of a client's socket has drained. */
  drained({ id }: VoiceClient): void {
    const entry = this.#clients.get(id)
    while (entry && entry.heldFrames.length > 0 && !this.sockets.isClogged(entry.client))
      this.sockets.send(entry.client, entry.heldFrames.shift() ?? '')
  }

  /** Compares the seats that a node lists with those known here. A client missing from the list has lost its seat. */
  compareSeats(from: string, seats: Map<number, string>): void {
    for (const entry of this.#clients.values()) {
      if (entry.owner !== from || entry.pending.has(from)) continue
      const seat = seats.get(entry.client.id)
      if (seat === undefined) this.#reportLoss(entry)
      else entry.seat = seat
    }
  }

  /** Call when the node is silent or gone. */
  lose(node: string): void {
    for (const entry of this.#clients.values()) if (entry.owner === node) this.#reportLoss(entry)
  }

  /** The nodes used by this node's clients. */
  owners(): string[] {
    return [...this.#clients.values()].flatMap(({ owner, pending }) => [
      ...pending.keys(),
      ...(owner === undefined ? [] : [owner]),
    ])
  }

  /** This node's clients that use that node, and how long each has been silent, ms. */
  clientsAt(node: string, now: number): [id: number, silent_ms: number][] {
    const there = [...this.#clients.values()].filter(({ owner, pending }) => owner === node || pending.has(node))
    return there.map(({ client: { id, heardAt } }) => [id, Math.max(0, now - heardAt)])
  }

  /** This node's clients in rooms of that node whose outbound buffers are filling. */
  cloggedAt(node: string): number[] {
    const there = [...this.#clients.values()].filter(({ owner }) => owner === node)
    return there.flatMap((entry) => (this.#isClogged(entry) ? [entry.client.id] : []))
  }

  /** Pings clients, to detect dead sockets. */
  ping(now: number): void {
    for (const { client, owner } of this.#clients.values())
      if (owner !== undefined && now - client.heardAt > PING_MS) this.sockets.ping(client)
  }

  #entryOf(client: VoiceClient): ForwardedClient {
    const entry = this.#clients.get(client.id) ?? newForwardedClient(client)
    this.#clients.set(client.id, entry)
    return entry
  }

  async #leave(client: VoiceClient, d: Payload<'voice.leave'>, local: Commands['voice.leave']) {
    const entry = this.#clients.get(client.id)
    if (entry?.owner === undefined) return local(client, d)
    const { owner, seat } = entry
    const answer = await this.forward(owner, client, 'voice.leave', d)
    // Otherwise the owner's next list would report the seat as lost.
    if (entry.owner === owner && entry.seat === seat) this.#unseat(entry)
    return answer
  }

  /**
   * Ends the client's previous seat, because it has one elsewhere now. Its node might never learn of the new seat if
   * the client soon leaves that. Commands sent to that node since then continue.
   */
  #leaveBehind({ client: { id, user_id, session_id, base }, owner, seat }: ForwardedClient): void {
    if (owner === undefined) return
    const body = { client: { id, user_id, session_id, base }, op: 'voice.leave', d: {}, seat } as const
    this.rpc.command(owner, body).catch(() => {})
  }

  #isClogged({ client, heldFrames }: ForwardedClient): boolean {
    return heldFrames.length > 0 || this.sockets.isClogged(client)
  }

  #removeIdle(entry: ForwardedClient): void {
    const { client, owner, pending, entering } = entry
    const isIdle = owner === undefined && pending.size === 0 && entering.isIdle()
    if (isIdle && this.#clients.get(client.id) === entry) this.#clients.delete(client.id)
  }

  #unseat(entry: ForwardedClient): void {
    entry.owner = entry.seat = undefined
    entry.heldFrames = []
    this.#removeIdle(entry)
  }

  /** The seat has ended there without a frame about it. */
  #reportLoss(entry: ForwardedClient): void {
    const { client, seat: voice_session_id } = entry
    this.#unseat(entry)
    if (voice_session_id === undefined) return
    this.sockets.send(client, ephemeralText('voice.disconnected', { voice_session_id, reason: 'rejoin' }))
  }
}
