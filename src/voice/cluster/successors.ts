import type { Nodes } from '../../cluster/nodes.ts'
import type { Table } from '../../cluster/node-tables.ts'
import type { Route } from '../routing/choose-route.ts'
import type { Sfu } from '../sfu/sfu.ts'
import type { Heartbeat } from './heartbeat.ts'

/** `sfu`: open, and the node's SFU works. */
type State = 'open' | 'sfu' | 'draining'

/** The nodes that can take over rooms of others. Each says so in a table; versions before 0.18 do not. */
export class Successors {
  readonly #table: Table
  #chosen = 0
  #isRetired = false
  #published: State | undefined

  constructor(
    private readonly nodes: Nodes,
    private readonly heartbeat: Pick<Heartbeat, 'isSilent'>,
    private readonly sfu: Pick<Sfu, 'state' | 'onWorker'>,
  ) {
    this.#table = nodes.table('voice_nodes')
    sfu.onWorker(() => this.publish())
    this.publish()
  }

  /** Says what this node takes. Call with every beat: its SFU may have come or gone. */
  publish(): void {
    const state: State = this.#isRetired ? 'draining' : this.sfu.state() === 'ready' ? 'sfu' : 'open'
    if (state === this.#published) return
    this.#published = state
    this.#table.put(this.nodes.id, state)
  }

  /** This node takes no more rooms. */
  retire(): void {
    this.#isRetired = true
    this.publish()
  }

  /** True if this node takes a room with this route. */
  takes(route: Route): boolean {
    return !this.#isRetired && (route !== 'sfu' || ['ready', 'restarting'].includes(this.sfu.state()))
  }

  /** True if a client of that node notices nothing when its room moves. */
  understands(node: string): boolean {
    return this.#stateOf(node) !== undefined
  }

  /**
   * The next node that takes a room, in turn; undefined if there is none. A node with an SFU comes first, because any
   * room may need one.
   * @param needsSfu without an SFU, the room's members would lose their seats
   */
  next(needsSfu = false): string | undefined {
    const open = this.nodes.others().filter((node) => this.#isOpen(node) && !this.heartbeat.isSilent(node))
    const able = open.filter((node) => this.#stateOf(node) === 'sfu')
    const candidates = needsSfu || able.length > 0 ? able : open
    return candidates[this.#chosen++ % candidates.length]
  }

  #isOpen(node: string): boolean {
    return ['open', 'sfu'].includes(this.#stateOf(node) ?? '')
  }

  #stateOf(node: string): string | undefined {
    return this.#table.at(node).get(node)
  }
}
