import type { Sql } from '../database/database.ts'
import type { Kind } from './files.ts'

/** Older records are removed. */
const RECORDS_MAX = 1_000

/** A backup that was completed. */
export interface BackupRecord {
  /** The moment that it holds. */
  at: string
  finished_at: string
  kind: Kind
  /** The name of its file; null when it went to the standard output. */
  file: string | null
  bytes: number
  is_encrypted: boolean
}

/** Remembers a completed backup; data of version 0.14.0 have no table for it. */
export async function recordBackup(sql: Sql, backup: Omit<BackupRecord, 'finished_at'>): Promise<void> {
  const [table] = await sql<{ there: boolean }[]>`select to_regclass('backups') is not null as there`
  if (!table?.there) return
  await sql`insert into backups ${sql({ ...backup })}`
  await sql`delete from backups where id <= (select max(id) from backups) - ${RECORDS_MAX}`
}

/** The newest backups that any node or command has completed. */
export const lastBackups = (sql: Sql, limit: number) => sql<BackupRecord[]>`
  select at, finished_at, kind, file, bytes, is_encrypted from backups order by at desc, id desc limit ${limit}`

/** The last backup that any node or command has completed; undefined when there is none. */
export async function lastBackup(sql: Sql): Promise<BackupRecord | undefined> {
  const [last] = await lastBackups(sql, 1)
  return last
}
