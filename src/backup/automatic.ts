import { join } from 'node:path'
import { RefusesToBoot } from '../core/errors.ts'
import { errorFields, type Log } from '../core/log.ts'
import { periodMs } from '../core/periods.ts'
import { type DatabaseAddress, openLongConnection, type Sql } from '../database/database.ts'
import { tryLockJob } from '../database/job-lock.ts'
import type { Environment } from '../environment.ts'
import { backupDirectory, backupName, removeOld, removePartial } from './files.ts'
import { makeBackup } from './make-backup.ts'
import { passphraseOf } from './passphrase.ts'
import { demandSpace } from './space.ts'
import { sourceOf } from './source.ts'

const CHECK_MS = 60_000
/** Delay before the next backup after a failure. */
const RETRY_MS = 3_600_000
/** Reason for a failed backup. */
export interface BackupFailure {
  at: string
  reason: string
}

/** Makes a backup every BACKUP_EVERY or on request, on one node, and removes the oldest beyond BACKUP_KEEP. */
export class AutomaticBackups {
  private readonly timer: Timer | undefined
  private readonly stopController = new AbortController()
  private readonly periodMs: number
  private retryAt = 0
  private running: Promise<void> | undefined
  private lastFailure: BackupFailure | undefined

  constructor(
    private readonly environment: Environment,
    private readonly address: DatabaseAddress,
    private readonly log: Log,
  ) {
    this.periodMs = periodMs(environment.BACKUP_EVERY)
    if (this.periodMs < Infinity) this.timer = setInterval(() => void this.run(), CHECK_MS)
  }

  /** Makes a backup if one is due; a concurrent caller waits for the running one. */
  run(): Promise<void> {
    return (this.running ??= this.attempt(false))
  }

  /**
   * Makes a backup now, which BACKUP_KEEP counts too; resolves when it is done or has failed.
   * @returns undefined if this node is already making one
   */
  runNow(): Promise<void> | undefined {
    if (this.running) return undefined
    return (this.running = this.attempt(true))
  }

  /** Why the last backup on this node failed; undefined if it did not. */
  get failure(): BackupFailure | undefined {
    return this.lastFailure
  }

  /** Cancels a running backup and removes its file. */
  async stop(): Promise<void> {
    clearInterval(this.timer)
    this.stopController.abort()
    await this.running
  }

  private attempt(isRequested: boolean): Promise<void> {
    return this.runOnce(isRequested)
      .catch((error: unknown) => {
        if (this.stopController.signal.aborted) return
        this.retryAt = Date.now() + RETRY_MS
        // Other errors may contain addresses and credentials.
        const reason = error instanceof RefusesToBoot ? error.message : 'The log of the server says why.'
        this.lastFailure = { at: new Date().toISOString(), reason }
        this.log('error', 'backup.failed', errorFields(error))
      })
      .finally(() => (this.running = undefined))
  }

  private async runOnce(isRequested: boolean): Promise<void> {
    if (!isRequested && (this.periodMs === Infinity || Date.now() < this.retryAt)) return
    const sql = openLongConnection(this.address, 'parley-backup-lock')
    const connection = await sql.reserve()
    try {
      if ((isRequested || (await this.isDue(connection))) && (await tryLockJob(connection, 'backup')))
        await this.backUp(connection)
    } finally {
      await sql.end({ timeout: 1 })
    }
  }

  private async isDue(connection: Sql): Promise<boolean> {
    const [row] = await connection<{ due: boolean }[]>`select not exists (select from backups
      where kind = 'automatic' and at > now() - ${this.periodMs / 1000} * interval '1 second') as due`
    return row?.due === true
  }

  private async backUp(connection: Sql): Promise<void> {
    const { environment, address, log } = this
    const directory = backupDirectory(environment)
    removePartial(directory, 'automatic')
    const source = await sourceOf(environment, address)
    const choice = { objects: environment.S3_ENDPOINT ? ('none' as const) : ('all' as const), secrets: true }
    await demandSpace(connection, directory, choice.objects === 'all')
    const passphrase = await passphraseOf(environment)
    const name = backupName('automatic', new Date(), passphrase !== undefined)
    const began = Date.now()
    const { signal } = this.stopController
    const destination = { kind: 'automatic' as const, path: join(directory, name), passphrase, signal }
    const { bytes } = await makeBackup(source, choice, destination)
    this.lastFailure = undefined
    log('info', 'backup.made', { file: name, bytes, ms: Date.now() - began })
    removeOld(directory, 'automatic', environment.BACKUP_KEEP)
  }
}
