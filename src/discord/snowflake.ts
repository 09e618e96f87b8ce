/**
 * Discord's ids. A Parley id becomes a snowflake of two parts: the time at which the row was made in the upper 42 bits,
 * so that libraries date and sort by it, and the lowest bits of the id below. Both parts never change, so no table is
 * needed: the way back looks for the ids with these lowest bits, of which one was made at that time.
 */

/** 2015-01-01, from which Discord counts milliseconds. */
const DISCORD_EPOCH_MS = 1_420_070_400_000
/**
 * Earlier times, of imported rows, count as this one: thirty days later, so that a snowflake has at least the 17 digits
 * by which libraries know one.
 */
export const EARLIEST_MS = DISCORD_EPOCH_MS + 30 * 86_400_000
/** Ids that share a time differ in this many of their lowest bits. */
export const ID_BITS = 22
const ID_SPAN = 2 ** ID_BITS
const SNOWFLAKE = /^\d{15,19}$/
const SNOWFLAKE_MAX = 2n ** 63n

/** A snowflake, read. */
export interface Snowflake {
  /** When the row was made, ms since 1970; EARLIEST_MS also stands for all times before. */
  ms: number
  /** The lowest bits of the row's id. */
  low: number
}

/** The snowflake of a row. @param ms when it was made, ms since 1970 */
export const snowflake = (id: number, ms: number): string =>
  String((BigInt(Math.max(ms, EARLIEST_MS) - DISCORD_EPOCH_MS) << BigInt(ID_BITS)) | BigInt(id % ID_SPAN))

/** Reads a snowflake; undefined for any other text. */
export function readSnowflake(text: string): Snowflake | undefined {
  if (!SNOWFLAKE.test(text)) return undefined
  const value = BigInt(text)
  if (value >= SNOWFLAKE_MAX) return undefined
  return { ms: Number(value >> BigInt(ID_BITS)) + DISCORD_EPOCH_MS, low: Number(value % BigInt(ID_SPAN)) }
}

/** The shard of a server among `count`, as Discord assigns it. @param id a snowflake */
export const shardOf = (id: string, count: number): number => Number((BigInt(id) >> BigInt(ID_BITS)) % BigInt(count))
