import { randomBytes } from 'node:crypto'
import { NodeTables, type Table } from './node-tables.ts'

/** The processes that serve one database: their liveness, shared tables, and messages between them. */
export interface Nodes {
  /** Id of this process; a restart gets a new one. */
  readonly id: string
  /** The other live nodes. */
  others(): string[]
  table(name: string): Table
  /**
   * Sends a message to another node. Messages to one node arrive in order; they are lost while that node or Redis is
   * away.
   */
  send(node: string, kind: string, body: unknown): void
  /** Calls back when a message of this node to itself has returned, which proves that messages get through. */
  echo(onReturn: () => void): void
  onMessage(kind: string, listener: (from: string, body: unknown) => void): void
  /** Calls back for each node that ended or died (was silent for ten seconds), after its rows were removed. */
  onGone(listener: (node: string, hasDied: boolean) => void): void
  stop(): void
}

/** A unique id for this process: 16 hexadecimal digits. */
export const newNodeId = (): string => randomBytes(8).toString('hex')

/** A single process without other nodes. */
export function memoryNodes(): Nodes {
  const id = newNodeId()
  const tables = new NodeTables(id)
  return {
    id,
    others: () => [],
    table: (name) => tables.table(name, () => {}),
    send: () => {},
    echo: (onReturn) => onReturn(),
    onMessage: () => {},
    onGone: () => {},
    stop: () => {},
  }
}
