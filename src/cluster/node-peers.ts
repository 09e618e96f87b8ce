import type { Broadcast, RowsPart } from './node-messages.ts'
import { type NodeTables, type Row, ROWS_PER_NODE_MAX } from './node-tables.ts'

/** A node that is silent for this long, five heartbeats, is dead. */
const SILENCE_MS_MAX = 10_000
/** Without an answer for this long, a node's rows are requested again. */
const ASK_MS = 1_000
/** Messages from further nodes are ignored. */
const NODES_MAX = 256

/** State of another node. */
interface Peer {
  heardAt: number
  /** The newest change included in its rows here. */
  seq: number
  /** True if the rows include all earlier changes. */
  complete: boolean
  askedAt: number
  /** The received parts of a transfer of all its rows. */
  arriving: { seq: number; parts: number; rows: Row[] }
}

/** Tracks the other nodes by their broadcasts. Times are milliseconds of one steady clock. */
export class Peers {
  readonly #peers = new Map<string, Peer>()

  /**
   * @param ask requests all rows of a node
   * @param onGone called after a node's rows were removed
   */
  constructor(
    private readonly tables: NodeTables,
    private readonly ask: (node: string) => void,
    private readonly onGone: (node: string, hasDied: boolean) => void,
  ) {}

  names(): string[] {
    return [...this.#peers.keys()]
  }

  /** Handles a broadcast of another node. */
  receive(message: Broadcast, now: number): void {
    const { node } = message
    if (message.say === 'gone') return this.#drop(node, false)
    if (!this.#peers.has(node) && this.#peers.size >= NODES_MAX) return
    const peer = this.#peers.get(node) ?? newPeer(now)
    this.#peers.set(node, peer)
    peer.heardAt = now
    if (message.say === 'whole') this.#takePart(peer, message)
    else if (message.say === 'changes' && peer.complete && message.seq === peer.seq + 1) {
      for (const row of message.rows) this.tables.set(node, row)
      peer.seq = message.seq
    } else if (message.say !== 'want' && (!peer.complete || message.seq > peer.seq)) this.#askForRows(node, peer, now)
  }

  /**
   * Drops dead nodes.
   * @param since when this node began to receive: earlier silence does not count
   */
  dropSilent(now: number, since: number): void {
    for (const [node, { heardAt }] of this.#peers)
      if (now - Math.max(heardAt, since) > SILENCE_MS_MAX) this.#drop(node, true)
  }

  #drop(node: string, hasDied: boolean): void {
    if (!this.#peers.delete(node)) return
    this.tables.forget(node, hasDied)
    this.onGone(node, hasDied)
  }

  /** Called when one of the node's changes is missing. */
  #askForRows(node: string, peer: Peer, now: number): void {
    peer.complete = false
    if (now - peer.askedAt < ASK_MS) return
    peer.askedAt = now
    this.ask(node)
  }

  #takePart(peer: Peer, { node, seq, part, parts, rows }: RowsPart): void {
    if (peer.complete && seq <= peer.seq) return
    if (part === 0) peer.arriving = { seq, parts: 0, rows: [] }
    const { arriving } = peer
    // If a part is missing, all rows are requested again.
    if (arriving.seq !== seq || arriving.parts !== part) return
    arriving.parts++
    if (arriving.rows.length + rows.length <= ROWS_PER_NODE_MAX) for (const row of rows) arriving.rows.push(row)
    if (arriving.parts < parts) return
    this.tables.replace(node, arriving.rows)
    Object.assign(peer, { seq, complete: true, arriving: nothing() })
  }
}

const nothing = (): Peer['arriving'] => ({ seq: -1, parts: 0, rows: [] })

/** A new peer has no rows: `seq` 0 is complete until its first message says otherwise. */
const newPeer = (now: number): Peer => ({
  heardAt: now,
  seq: 0,
  complete: true,
  askedAt: -ASK_MS,
  arriving: nothing(),
})
