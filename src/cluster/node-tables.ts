import type { Table } from './nodes.ts'

/** What one row is: the table, the key, and what a node says of it; null removes it. */
export type Row = [table: string, key: string, row: string | null]

export const TABLE_CHARS_MAX = 64
export const KEY_CHARS_MAX = 200
export const ROW_CHARS_MAX = 4_000
/** Of one node in all its tables; what it has beyond that is not seen by others. */
export const ROWS_PER_NODE_MAX = 500_000

const NONE: ReadonlyMap<string, string> = new Map()

type Listener = (key: string, died: boolean) => void

/** The rows of every node as far as this one knows them. A row costs one entry of a map. */
export function openTables(own: string) {
  const nodes = new Map<string, Map<string, Map<string, string>>>()
  const listeners = new Map<string, Listener[]>()
  const tell = (table: string, key: string, died = false) => {
    for (const listener of listeners.get(table) ?? []) listener(key, died)
  }

  /** @returns whether that changed anything */
  function set(node: string, [table, key, row]: Row): boolean {
    const tables = nodes.get(node) ?? new Map<string, Map<string, string>>()
    const rows = tables.get(table) ?? new Map<string, string>()
    if ((rows.get(key) ?? null) === row) return false
    if (row === null) rows.delete(key)
    else rows.set(key, row)
    nodes.set(node, tables)
    tables.set(table, rows)
    tell(table, key)
    return true
  }

  const of = (node: string): Row[] =>
    [...(nodes.get(node) ?? [])].flatMap(([table, rows]) => Array.from(rows, ([key, row]): Row => [table, key, row]))

  return {
    set,
    /** All rows of a node. */
    of,
    /** What a node has said takes the place of what was known of it. */
    replace(node: string, rows: Row[]) {
      const kept = new Map<string, Set<string>>()
      for (const [table, key] of rows) kept.set(table, (kept.get(table) ?? new Set()).add(key))
      for (const [table, key] of of(node)) if (!kept.get(table)?.has(key)) set(node, [table, key, null])
      for (const row of rows) set(node, row)
    },
    /** @param died whether it is gone without a word */
    forget(node: string, died: boolean) {
      const rows = of(node)
      nodes.delete(node)
      for (const [table, key] of rows) tell(table, key, died)
    },
    /** @param onPut called with each row of this node that has changed */
    table: (name: string, onPut: (row: Row) => void): Table => ({
      put(key, row) {
        const change: Row = [name, key, row ?? null]
        if (key.length > KEY_CHARS_MAX || (row ?? '').length > ROW_CHARS_MAX) throw new RangeError(`A row of ${name}`)
        if (set(own, change)) onPut(change)
      },
      at(key) {
        const found = new Map<string, string>()
        for (const [node, tables] of nodes) {
          const row = tables.get(name)?.get(key)
          if (row !== undefined) found.set(node, row)
        }
        return found.size > 0 ? found : NONE
      },
      onChange: (listener) => void listeners.set(name, [...(listeners.get(name) ?? []), listener]),
    }),
  }
}

export type Tables = ReturnType<typeof openTables>
