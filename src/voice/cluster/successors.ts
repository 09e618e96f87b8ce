import type { Nodes } from '../../cluster/nodes.ts'
import type { Table } from '../../cluster/node-tables.ts'
import type { Heartbeat } from './heartbeat.ts'

/** The nodes that can take over rooms of others. Each says so in a table; versions before 0.18 do not. */
export class Successors {
  readonly #table: Table
  #chosen = 0

  constructor(
    private readonly nodes: Nodes,
    private readonly heartbeat: Pick<Heartbeat, 'isSilent'>,
  ) {
    this.#table = nodes.table('voice_nodes')
    this.#table.put(nodes.id, 'open')
  }

  /** This node takes no more rooms. */
  retire(): void {
    this.#table.put(this.nodes.id, 'draining')
  }

  isRetired(): boolean {
    return this.#stateOf(this.nodes.id) === 'draining'
  }

  /** True if a client of that node notices nothing when its room moves. */
  understands(node: string): boolean {
    return this.#stateOf(node) !== undefined
  }

  /** The next node that takes a room, in turn; undefined if there is none. */
  next(): string | undefined {
    const open = this.nodes.others().filter((node) => this.#stateOf(node) === 'open' && !this.heartbeat.isSilent(node))
    return open[this.#chosen++ % open.length]
  }

  #stateOf(node: string): string | undefined {
    return this.#table.at(node).get(node)
  }
}
