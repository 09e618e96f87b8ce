import { EventEmitter } from 'node:events'
import { Problem } from '../../core/errors.ts'
import type { VoiceClient } from '../seat.ts'
import { type Message, REMOTE_CLIENTS_MAX, UNDERWAY_MAX } from './model.ts'

/** A client whose room was handed over here stays this long without being listed: its node may not know yet. */
const ADOPTED_MS = 3_000

type RemoteClient = VoiceClient & { readonly node: string; adoptedAt?: number }

interface RemoteNode {
  clients: Map<number, RemoteClient>
  /** Its clients whose outbound buffers are filling. */
  clogged: ReadonlySet<number>
  /** Number of its requests running here. */
  underway: number
}

interface RemoteClientsEvents {
  /** The client's socket has closed, or its node is gone. */
  closed: [client: VoiceClient]
}

/** Clients connected to other nodes that use this one. Each is a VoiceClient, with a seat like any other. */
export class RemoteClients extends EventEmitter<RemoteClientsEvents> {
  readonly #nodes = new Map<string, RemoteNode>()

  /**
   * Runs another node's request for one of its clients.
   * @throws Problem `unavailable` if that node already has too many clients or requests here
   */
  async run<T>(
    from: string,
    client: Message<'voice.command'>['client'],
    work: (client: VoiceClient) => Promise<T>,
  ): Promise<T> {
    const node = this.#nodes.get(from) ?? { clients: new Map(), clogged: new Set(), underway: 0 }
    this.#nodes.set(from, node)
    node.underway++
    try {
      if (node.underway > UNDERWAY_MAX) throw new Problem('unavailable')
      return await work(this.#clientOf(from, node, client))
    } finally {
      node.underway--
      if (this.#nodes.get(from) === node) this.#removeIdle(from, node)
    }
  }

  /** A client of another node whose room is handed over to this one. @throws Problem `unavailable` as `run` */
  adopt(from: string, client: Message<'voice.command'>['client'], silentMs: number): VoiceClient {
    const node = this.#nodes.get(from) ?? { clients: new Map(), clogged: new Set(), underway: 0 }
    this.#nodes.set(from, node)
    const now = Date.now()
    return Object.assign(this.#clientOf(from, node, client), { heardAt: now - silentMs, adoptedAt: now })
  }

  /** The nodes with clients or requests here. */
  nodes(): string[] {
    return [...this.#nodes.keys()]
  }

  clientsOf(node: string): VoiceClient[] {
    return [...(this.#nodes.get(node)?.clients.values() ?? [])]
  }

  clientOf(node: string, id: number): VoiceClient | undefined {
    return this.#nodes.get(node)?.clients.get(id)
  }

  isOpen(client: VoiceClient): boolean {
    return this.#nodes.get(client.node ?? '')?.clients.get(client.id) === client
  }

  isClogged({ node, id }: VoiceClient): boolean {
    return this.#nodes.get(node ?? '')?.clogged.has(id) ?? false
  }

  /** Updates which of a node's clients have filling buffers. */
  setClogged(node: string, ids: number[]): void {
    const present = this.#nodes.get(node)
    if (present) present.clogged = new Set(ids)
  }

  close(node: string, id: number): void {
    const client = this.#nodes.get(node)?.clients.get(id)
    if (client) this.#forget(client)
  }

  /** Call when the node is silent or gone. */
  lose(node: string): void {
    for (const client of this.#nodes.get(node)?.clients.values() ?? []) this.#forget(client)
  }

  /** Updates a node's list of its clients that use this node, and how long each has been silent, ms. */
  update(node: string, clients: [id: number, silent_ms: number][]): void {
    const silences = new Map(clients)
    for (const client of this.#nodes.get(node)?.clients.values() ?? []) {
      const silentMs = silences.get(client.id)
      if (silentMs !== undefined) {
        client.heardAt = Date.now() - silentMs
        client.adoptedAt = 0
      } else if (Date.now() - (client.adoptedAt ?? 0) > ADOPTED_MS) this.#forget(client)
    }
  }

  #clientOf(node: string, { clients }: RemoteNode, clientInfo: Message<'voice.command'>['client']): RemoteClient {
    const present = clients.get(clientInfo.id)
    if (present) {
      present.heardAt = Date.now()
      return present
    }
    if (clients.size >= REMOTE_CLIENTS_MAX) throw new Problem('unavailable')
    const client: RemoteClient = { ...clientInfo, node, heardAt: Date.now() }
    clients.set(client.id, client)
    return client
  }

  #forget(client: RemoteClient): void {
    const node = this.#nodes.get(client.node)
    if (!node?.clients.delete(client.id)) return
    this.#removeIdle(client.node, node)
    this.emit('closed', client)
  }

  #removeIdle(name: string, { clients, underway }: RemoteNode): void {
    if (clients.size === 0 && underway === 0) this.#nodes.delete(name)
  }
}
