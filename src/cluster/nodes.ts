import { randomBytes } from 'node:crypto'
import { NodeTables, type Table } from './node-tables.ts'

/** The processes that serve one database together: which are alive, what each shares, and messages between them. */
export interface Nodes {
  /** This process, for as long as it runs. */
  readonly id: string
  /** The other nodes that are alive. */
  others(): string[]
  table(name: string): Table
  /** Sends a message to another node. Messages to one node arrive in order; while it or Redis is away, not at all. */
  send(node: string, kind: string, body: unknown): void
  /** Calls back when a message of this node to itself has come back, which shows that messages get through. */
  echo(received: () => void): void
  onMessage(kind: string, listener: (from: string, body: unknown) => void): void
  /** Calls back for each node that has ended, or died (was silent for ten seconds), after its rows are removed. */
  onGone(listener: (node: string, died: boolean) => void): void
  stop(): void
}

/** An id for this process that no other process has: 16 hexadecimal digits. */
export const newNodeId = (): string => randomBytes(8).toString('hex')

/** A single process, without other nodes. */
export function memoryNodes(): Nodes {
  const id = newNodeId()
  const tables = new NodeTables(id)
  return {
    id,
    others: () => [],
    table: (name) => tables.table(name, () => {}),
    send: () => {},
    echo: (received) => received(),
    onMessage: () => {},
    onGone: () => {},
    stop: () => {},
  }
}
