import { Gauge } from '../../core/prometheus.ts'
import type { AutomaticBackups } from '../../backup/automatic.ts'
import type { WalArchive } from '../../backup/wal/wal-archive.ts'
import type { Sql } from '../../database/database.ts'
import type { Parts } from '../../parts.ts'
import type { LastBackup } from './last-backup.ts'
import type { Retention } from '../retention/retention.ts'

/** Facts about the installation's data, for the operator. */
export interface Installation {
  schema_version: number
  retention: Retention
  backup: LastBackup
  backups: AutomaticBackups
  /** The archive of WAL_ARCHIVE, if it is set. */
  archive: WalArchive | undefined
}

/** The number of the newest migration that the database has run. */
export async function schemaVersion(sql: Sql): Promise<number> {
  const [row] = await sql<{ version: number }[]>`select max(split_part(name, '_', 1)::int) as version from migrations`
  return row?.version ?? 0
}

/** Registers metrics of the installation, besides those of the process. */
export function registerInstallation(
  { metrics, objects, space }: Parts,
  { schema_version, retention, backup, archive }: Installation,
): void {
  const registers = [metrics.registry]
  const gauge = (name: string, help: string, read: () => number | Promise<number>) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        this.set(await read())
      },
    })
  gauge('parley_schema_version', 'Number of the newest migration of the database', () => schema_version)
  gauge('parley_backup_age_seconds', 'Age of the last completed backup; infinite when there is none', async () => {
    const last = await backup.read()
    return last ? (Date.now() - Date.parse(last.at)) / 1000 : Infinity
  })
  gauge('parley_backup_bytes', 'Size of the last completed backup; 0 when there is none', async () => {
    return (await backup.read())?.bytes ?? 0
  })
  gauge(
    'parley_backup_verified',
    '1 if the last check of a backup found it intact, 0 if not, -1 without one',
    async () => {
      const check = await backup.readCheck()
      return check ? Number(check.problem === null) : -1
    },
  )
  gauge('parley_backup_verified_age_seconds', 'Age of the last check of a backup; infinite without one', async () => {
    const check = await backup.readCheck()
    return check ? (Date.now() - Date.parse(check.at)) / 1000 : Infinity
  })
  gauge(
    'parley_archive_ok',
    '1 while the archive has all changes, 0 while it lacks some, -1 without WAL_ARCHIVE',
    () => (archive ? Number(archive.facts.state === 'ok') : -1),
  )
  if (archive) registerArchive(archive, gauge)
  gauge(
    'parley_retention_backlog_places',
    'Channels and conversations with messages that are older than they may be',
    () => retention.backlog.places,
  )
  gauge(
    'parley_retention_overdue_seconds',
    'How long ago the oldest message or file should have been deleted',
    () => retention.backlog.overdue_s,
  )
  new Gauge({
    name: 'parley_storage_full',
    help: '1 while a part refuses new content for want of space',
    labelNames: ['part'],
    registers,
    async collect() {
      this.set({ part: 'database' }, Number(await space.isFull()))
      this.set({ part: 'object_store' }, Number(await objects.isFull()))
    },
  })
}

type RegisterGauge = (name: string, help: string, read: () => number) => unknown

function registerArchive(archive: WalArchive, gauge: RegisterGauge): void {
  const ageOf = (time: string | null) => (time === null ? Infinity : (Date.now() - Date.parse(time)) / 1000)
  gauge('parley_archive_lag_seconds', 'Age of the newest moment that can be restored; infinite without one', () =>
    ageOf(archive.facts.until),
  )
  gauge('parley_archive_base_age_seconds', 'Age of the last full copy in the archive; infinite without one', () =>
    ageOf(archive.facts.base_at),
  )
  gauge(
    'parley_archive_pending_bytes',
    'Changes that wait for the archive in DATA_DIR',
    () => archive.facts.pending_bytes,
  )
  gauge(
    'parley_archive_gaps',
    'Gaps in the archive since the process began, because too many changes waited',
    () => archive.facts.gaps,
  )
}
