import { type BackupRecord, lastBackup } from '../../backup/record.ts'
import type { Database } from '../../database/database.ts'

/** If the database does not answer within this time, return the last result. */
const READ_MS_MAX = 500

/** Caches the newest backup of the installation, so that a slow database delays nobody. */
export class LastBackup {
  private cached: BackupRecord | undefined
  private reading: Promise<void> | undefined

  constructor(private readonly sql: Database) {}

  /** The newest complete backup, whoever made it; undefined when there is none. */
  async read(): Promise<BackupRecord | undefined> {
    this.reading ??= lastBackup(this.sql)
      .then(
        (last) => void (this.cached = last),
        () => {},
      )
      .finally(() => (this.reading = undefined))
    await Promise.race([this.reading, Bun.sleep(READ_MS_MAX)])
    return this.cached
  }
}
