import { randomBytes } from 'node:crypto'

/** The processes that serve one database together: who is there, what each holds, and what one says to another. */
export interface Nodes {
  /** This process, for as long as it runs. */
  readonly id: string
  /** The living ones, without this one. */
  others(): string[]
  /** A table of which every node writes its own rows and reads those of all. */
  table(name: string): Table
  /** Says something to one node. What is said to a node arrives in that order, or, when it or Redis is away, not. */
  send(node: string, kind: string, body: unknown): void
  onMessage(kind: string, listener: (from: string, body: unknown) => void): void
  /** Hears of each node that has ended or died: its rows are gone by then. */
  onGone(listener: (node: string) => void): void
  stop(): void
}

/** Rows by key and node; a dead node's are forgotten. */
export interface Table {
  /** Sets this node's row of the key; undefined removes it. */
  put(key: string, row: string | undefined): void
  /** The rows of the key, node → row. */
  at(key: string): ReadonlyMap<string, string>
  /** Hears the key of every row that has changed: of this node's at once, of others' soon after. */
  onChange(listener: (key: string) => void): void
}

/** The name of a process that others tell apart from every other. */
const newNodeId = (): string => randomBytes(8).toString('hex')

const NONE: ReadonlyMap<string, string> = new Map()

/** A single process: its own rows, and nobody to speak to. */
export function memoryNodes(): Nodes {
  const id = newNodeId()
  const tables = new Map<string, Table>()
  const openTable = (): Table => {
    const rows = new Map<string, ReadonlyMap<string, string>>()
    const listeners: ((key: string) => void)[] = []
    return {
      put(key, row) {
        if (row === rows.get(key)?.get(id)) return
        if (row === undefined) rows.delete(key)
        else rows.set(key, new Map([[id, row]]))
        for (const listener of listeners) listener(key)
      },
      at: (key) => rows.get(key) ?? NONE,
      onChange: (listener) => void listeners.push(listener),
    }
  }
  return {
    id,
    others: () => [],
    table(name) {
      const table = tables.get(name) ?? openTable()
      tables.set(name, table)
      return table
    },
    send: () => {},
    onMessage: () => {},
    onGone: () => {},
    stop: () => {},
  }
}
