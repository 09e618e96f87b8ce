import { RefusesToBoot } from '../core/errors.ts'
import type { Sql } from '../database/database.ts'
import { freeBytes } from './files.ts'

/** Space reserved for PostgreSQL: a backup that might need it is refused. */
const FREE_BYTES_MIN = 256 * 1024 * 1024

/**
 * Checks that a backup fits into the directory even if it does not compress, because a full disk would stop the
 * server.
 * @throws RefusesToBoot
 */
export async function demandSpace(sql: Sql, directory: string, hasObjects: boolean): Promise<void> {
  const [size] = await sql<{ rows: number; objects: number }[]>`select
    (select coalesce(sum(pg_table_size(oid)), 0)::bigint from pg_class
      where relkind = 'r' and relnamespace = current_schema()::regnamespace) as rows,
    (select coalesce(sum(size), 0)::bigint from files) as objects`
  const neededBytes = (size?.rows ?? 0) + (hasObjects ? (size?.objects ?? 0) : 0) + FREE_BYTES_MIN
  const freeSpace = freeBytes(directory)
  if (freeSpace < neededBytes)
    throw new RefusesToBoot(
      `A backup does not fit into ${directory}: it may need ${neededBytes} bytes, ${freeSpace} are free.`,
    )
}
