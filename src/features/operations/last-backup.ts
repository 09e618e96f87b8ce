import { type BackupCheck, type BackupRecord, lastBackup, lastCheck } from '../../backup/record.ts'
import type { Database } from '../../database/database.ts'

/** If the database does not answer within this time, return the last result. */
const READ_MS_MAX = 500

/** Caches the result of a query, so that a slow database delays nobody. */
class CachedRead<T> {
  private cached: T | undefined
  private reading: Promise<void> | undefined

  constructor(private readonly query: () => Promise<T | undefined>) {}

  async read(): Promise<T | undefined> {
    this.reading ??= this.query()
      .then(
        (result) => void (this.cached = result),
        () => {},
      )
      .finally(() => (this.reading = undefined))
    await Promise.race([this.reading, Bun.sleep(READ_MS_MAX)])
    return this.cached
  }
}

/** The newest backup of the installation, and the newest check of one. */
export class LastBackup {
  private readonly backup: CachedRead<BackupRecord>
  private readonly check: CachedRead<BackupCheck>

  constructor(sql: Database) {
    this.backup = new CachedRead(() => lastBackup(sql))
    this.check = new CachedRead(() => lastCheck(sql))
  }

  /** The newest complete backup, whoever made it; undefined when there is none. */
  read(): Promise<BackupRecord | undefined> {
    return this.backup.read()
  }

  /** The newest check of a backup, by any node; undefined when there is none. */
  readCheck(): Promise<BackupCheck | undefined> {
    return this.check.read()
  }
}
