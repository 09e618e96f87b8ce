import type { Database } from '../database/database.ts'
import type { Kind } from './lookup.ts'
import { TABLES } from './fact-queries.ts'
import { EARLIEST_MS, ID_BITS, readSnowflake } from './snowflake.ts'

/** Ids to cache, about 100 bytes each. */
const IDS_MAX = 50_000

/**
 * Finds the rows that snowflakes name. It tells nothing about access: what is done with the row asks the guards, as
 * with any id.
 */
export class Ids {
  readonly #cache = new Map<string, number>()

  constructor(private readonly sql: Database) {}

  /** @returns undefined if there is no such row */
  async find(kind: Kind, text: string): Promise<number | undefined> {
    const key = `${kind} ${text}`
    const cachedId = this.#cache.get(key)
    if (cachedId !== undefined) return cachedId
    const id = await this.#read(kind, text)
    if (id === undefined) return undefined
    this.#cache.set(key, id)
    if (this.#cache.size > IDS_MAX) this.#cache.delete(this.#cache.keys().next().value ?? key)
    return id
  }

  /** The ids of several snowflakes, by kind and snowflake. */
  async findAll(names: { kind: Kind; snowflake: string }[]) {
    const ids = new Map<string, number | undefined>()
    await Promise.all(
      names.map(async ({ kind, snowflake }) => {
        ids.set(`${kind} ${snowflake}`, await this.find(kind, snowflake))
      }),
    )
    return (kind: Kind, snowflake: string) => ids.get(`${kind} ${snowflake}`)
  }

  async #read(kind: Kind, text: string): Promise<number | undefined> {
    const parts = readSnowflake(text)
    if (!parts) return undefined
    const { ms, low } = parts
    const { sql } = this
    const table = sql(TABLES[kind])
    const time = new Date(ms).toISOString()
    // Rows made before Discord's first day share the earliest time.
    const isThen = ms === EARLIEST_MS ? sql`t.created_at <= ${time}` : sql`t.created_at = ${time}`
    const [row] = await sql<{ id: number }[]>`
      select t.id from generate_series(0, (select coalesce(max(id), 0) >> ${ID_BITS} from ${table})) as high
      cross join lateral (select id, created_at from ${table} where id = ${low} + (high << ${ID_BITS})) t
      where ${isThen} limit 1`
    if (row || kind !== 'role') return row?.id
    // The role `everyone` has the id of its server.
    const serverId = await this.find('server', text)
    if (serverId === undefined) return undefined
    const [everyone] = await sql<{ id: number }[]>`
      select id from roles where server_id = ${serverId} and is_everyone`
    return everyone?.id
  }
}
