import { randomBytes } from 'node:crypto'
import { openTables } from './node-tables.ts'

/** The processes that serve one database together: who is there, what each holds, and what one says to another. */
export interface Nodes {
  /** This process, for as long as it runs. */
  readonly id: string
  /** The living ones, without this one. */
  others(): string[]
  /** A table of which every node writes its own rows and reads those of all. */
  table(name: string): Table
  /** Says something to another node. What is said to one arrives in that order, or, when it or Redis is away, not. */
  send(node: string, kind: string, body: unknown): void
  /** Calls back when a word to itself has come back by the way that everything takes which is said: it is open then. */
  echo(heard: () => void): void
  onMessage(kind: string, listener: (from: string, body: unknown) => void): void
  /** Hears of each node that has ended, or died (it was silent for ten seconds): its rows are gone by then. */
  onGone(listener: (node: string, died: boolean) => void): void
  stop(): void
}

/** Rows by key and node; a dead node's are forgotten. */
export interface Table {
  /**
   * Sets this node's row of the key; undefined removes it.
   * @throws RangeError when the key or the row is too long
   */
  put(key: string, row: string | undefined): void
  /** The rows of the key at this moment, node → row. */
  at(key: string): ReadonlyMap<string, string>
  /**
   * Hears the key of every row that has changed: of this node's at once, of others' soon after; and with `died` of
   * every row that is gone because its node has died.
   */
  onChange(listener: (key: string, died: boolean) => void): void
}

/** The name of a process that others tell apart from every other: 16 hexadecimal digits. */
export const newNodeId = (): string => randomBytes(8).toString('hex')

/** A single process: its own rows, and nobody to speak to. */
export function memoryNodes(): Nodes {
  const id = newNodeId()
  const tables = openTables(id)
  return {
    id,
    others: () => [],
    table: (name) => tables.table(name, () => {}),
    send: () => {},
    echo: (heard) => heard(),
    onMessage: () => {},
    onGone: () => {},
    stop: () => {},
  }
}
