import type { Database } from '../database/database.ts'
import { TABLES } from './fact-queries.ts'
import type { Kind } from './lookup.ts'
import { EARLIEST_MS, ID_BITS, readSnowflake } from './snowflake.ts'

/** Ids to cache, about 100 bytes each. */
const IDS_MAX = 50_000

/** A snowflake, and the kind of row that it names. */
export interface Name {
  kind: Kind
  snowflake: string
}

/**
 * Finds the rows that snowflakes name. It tells nothing about access: what is done with the row asks the guards, as
 * with any id.
 */
export class Ids {
  readonly #cache = new Map<string, number>()

  constructor(private readonly sql: Database) {}

  /** @returns undefined if there is no such row */
  async find(kind: Kind, snowflake: string): Promise<number | undefined> {
    return (await this.findAll([{ kind, snowflake }]))(kind, snowflake)
  }

  /** The ids of several snowflakes, with a statement per kind. @returns a function that knows them */
  async findAll(names: Name[]): Promise<(kind: Kind, snowflake: string) => number | undefined> {
    const keyOf = ({ kind, snowflake }: Name) => `${kind} ${snowflake}`
    const ids = new Map<string, number | undefined>(names.map((name) => [keyOf(name), this.#cache.get(keyOf(name))]))
    const missing = names.filter((name) => ids.get(keyOf(name)) === undefined)
    await Promise.all(
      [...Map.groupBy(missing, ({ kind }) => kind)].map(async ([kind, ofKind]) => {
        const snowflakes = [...new Set(ofKind.map(({ snowflake }) => snowflake))]
        for (const [snowflake, id] of await this.#read(kind, snowflakes)) {
          ids.set(keyOf({ kind, snowflake }), id)
          this.#keep(keyOf({ kind, snowflake }), id)
        }
      }),
    )
    return (kind, snowflake) => ids.get(keyOf({ kind, snowflake }))
  }

  /**
   * The first id of rows made at the time of a snowflake or later. For snowflakes that a program makes up to name a
   * time, and for those of deleted rows. A binary search on the key: about thirty probes.
   * @param channelId of messages: their channel. Ids and times rise together only within one: imported messages are as
   * old as they were elsewhere, and have new ids
   * @returns the id after the last one if all rows are older
   */
  async firstSince(kind: Kind, snowflake: string, channelId?: number): Promise<number> {
    const { sql } = this
    const { ms, low } = readSnowflake(snowflake) ?? { ms: EARLIEST_MS, low: 0 }
    const table = sql(TABLES[kind])
    const isWithin = channelId === undefined ? sql`true` : sql`t.channel_id = ${channelId}`
    const at = new Date(ms).toISOString()
    const isOlder = sql`(probe.created_at < ${at}::timestamptz
      or (probe.created_at = ${at}::timestamptz and probe.id & ${2 ** ID_BITS - 1} < ${low}))`
    const [found] = await sql<{ id: number }[]>`
      with recursive span (older, id) as (
        select 0::bigint, coalesce((select max(t.id) from ${table} t where ${isWithin}), 0) + 1
        union all
        select case when ${isOlder} then probe.id else span.older end,
          case when ${isOlder} then span.id else (span.older + span.id) / 2 end
        from span left join lateral (
          select t.id, t.created_at from ${table} t
          where ${isWithin} and t.id >= (span.older + span.id) / 2 and t.id < span.id and t.id > span.older
          order by t.id limit 1
        ) probe on true
        where span.id - span.older > 1)
      select id from span order by id - older limit 1`
    return found?.id ?? 1
  }

  #keep(key: string, id: number): void {
    this.#cache.set(key, id)
    if (this.#cache.size > IDS_MAX) this.#cache.delete(this.#cache.keys().next().value ?? key)
  }

  /** Probes the ids with the lowest bits of each snowflake for one that was made at its time. */
  async #read(kind: Kind, snowflakes: string[]): Promise<[snowflake: string, id: number][]> {
    const readable = snowflakes.flatMap((snowflake) => {
      const parts = readSnowflake(snowflake)
      return parts ? [{ snowflake, ...parts }] : []
    })
    if (readable.length === 0) return []
    const { sql } = this
    const table = sql(TABLES[kind])
    const times = readable.map(({ ms }) => new Date(ms).toISOString())
    // Rows made before Discord's first days share the earliest time.
    const rows = await sql<{ snowflake: string; id: number }[]>`
      select named.snowflake, t.id
      from unnest(${readable.map((row) => row.snowflake)}::text[], ${readable.map(({ low }) => low)}::bigint[],
        ${times}::timestamptz[]) as named (snowflake, low, made_at)
      cross join generate_series(0, (select coalesce(max(id), 0) >> ${ID_BITS} from ${table})) as high
      cross join lateral (
        select id, created_at from ${table} where id = named.low + (high << ${ID_BITS}) offset 0) t
      where t.created_at = named.made_at
        or (named.made_at = ${new Date(EARLIEST_MS).toISOString()} and t.created_at < named.made_at)`
    const found = rows.map(({ snowflake, id }): [string, number] => [snowflake, id])
    return kind === 'role' ? [...found, ...(await this.#everyoneRoles(snowflakes))] : found
  }

  /** The role `everyone` has the id of its server. */
  async #everyoneRoles(snowflakes: string[]): Promise<[snowflake: string, id: number][]> {
    const serverIds = new Map((await this.#read('server', snowflakes)).map(([snowflake, id]) => [id, snowflake]))
    if (serverIds.size === 0) return []
    const rows = await this.sql<{ id: number; server_id: number }[]>`
      select id, server_id from roles where server_id = any(${[...serverIds.keys()]}) and is_everyone`
    return rows.map(({ id, server_id }) => [serverIds.get(server_id) ?? '', id])
  }
}
