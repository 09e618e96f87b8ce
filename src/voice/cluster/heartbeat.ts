import { EventEmitter } from 'node:events'
import type { Nodes } from '../../cluster/nodes.ts'

export const BEAT_MS = 500
/** A node not heard for so many beats is silent: 2.5 s, so that its calls go on elsewhere within 5 s. */
const MISSED_MAX = 5
/** A node that has not received its own messages for so many beats reaches nobody. */
const LOST_MAX = 3
/** In an installation of so few nodes each one watches all; in a larger one those that it has business with. */
const FEW_NODES = 16

interface HeartbeatEvents {
  /** Time to send this node a beat. */
  beat: [node: string]
  /** The node has fallen silent; emitted once. */
  silent: [node: string]
}

/**
 * Which nodes are heard. A node also sends messages to itself: while those do not arrive, Redis is away and the silence
 * of others means nothing.
 */
export class Heartbeat extends EventEmitter<HeartbeatEvents> {
  /** Beats missed, by node watched. */
  readonly #missed = new Map<string, number>()
  /** Beats since the last message to itself arrived. */
  #lost = 0

  constructor(private readonly nodes: Nodes) {
    super()
  }

  isSilent(node: string): boolean {
    return (this.#missed.get(node) ?? 0) >= MISSED_MAX
  }

  /** Whether messages reach other nodes. */
  isOpen(): boolean {
    return this.#lost <= LOST_MAX
  }

  /** A beat of this node has arrived. */
  received(node: string): void {
    // A node that watches this one without being watched gets a beat too.
    if (!this.#missed.has(node)) this.emit('beat', node)
    this.#missed.set(node, 0)
  }

  /** The node has ended. */
  forget(node: string): void {
    this.#missed.delete(node)
  }

  /** Every BEAT_MS. @param concerned the nodes that this one has business with */
  tick(concerned: string[]): void {
    const silent = [...this.#missed.keys()].filter((node) => this.isSilent(node))
    const watched = new Set([...this.nodes.others().slice(0, FEW_NODES), ...concerned, ...silent])
    watched.delete(this.nodes.id)
    for (const node of this.#missed.keys()) if (!watched.has(node)) this.#missed.delete(node)
    for (const node of watched) {
      const missed = (this.#missed.get(node) ?? 0) + (this.#lost === 0 ? 1 : 0)
      // After an outage of Redis everyone has the whole time again.
      this.#missed.set(node, this.isOpen() ? missed : 0)
      if (this.#lost === 0 && missed === MISSED_MAX) this.emit('silent', node)
      this.emit('beat', node)
    }
    this.#lost++
    this.nodes.echo(() => void (this.#lost = 0))
  }
}
