import { Gauge } from '../../core/prometheus.ts'
import type { AutomaticBackups } from '../../backup/automatic.ts'
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
}

/** The number of the newest migration that the database has run. */
export async function schemaVersion(sql: Sql): Promise<number> {
  const [row] = await sql<{ version: number }[]>`select max(split_part(name, '_', 1)::int) as version from migrations`
  return row?.version ?? 0
}

/** Registers metrics of the installation, besides those of the process. */
export function registerInstallation(
  { metrics, objects, space }: Parts,
  { schema_version, retention, backup }: Installation,
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
