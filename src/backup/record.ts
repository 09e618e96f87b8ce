import type { Sql } from '../database/database.ts'
import type { Kind } from './files.ts'

/** Records to keep; older ones are removed. */
const RECORDS_MAX = 1_000

/** A completed backup. */
export interface BackupRecord {
  /** Time of the data in it. */
  at: string
  finished_at: string
  kind: Kind
  /** File name; null if it went to standard output. */
  file: string | null
  bytes: number
  is_encrypted: boolean
}

/** Records a completed backup. Data of version 0.14.0 has no table for it. */
export async function recordBackup(sql: Sql, backup: Omit<BackupRecord, 'finished_at'>): Promise<void> {
  const [table] = await sql<{ there: boolean }[]>`select to_regclass('backups') is not null as there`
  if (!table?.there) return
  await sql`insert into backups ${sql({ ...backup })}`
  await sql`delete from backups where id <= (select max(id) from backups) - ${RECORDS_MAX}`
}

/** A check of a backup by VERIFY_EVERY. */
export interface BackupCheck {
  at: string
  /** File name. */
  file: string
  /** Why it is not intact; null if it is. */
  problem: string | null
}

/** Records a check. */
export async function recordCheck(sql: Sql, check: Omit<BackupCheck, 'at'>): Promise<void> {
  await sql`insert into backup_checks ${sql({ ...check })}`
  await sql`delete from backup_checks where id <= (select max(id) from backup_checks) - ${RECORDS_MAX}`
}

/** The last check by any node; undefined if there is none. */
export async function lastCheck(sql: Sql): Promise<BackupCheck | undefined> {
  const [last] = await sql<BackupCheck[]>`
    select at, file, problem from backup_checks order by at desc, id desc limit 1`
  return last
}

/** The newest backups completed by any node or command. */
export const lastBackups = (sql: Sql, limit: number) => sql<BackupRecord[]>`
  select at, finished_at, kind, file, bytes, is_encrypted from backups order by at desc, id desc limit ${limit}`

/** The last backup completed by any node or command; undefined if there is none. */
export async function lastBackup(sql: Sql): Promise<BackupRecord | undefined> {
  const [last] = await lastBackups(sql, 1)
  return last
}
