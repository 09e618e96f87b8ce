import type { Nodes } from '../../cluster/nodes.ts'
import { ephemeralText } from '../../core/events.ts'
import { Problem } from '../../core/errors.ts'
import type { PublicUser } from '../../core/schema.ts'
import { type NodeSockets, PING_MS } from '../client-sockets.ts'
import { voiceCommands } from '../model.ts'
import type { VoiceClient } from '../seat.ts'
import { type Answer, type Commands, type Message, type Payload, send } from './model.ts'
import type { RpcClient } from './rpc-client.ts'

/** Signalling, which waits while its receiver's outbound buffer is filling. */
const SIGNALLING = /^{"t":"voice\.(description|candidate)"/

/** A client of this node with business on another. */
interface ForwardedClient {
  client: VoiceClient
  /** The node that owns its room, and its voice session there. */
  owner: string | undefined
  seat: string | undefined
  /** The number of the newest frame of that node from before this seat. */
  since: number
  /** How many of its commands each node is running. */
  pending: Map<string, number>
  /** Signalling that waits until its socket's outbound buffer has drained. The owner's budgets bound it. */
  held: string[]
}

/** This node's clients whose rooms other nodes own: forwards their commands there, and frames from there to them. */
export class CommandForwarder {
  readonly #clients = new Map<number, ForwardedClient>()

  constructor(
    private readonly nodes: Nodes,
    private readonly rpc: RpcClient,
    private readonly sockets: NodeSockets,
  ) {}

  /**
   * The commands for this node's own clients: forwarded to the node that owns the client's room.
   * @param local the same as this node runs them itself
   * @param ownerOf the node with the account's seat in a server, when that is not this one
   * @param entering the commands by which a client gets a seat
   */
  commands(
    local: Commands,
    ownerOf: (user_id: number, server_id: number) => string | undefined,
    entering: Pick<Commands, 'voice.join' | 'voice.resume'>,
  ): Commands {
    const forwarded =
      <K extends keyof Commands>(op: K) =>
      (client: VoiceClient, d: Payload<K>) => {
        const owner = this.#clients.get(client.id)?.owner
        return owner === undefined ? local[op](client, d) : this.forward(owner, client, op, d)
      }
    // Runs on the node that has the target's seat, not the caller's.
    const targeted =
      <K extends 'voice.move_member' | 'voice.disconnect_member'>(op: K) =>
      async (client: VoiceClient, d: Payload<K>) => {
        const owner = ownerOf(d.user_id, d.server_id)
        await (owner === undefined ? local[op](client, d) : this.forward(owner, client, op, d))
        return {}
      }
    const all = (Object.keys(voiceCommands) as (keyof Commands)[]).map((op) => [op, forwarded(op)])
    return {
      ...(Object.fromEntries(all) as Commands),
      ...entering,
      'voice.leave': (client, d) => this.#leave(client, d, local['voice.leave']),
      // These change only the database, so every node can run them.
      'voice.mute_member': local['voice.mute_member'],
      'voice.stop_camera': local['voice.stop_camera'],
      'voice.move_member': targeted('voice.move_member'),
      'voice.disconnect_member': targeted('voice.disconnect_member'),
    }
  }

  /**
   * Joins or resumes on a node, which owns the client's room from then on.
   * @param left aborted when the client leaves meanwhile
   * @throws Problem as the node refuses, `not_found` when the client has left or its socket has closed
   */
  async enter<K extends 'voice.join' | 'voice.resume'>(
    node: string,
    client: VoiceClient,
    op: K,
    d: Payload<K>,
    left?: AbortSignal,
  ): Promise<Answer<K>> {
    // The socket may have closed while the node was looked for: nothing would tell the node so any more.
    if (!this.sockets.isOpen(client)) throw new Problem('not_found')
    const { d: answer, frames } = await this.#ask(node, client, op, d, left)
    const joined = answer as Answer<K>
    if (!this.sockets.isOpen(client)) throw new Problem('not_found')
    const entry = this.#entryOf(client)
    if (entry.owner !== node) this.#leaveBehind(entry)
    entry.owner = node
    entry.seat = joined.voice_session_id
    entry.since = frames
    return joined
  }

  /** Has a node run a client's command. @throws Problem as `RpcClient.command` */
  async forward<K extends keyof Commands>(node: string, client: VoiceClient, op: K, d: Payload<K>): Promise<Answer<K>> {
    return (await this.#ask(node, client, op, d)).d as Answer<K>
  }

  async #ask<K extends keyof Commands>(
    node: string,
    client: VoiceClient,
    op: K,
    d: Payload<K>,
    unwanted?: AbortSignal,
  ) {
    const entry = this.#entryOf(client)
    entry.pending.set(node, (entry.pending.get(node) ?? 0) + 1)
    try {
      const { id, user_id, session_id, base } = client
      const body = { client: { id, user_id, session_id, base }, op, d }
      return await this.rpc.command(node, body, unwanted)
    } finally {
      const left = (entry.pending.get(node) ?? 1) - 1
      if (left > 0) entry.pending.set(node, left)
      else entry.pending.delete(node)
      this.#removeIdle(entry)
    }
  }

  /** The client of this id, if that node owns its room. */
  clientAt(node: string, id: number): VoiceClient | undefined {
    const entry = this.#clients.get(id)
    return entry?.owner === node ? entry.client : undefined
  }

  /** Whether that node owns the client's room, or is running a command of it. */
  isAt(node: string, { id }: VoiceClient): boolean {
    const entry = this.#clients.get(id)
    return entry?.owner === node || (entry?.pending.has(node) ?? false)
  }

  /** The client has a seat on this node now. */
  returned(client: VoiceClient): void {
    const entry = this.#clients.get(client.id)
    if (!entry) return
    this.#leaveBehind(entry)
    this.#unseat(entry)
  }

  /** The client's socket has closed. */
  closed({ id }: VoiceClient): void {
    const entry = this.#clients.get(id)
    if (!entry) return
    this.#clients.delete(id)
    for (const node of new Set([...entry.pending.keys(), entry.owner]))
      if (node !== undefined) send(this.nodes, node, 'voice.closed', { client: id })
  }

  renamed(user: PublicUser): void {
    for (const { client, owner } of this.#clients.values())
      if (owner !== undefined && client.user_id === user.id) send(this.nodes, owner, 'voice.renamed', { user })
  }

  /** Sends a frame of another node to its client. */
  deliver(from: string, { client: id, seat, frame, n }: Message<'voice.frame'>): void {
    const entry = this.#clients.get(id)
    // Frames of a node that the client has left are dropped.
    if (!entry || (entry.owner !== from && !entry.pending.has(from))) return
    // One that comes again after the client has joined anew concerns the seat before.
    if (n !== undefined && entry.owner === from && n <= entry.since) return
    if (entry.owner === from && seat === null) this.#unseat(entry)
    else if (entry.owner === from) entry.seat = seat ?? undefined
    // The owner learns of the buffer with the next beat, and has sent more by then.
    if (SIGNALLING.test(frame) && this.#isClogged(entry)) entry.held.push(frame)
    else this.sockets.send(entry.client, frame)
  }

  /** The outbound buffer of a client's socket has drained: sends the signalling that waits, as far as there is room. */
  drained({ id }: VoiceClient): void {
    const entry = this.#clients.get(id)
    while (entry && entry.held.length > 0 && !this.sockets.isClogged(entry.client))
      this.sockets.send(entry.client, entry.held.shift() ?? '')
  }

  /** Compares the seats that a node lists with those known here; a client whose seat is missing there has lost it. */
  compareSeats(from: string, seats: Map<number, string>): void {
    for (const entry of this.#clients.values()) {
      if (entry.owner !== from || entry.pending.has(from)) continue
      const seat = seats.get(entry.client.id)
      if (seat === undefined) this.#lost(entry)
      else entry.seat = seat
    }
  }

  /** The node is silent or gone. */
  lose(node: string): void {
    for (const entry of this.#clients.values()) if (entry.owner === node) this.#lost(entry)
  }

  /** The nodes with which this node's clients have business. */
  owners(): string[] {
    return [...this.#clients.values()].flatMap(({ owner, pending }) => [
      ...pending.keys(),
      ...(owner === undefined ? [] : [owner]),
    ])
  }

  /** This node's clients with business on that node, and for how long each has been silent, ms. */
  clientsAt(node: string, now: number): [id: number, silent_ms: number][] {
    const there = [...this.#clients.values()].filter(({ owner, pending }) => owner === node || pending.has(node))
    return there.map(({ client: { id, heard_at } }) => [id, Math.max(0, now - heard_at)])
  }

  /** Those of this node's clients with a room on that node whose sockets have much to send. */
  cloggedAt(node: string): number[] {
    const there = [...this.#clients.values()].filter(({ owner }) => owner === node)
    return there.flatMap((entry) => (this.#isClogged(entry) ? [entry.client.id] : []))
  }

  /** Finds sockets that died without being closed. */
  ping(now: number): void {
    for (const { client, owner } of this.#clients.values())
      if (owner !== undefined && now - client.heard_at > PING_MS) this.sockets.ping(client)
  }

  #entryOf(client: VoiceClient): ForwardedClient {
    const entry = this.#clients.get(client.id) ?? {
      client,
      owner: undefined,
      seat: undefined,
      since: 0,
      pending: new Map(),
      held: [],
    }
    this.#clients.set(client.id, entry)
    return entry
  }

  async #leave(client: VoiceClient, d: Payload<'voice.leave'>, local: Commands['voice.leave']) {
    const entry = this.#clients.get(client.id)
    if (entry?.owner === undefined) return local(client, d)
    const { owner, seat } = entry
    const answer = await this.forward(owner, client, 'voice.leave', d)
    // Else the owner's next list would say that the seat is lost.
    if (entry.owner === owner && entry.seat === seat) this.#unseat(entry)
    return answer
  }

  /**
   * The client has a seat elsewhere now: the one before ends. Its node need not hear of the other seat, when the client
   * soon leaves that one. What the client has asked that node for since goes on.
   */
  #leaveBehind({ client: { id, user_id, session_id, base }, owner, seat }: ForwardedClient): void {
    if (owner === undefined) return
    const body = { client: { id, user_id, session_id, base }, op: 'voice.leave', d: {}, seat } as const
    this.rpc.command(owner, body).catch(() => {})
  }

  #isClogged({ client, held }: ForwardedClient): boolean {
    return held.length > 0 || this.sockets.isClogged(client)
  }

  #removeIdle({ client, owner, pending }: ForwardedClient): void {
    if (owner === undefined && pending.size === 0) this.#clients.delete(client.id)
  }

  #unseat(entry: ForwardedClient): void {
    entry.owner = entry.seat = undefined
    entry.held = []
    this.#removeIdle(entry)
  }

  /** The seat has ended there without a frame that says so. */
  #lost(entry: ForwardedClient): void {
    const { client, seat: voice_session_id } = entry
    this.#unseat(entry)
    if (voice_session_id === undefined) return
    this.sockets.send(client, ephemeralText('voice.disconnected', { voice_session_id, reason: 'rejoin' }))
  }
}
