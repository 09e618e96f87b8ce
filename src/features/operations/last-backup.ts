import { type BackupRecord, lastBackup } from '../../backup/record.ts'
import type { Database } from '../../database/database.ts'

/** How long a reader waits for the database before it gets what was known last. */
const READ_MS_MAX = 500

/** Knows the last backup of the installation, without keeping anybody waiting for the database. */
export class LastBackup {
  private known: BackupRecord | undefined
  private reading: Promise<void> | undefined

  constructor(private readonly sql: Database) {}

  /** The last backup that was completed, whoever made it; undefined when there is none. */
  async read(): Promise<BackupRecord | undefined> {
    this.reading ??= lastBackup(this.sql)
      .then(
        (last) => void (this.known = last),
        () => {},
      )
      .finally(() => (this.reading = undefined))
    await Promise.race([this.reading, Bun.sleep(READ_MS_MAX)])
    return this.known
  }
}
