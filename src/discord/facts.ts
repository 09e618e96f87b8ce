import type { Database } from '../database/database.ts'
import { loadFacts, loadIds } from './fact-queries.ts'
import { IdCache } from './id-cache.ts'
import { goneId, keyOf, type Kind, type Loaded, Lookup } from './lookup.ts'
import { snowflake } from './snowflake.ts'

/** Rounds of loading, because a loaded fact can need another one. */
const ROUNDS_MAX = 6

const NONE: ReadonlyMap<string, string> = new Map()

/** Runs translations with the facts that they need. */
export class Facts {
  readonly #ids = new IdCache()

  constructor(private readonly sql: Database) {}

  /** @param translate a pure function; it runs until it misses nothing */
  async resolve<T>(translate: (lookup: Lookup) => T): Promise<T> {
    const loaded: Loaded = {}
    // Not cached: a row that is missing now may be committed before the next translation.
    let goneIds: Map<string, string> | undefined
    for (let round = 1; ; round++) {
      const lookup = new Lookup(this.#ids, goneIds ?? NONE, loaded)
      const result = translate(lookup)
      if (lookup.isComplete || round === ROUNDS_MAX) return result
      goneIds ??= new Map()
      await this.#loadIds(lookup.missingIds, goneIds)
      await loadFacts(this.sql, lookup.missing, loaded)
    }
  }

  /** Notes when a row was made, which saves loading its id. Not for the role `everyone`. */
  know(kind: Kind, id: number, createdAt: string): void {
    this.#ids.keep(kind, id, snowflake(id, Date.parse(createdAt)))
  }

  /** @param goneIds gets placeholders for the rows that do not exist */
  async #loadIds(missing: Lookup['missingIds'], goneIds: Map<string, string>): Promise<void> {
    await Promise.all(
      [...missing].map(async ([kind, ids]) => {
        const rows = await loadIds(this.sql, kind, [...ids])
        for (const { id, discordId, server_id } of rows) {
          this.#ids.keep(kind, id, discordId)
          if (kind === 'channel') this.#ids.keepServer(id, server_id)
        }
        const found = new Set(rows.map(({ id }) => id))
        for (const id of ids) if (!found.has(id)) goneIds.set(keyOf(kind, id), goneId(id))
      }),
    )
  }
}
