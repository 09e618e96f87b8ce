/** Table, key and text of a row; null removes the row. */
export type Row = [table: string, key: string, row: string | null]

export const TABLE_CHARS_MAX = 64
export const KEY_CHARS_MAX = 200
export const ROW_CHARS_MAX = 4_000
/** Rows per node in all its tables; other nodes do not see further rows. */
export const ROWS_PER_NODE_MAX = 500_000

/** A table in which every node writes its own rows and reads those of all nodes. A dead node's rows are removed. */
export interface Table {
  /**
   * Sets this node's row for the key; undefined removes it.
   * @throws RangeError if the key or the row is too long
   */
  put(key: string, row: string | undefined): void
  /** The current rows of the key, node → row. */
  at(key: string): ReadonlyMap<string, string>
  /**
   * Calls back with the keys that already have rows, then with the key of every row that changes: at once for this
   * node's rows, soon after for others. Other nodes' rows may arrive before this table is opened.
   * @param listener `died` is true if the row was removed because its node died
   */
  onChange(listener: (key: string, hasDied: boolean) => void): void
}

type Listener = (key: string, hasDied: boolean) => void

const NONE: ReadonlyMap<string, string> = new Map()

/** Keys in memory: an account's key becomes a number, which needs no string. */
const keyInMemory = (key: string): string | number => (String(Number(key)) === key ? Number(key) : key)

/** The rows of all nodes, as known to this node. A row costs one entry of a map. */
export class NodeTables {
  /** node → table → key → row */
  readonly #nodes = new Map<string, Map<string, Map<string | number, string>>>()
  readonly #listeners = new Map<string, Listener[]>()

  /** @param ownId id of this node */
  constructor(private readonly ownId: string) {}

  /** @returns true if the row has changed */
  set(node: string, [table, key, row]: Row): boolean {
    const tables = this.#nodes.get(node) ?? new Map<string, Map<string | number, string>>()
    const rows = tables.get(table) ?? new Map<string | number, string>()
    const memoryKey = keyInMemory(key)
    if ((rows.get(memoryKey) ?? null) === row) return false
    if (row === null) rows.delete(memoryKey)
    else rows.set(memoryKey, row)
    this.#nodes.set(node, tables)
    tables.set(table, rows)
    this.#emit(table, key)
    return true
  }

  rowsOf(node: string): Row[] {
    const tables = [...(this.#nodes.get(node) ?? [])]
    return tables.flatMap(([table, rows]) => Array.from(rows, ([key, row]): Row => [table, String(key), row]))
  }

  /** Replaces all rows of a node. */
  replace(node: string, rows: Row[]): void {
    const keysOf = new Map<string, Set<string>>()
    for (const [table, key] of rows) keysOf.set(table, (keysOf.get(table) ?? new Set()).add(key))
    for (const [table, key] of this.rowsOf(node)) if (!keysOf.get(table)?.has(key)) this.set(node, [table, key, null])
    for (const row of rows) this.set(node, row)
  }

  /** Removes all rows of a node. */
  forget(node: string, hasDied: boolean): void {
    const rows = this.rowsOf(node)
    this.#nodes.delete(node)
    for (const [table, key] of rows) this.#emit(table, key, hasDied)
  }

  /** @param onPut called with each row of this node that has changed */
  table(name: string, onPut: (row: Row) => void): Table {
    return {
      put: (key, text) => {
        const row: Row = [name, key, text ?? null]
        if (key.length > KEY_CHARS_MAX || (text ?? '').length > ROW_CHARS_MAX) throw new RangeError(`A row of ${name}`)
        if (this.set(this.ownId, row)) onPut(row)
      },
      at: (key) => this.#at(name, key),
      onChange: (listener) => {
        this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), listener])
        const keys = [...this.#nodes.values()].flatMap((tables) => [...(tables.get(name)?.keys() ?? [])])
        for (const memoryKey of new Set(keys)) listener(String(memoryKey), false)
      },
    }
  }

  #at(name: string, key: string): ReadonlyMap<string, string> {
    const [rowByNode, memoryKey] = [new Map<string, string>(), keyInMemory(key)]
    for (const [node, tables] of this.#nodes) {
      const row = tables.get(name)?.get(memoryKey)
      if (row !== undefined) rowByNode.set(node, row)
    }
    return rowByNode.size > 0 ? rowByNode : NONE
  }

  #emit(table: string, key: string, hasDied = false): void {
    for (const listener of this.#listeners.get(table) ?? []) listener(key, hasDied)
  }
}
