import type { Database } from '../../database/database.ts'

/** How long a reader waits for the database before it gets what was known last. */
const READ_MS_MAX = 500

/** A backup that was completed. */
interface CompletedBackup {
  /** The moment that it holds. */
  at: string
  bytes: number
}

/** Knows the last backup of the installation, without keeping anybody waiting for the database. */
export class LastBackup {
  private known: CompletedBackup | undefined
  private reading: Promise<void> | undefined

  constructor(private readonly sql: Database) {}

  /** The last backup that was completed, whoever made it; undefined when there is none. */
  async read(): Promise<CompletedBackup | undefined> {
    this.reading ??= this.load()
      .catch(() => {})
      .finally(() => (this.reading = undefined))
    await Promise.race([this.reading, Bun.sleep(READ_MS_MAX)])
    return this.known
  }

  private async load(): Promise<void> {
    // Data that a migration has not reached have no table of backups.
    const [table] = await this.sql<{ there: boolean }[]>`select to_regclass('backups') is not null as there`
    if (!table?.there) return
    const [last] = await this.sql<CompletedBackup[]>`select at, bytes from backups order by at desc, id desc limit 1`
    this.known = last
  }
}
