import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Transaction } from '../../database/database.ts'
import { found } from '../../core/errors.ts'
import { channelColumns, type ChannelRow } from './rows.ts'

/** Moving one of a list causes up to 500 events: stricter than the general limit. */
export const SHIFTS: BucketPolicy = { name: 'shifts', burst: 30, refill_per_s: 0.2 }

/**
 * Locks a server's list of channels: positions are dense, so only one request at a time may change them.
 * @returns the channels' ids, ordered by position
 * @throws Problem `not_found`
 */
export async function lockChannels(sql: Transaction, server_id: number): Promise<number[]> {
  const [server] = await sql`select 1 from servers where id = ${server_id} for no key update`
  found(server)
  const rows = await sql<{ id: number }[]>`select id from channels where server_id = ${server_id} order by position`
  return rows.map((row) => row.id)
}

/**
 * Numbers the channels of a locked list in the given order.
 * @returns those whose position changed
 */
export const renumber = (sql: Transaction, order: number[]) => sql<ChannelRow[]>`
  update channels c set position = place - 1, updated_at = now()
  from unnest(${order}::bigint[]) with ordinality as wanted (id, place)
  where c.id = wanted.id and c.position <> place - 1 returning ${channelColumns(sql)}`

/** The order with one id moved; a position out of range is clamped. */
export function moved(order: number[], id: number, position: number): number[] {
  const others = order.filter((other) => other !== id)
  return others.toSpliced(Math.max(0, position), 0, id)
}
