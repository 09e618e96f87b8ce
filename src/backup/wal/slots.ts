import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Database, openDatabase, SUPERUSER } from '../../database/database.ts'

/** The name of a line's replication slot, which keeps the WAL that is not archived yet, begins with this. */
export const SLOTS = 'parley_archive_'

/** A superuser's connection, without a limit of its life. */
export const openSuperuser = (socket: string, name: string): Database =>
  openDatabase({ socket, database: 'postgres', role: SUPERUSER }, 1, name, undefined, undefined, 'unlimited')

/** Bytes of WAL that are kept for the archive. */
export async function pendingBytes(sql: Database): Promise<number> {
  const [row] = await sql<{ bytes: number | null }[]>`
    select max(pg_current_wal_insert_lsn() - restart_lsn)::bigint as bytes from pg_replication_slots
    where starts_with(slot_name, ${SLOTS})`
  return row?.bytes ?? 0
}

/** Lets PostgreSQL remove the WAL that was not archived. */
export async function dropSlots(sql: Database): Promise<void> {
  await sql`select pg_drop_replication_slot(slot_name) from pg_replication_slots
    where starts_with(slot_name, ${SLOTS}) and not active`
}

/**
 * Ends an archive that is no longer configured: its slot would keep WAL for ever.
 * @param cluster the data directory, which shows without a connection whether there are slots
 */
export async function endArchive(cluster: string, socket: string): Promise<void> {
  if ((await readdir(join(cluster, 'pg_replslot'))).length === 0) return
  const sql = openSuperuser(socket, 'parley-archive')
  await dropSlots(sql).finally(() => sql.end({ timeout: 1 }))
}
