import type { Sql, Transaction } from '../../database/database.ts'
import type { Environment } from '../../environment.ts'
import { Problem } from '../../core/errors.ts'

/** Most bytes of an uploaded file that counts for a server, such as a picture of an event. */
const FILE_BYTES_MAX = 8 * 1024 * 1024

/**
 * The quota of a server, SERVER_ASSETS_BYTES_MAX: its emoji, stickers, sounds, and pictures of roles and events.
 *
 * server_assets has one row per server with their sum, and a constraint on that row enforces the limit. Code that adds
 * an asset charges its bytes in the same transaction, after its other locks and before the commit. Triggers release
 * bytes: tables with the columns server_id and size have `asset_gone` after delete, and files that accounts uploaded
 * are listed in server_files, whose rows are deleted with the file.
 */
export type AssetLimit = Pick<Environment, 'SERVER_ASSETS_BYTES_MAX'>

/**
 * Counts bytes for a server. A negative number releases some, for a row that stays and becomes smaller.
 * @param canEvict true if deleted emoji and stickers may give way, which old messages show: for who manages them
 * @throws Problem `too_many_bytes`, by a constraint
 */
export async function chargeAssets(
  sql: Transaction,
  serverId: number,
  bytes: number,
  { SERVER_ASSETS_BYTES_MAX }: AssetLimit,
  canEvict = true,
): Promise<void> {
  await sql`select charge_assets(${serverId}, ${bytes}, ${SERVER_ASSETS_BYTES_MAX}, ${canEvict})`
}

/**
 * Counts a locked file for a server that shows it, once however often it does.
 * @throws Problem `not_found`, `too_many_bytes`
 */
export async function chargeFile(sql: Transaction, serverId: number, fileId: number, limit: AssetLimit): Promise<void> {
  const rows = await sql<{ size: number }[]>`insert into server_files (file_id, server_id, size)
    select id, ${serverId}, size from files where id = ${fileId} on conflict do nothing returning size`
  const { size = 0 } = rows[0] ?? {}
  if (size > FILE_BYTES_MAX)
    throw new Problem('too_many_bytes', `A picture that a server shows has at most ${FILE_BYTES_MAX} bytes`)
  if (size > 0) await chargeAssets(sql, serverId, size, limit, false)
}

/** Counts a file no longer for a server. Call it when no picture of the server is that file any more. */
export const releaseFile = (sql: Transaction, serverId: number, fileId: number) =>
  sql`delete from server_files where file_id = ${fileId} and server_id = ${serverId}`

/** The bytes that a server's assets take. */
export async function assetBytes(sql: Sql, serverId: number): Promise<number> {
  const [row] = await sql<{ bytes: number }[]>`select bytes from server_assets where server_id = ${serverId}`
  return row?.bytes ?? 0
}
