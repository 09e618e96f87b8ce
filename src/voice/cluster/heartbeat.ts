import { EventEmitter } from 'node:events'
import type { Nodes } from '../../cluster/nodes.ts'

export const BEAT_MS = 500
/** A node counts as silent after this many missed beats: 2.5 s, so that its calls continue elsewhere within 5 s. */
const MISSED_MAX = 5
/** A node that misses more of its own messages than this is cut off. */
const LOST_MAX = 3
/** A node watches this many others, and all with which it shares a call. */
const FEW_NODES = 16

interface HeartbeatEvents {
  /** Time to send this node a beat. */
  beat: [node: string]
  /** The node has fallen silent; emitted once. */
  silent: [node: string]
}

/**
 * Watches which nodes can be heard. A node also sends messages to itself: while those do not arrive, Redis is away and
 * the silence of others means nothing.
 */
export class Heartbeat extends EventEmitter<HeartbeatEvents> {
  /** Missed beats per watched node. */
  readonly #missedBeats = new Map<string, number>()
  /** Beats since a message to itself last arrived. */
  #lost = 0

  constructor(private readonly nodes: Nodes) {
    super()
  }

  isSilent(node: string): boolean {
    return (this.#missedBeats.get(node) ?? 0) >= MISSED_MAX
  }

  /** True while messages reach other nodes. */
  isOpen(): boolean {
    return this.#lost <= LOST_MAX
  }

  /** Call when a beat of this node has arrived. */
  noteBeat(node: string): void {
    // A node that watches this one without being watched also gets a beat.
    if (!this.#missedBeats.has(node)) this.emit('beat', node)
    this.#missedBeats.set(node, 0)
  }

  /** Call when the node has ended. */
  forget(node: string): void {
    this.#missedBeats.delete(node)
  }

  /** Call every BEAT_MS. @param concernedNodes the nodes that share a call, or a running command, with this one */
  tick(concernedNodes: string[]): void {
    const silentNodes = [...this.#missedBeats.keys()].filter((node) => this.isSilent(node))
    const watchedNodes = new Set([...this.nodes.others().slice(0, FEW_NODES), ...concernedNodes, ...silentNodes])
    watchedNodes.delete(this.nodes.id)
    for (const node of this.#missedBeats.keys()) if (!watchedNodes.has(node)) this.#missedBeats.delete(node)
    for (const node of watchedNodes) {
      const missedCount = (this.#missedBeats.get(node) ?? 0) + (this.#lost === 0 ? 1 : 0)
      // After an outage of Redis every node has the whole time again.
      this.#missedBeats.set(node, this.isOpen() ? missedCount : 0)
      if (this.#lost === 0 && missedCount === MISSED_MAX) this.emit('silent', node)
      this.emit('beat', node)
    }
    this.#lost++
    this.nodes.echo(() => void (this.#lost = 0))
  }
}
