import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { codeOf, isDiskFull, messageOf } from '../../core/errors.ts'
import { errorFields, type Log } from '../../core/log.ts'
import { periodMs } from '../../core/periods.ts'
import type { Database } from '../../database/database.ts'
import { clusterOf } from '../../database/embedded-instance.ts'
import type { Environment } from '../../environment.ts'
import { objectsDirectory } from '../../storage/open-objects.ts'
import { freeBytes } from '../files.ts'
import { passphraseOf } from '../passphrase.ts'
import { ArchiveFull } from './archive-store.ts'
import { copyCluster } from './base-copy.ts'
import { clusterOf as factsOf, LineWriter, type Running } from './line-writer.ts'
import { baseFolder } from './names.ts'
import { ObjectCopies } from './object-copies.ts'
import { openArchive } from './open-archive.ts'
import { OtherArchive, OwnArchive } from './own-archive.ts'
import { prune } from './pruning.ts'
import { Sealer, Unsealer } from './sealing.ts'
import { LostWal } from './segments.ts'
import { dropSlots, openSuperuser, pendingBytes } from './slots.ts'

/** Interval at which changes are archived: what a loss of DATA_DIR loses at most, with the time to write them. */
const CYCLE_MS = 20_000
/** Interval at which the bound of waiting changes is checked, also while a write to the archive hangs. */
const WATCH_MS = 5_000
/** Without a success for this long the archive counts as away. */
const LATE_MS = 90_000
/** Pause after a failed full copy; it doubles with each failure. */
const [RETRY_MS, RETRY_MS_MAX] = [60_000, 3_600_000]
/** Changes that may always wait, however little space is left on the disk. */
const PENDING_BYTES_MIN = 64 * 1024 ** 2
/** Undefined object; object not in prerequisite state. */
const BROKEN = new Set(['42704', '55000'])
/** How long the last changes may take when the server stops. */
const STOP_MS_MAX = 5_000

/** State of the archive. `begins`: no full copy is complete yet, so nothing can be restored from it. */
export type ArchiveState = 'ok' | 'begins' | 'full' | 'away'

/** Parts of the work, which fail and recover each for itself. */
type Work = 'changes' | 'copy' | 'files'

/** Why a part fails; `other`: the archive at its place is not ours. */
type Failure = 'full' | 'away' | 'other'

/** Facts about the archive, for the operator. */
export interface ArchiveFacts {
  state: ArchiveState
  /** Everything before this time can be restored, from the first copy on; null before one is complete. */
  until: string | null
  /** Time of the last full copy. */
  base_at: string | null
  pending_bytes: number
  objects_waiting: number
  /** How often changes were dropped since this process began. */
  gaps: number
}

/**
 * Archives the write-ahead log of the embedded PostgreSQL, full copies of the cluster, and uploaded files.
 *
 * It reads pg_wal itself, which a replication slot keeps: PostgreSQL's archive_command would run as another user,
 * without access to the archive or to the passphrase. Each cycle writes the bytes since the last one, so that a segment
 * does not have to be full. If the archive is away, changes wait in pg_wal up to a bound; beyond it the slot is
 * dropped, and a new line with a full copy begins as soon as the archive is back. The server serves on in every case.
 */
export class WalArchive {
  private readonly sql: Database
  private readonly stopController = new AbortController()
  private readonly timers: Timer[] = []
  private readonly sealer: Sealer
  private readonly unsealer: Unsealer
  private readonly objects: ObjectCopies | undefined
  private line: LineWriter | undefined
  private cycling: Promise<void> | undefined
  private copying: Promise<void> | undefined
  private copyingId: string | undefined
  private copyingObjects: Promise<void> | undefined
  private copyAtMs = 0
  private copyFailures = 0
  private isStopping = false
  private readonly failures = new Map<Work, Failure>()
  /** The archive was another one, so that the position in it has to be read again. */
  private isStale = false
  private succeededMs = performance.now()
  private until: string | undefined
  private pendingBytes = 0
  /** The end of the line when too many changes waited at the last look. */
  private stuckAt: bigint | undefined
  private gaps = 0

  private constructor(
    private readonly environment: Environment,
    private readonly socket: string,
    private readonly archive: OwnArchive,
    passphrase: string | undefined,
    private readonly log: Log,
  ) {
    this.sql = openSuperuser(socket, 'parley-archive')
    this.sealer = new Sealer(passphrase)
    this.unsealer = new Unsealer(archive, async () => passphrase ?? '')
    const { signal } = this.stopController
    if (environment.S3_ENDPOINT === undefined)
      this.objects = new ObjectCopies(archive, objectsDirectory(environment), this.sealer, signal)
  }

  /**
   * Opens the archive of WAL_ARCHIVE, if it is set.
   * @throws RefusesToBoot if the passphrase cannot be read
   */
  static async open(environment: Environment, socket: string, log: Log): Promise<WalArchive | undefined> {
    const archive = await openArchive(environment)
    if (!archive) return undefined
    const own = new OwnArchive(archive, environment.WAL_ARCHIVE ?? '', environment.DATA_DIR)
    return new WalArchive(environment, socket, own, await passphraseOf(environment), log)
  }

  /** Notes a new object of the embedded store. */
  readonly onStored = (key: string, hash: string): void => {
    // Uploads under way are copied to another key once they are recorded; the store's probe removes its object.
    if (!key.startsWith('incoming/') && !key.startsWith('probe/')) this.objects?.add(hash)
  }

  start(): void {
    this.timers.push(setInterval(() => void this.run(), CYCLE_MS))
    this.timers.push(setInterval(() => void this.watch(), WATCH_MS))
    void this.run()
  }

  /** Archives what was committed before now; resolves also if it fails. A concurrent caller shares the next cycle. */
  async run(): Promise<void> {
    await this.cycling
    await (this.cycling ??= this.cycle().finally(() => (this.cycling = undefined)))
  }

  /** Waits for the full copy and the objects that are being copied. */
  async settle(): Promise<void> {
    await this.run()
    await Promise.all([this.copying, this.copyingObjects])
    await this.run()
  }

  get facts(): ArchiveFacts {
    return {
      state: this.state,
      until: this.line?.bases[0] === undefined ? null : (this.until ?? null),
      base_at: this.line?.bases.at(-1)?.at ?? null,
      pending_bytes: this.pendingBytes,
      objects_waiting: this.objects?.backlog ?? 0,
      gaps: this.gaps,
    }
  }

  private get state(): ArchiveState {
    if ([...this.failures.values()].includes('full')) return 'full'
    if (this.failures.size > 0 || performance.now() - this.succeededMs > LATE_MS) return 'away'
    return this.line?.bases[0] === undefined ? 'begins' : 'ok'
  }

  /** Archives the last changes, and ends a copy that is being made. */
  async stop(): Promise<void> {
    if (this.timers.length === 0) return this.sql.end({ timeout: 1 })
    for (const timer of this.timers) clearInterval(timer)
    this.isStopping = true
    const last = this.failures.has('changes') ? this.cycling : this.run()
    await Promise.race([last, Bun.sleep(STOP_MS_MAX)])
    this.stopController.abort()
    await Promise.race([Promise.all([this.copying, this.copyingObjects, this.cycling]), Bun.sleep(STOP_MS_MAX)])
    await this.sql.end({ timeout: 1 })
  }

  private get running(): Running {
    const { sql, archive, sealer, unsealer } = this
    const { DATA_DIR } = this.environment
    const cluster = clusterOf(join(DATA_DIR, 'postgres'))
    return { sql, archive, sealer, unsealer, cluster, dataDirectory: DATA_DIR }
  }

  private async cycle(): Promise<void> {
    const { signal } = this.stopController
    let line: LineWriter
    try {
      line = await this.openedLine()
      this.until = await line.advance(signal)
      this.pendingBytes = 0
      this.succeededMs = performance.now()
      this.succeed('changes')
    } catch (error) {
      this.fail('changes', error)
      // The slot was dropped, or has lost its WAL: then the line is opened again.
      if (BROKEN.has(codeOf(error) ?? '')) this.line = undefined
      if (error instanceof LostWal) await this.drop('Changes are missing in pg_wal').catch(() => {})
      return
    }
    // It may have been dropped meanwhile.
    if (this.isStopping || this.line !== line) return
    this.copyingObjects ??= this.copyObjects().finally(() => (this.copyingObjects = undefined))
    if (this.isCopyDue(line)) this.copying ??= this.copy(line).finally(() => (this.copying = undefined))
  }

  /** The line, once the archive is there. */
  private async openedLine(): Promise<LineWriter> {
    const claim = () => this.archive.claim(async () => (await factsOf(this.sql)).system_identifier)
    if (await claim()) this.reopen()
    if (this.line && !this.isStale) return this.line
    let line = await LineWriter.continue(this.running)
    if (line === 'broken') {
      // The disk with the line may have been there a moment ago.
      await claim()
      this.noteGap('The line cannot be continued')
    }
    if (typeof line === 'string') line = await this.beginLine()
    await line.putSecrets()
    await line.removePartial(this.copyingId)
    this.isStale = false
    return (this.line = line)
  }

  private async beginLine(): Promise<LineWriter> {
    const line = await LineWriter.begin(this.running)
    this.copyAtMs = 0
    this.log('info', 'archive.begun', { line: line.id })
    return line
  }

  private noteGap(cause: string): void {
    this.gaps++
    const message = `The archive has a gap and begins again with a full copy. ${cause}.`
    this.log('error', 'archive.gap', { message, pending_bytes: this.pendingBytes })
  }

  private succeed(work: Work): void {
    if (this.failures.delete(work)) this.log('info', 'archive.back', { work })
  }

  private fail(work: Work, error: unknown): void {
    if (this.stopController.signal.aborted) return
    const isOther = error instanceof OtherArchive
    const failure = isOther ? 'other' : error instanceof ArchiveFull || isDiskFull(error) ? 'full' : 'away'
    if (this.failures.get(work) !== failure)
      this.log('error', failure === 'full' ? 'archive.full' : 'archive.away', { work, ...errorFields(error) })
    this.failures.set(work, failure)
    if (isOther) this.reopen()
  }

  /** Nothing is known any more of what is in the archive. */
  private reopen(): void {
    this.isStale = true
    this.objects?.compareAgain()
  }

  /** Drops changes that have waited too long, before pg_wal fills the disk. */
  private async watch(): Promise<void> {
    const { environment, line } = this
    try {
      this.pendingBytes = await pendingBytes(this.sql)
      const isLow = freeBytes(environment.DATA_DIR) < environment.DISK_FREE_MIN_BYTES
      const bound = isLow ? PENDING_BYTES_MIN : environment.WAL_ARCHIVE_PENDING_BYTES_MAX
      const isStuck = this.pendingBytes > bound
      // Under a heavy load a cycle comes sooner.
      if (this.pendingBytes > bound / 4 && !this.cycling) void this.run()
      const end = line?.end ?? 0n
      if (isStuck && this.stuckAt === end && this.line === line)
        await this.drop(isLow ? 'The disk of DATA_DIR is nearly full' : 'Too many changes waited for it')
      this.stuckAt = isStuck ? end : undefined
    } catch {
      // The database is away, and writes nothing.
    }
  }

  /** Ends the line. A new one begins when the archive takes it. */
  private async drop(cause: string): Promise<void> {
    this.line = undefined
    await dropSlots(this.sql)
    this.noteGap(cause)
    this.pendingBytes = 0
  }

  private isCopyDue({ bases }: LineWriter): boolean {
    if (performance.now() < this.copyAtMs) return false
    const last = bases.at(-1)
    return !last || Date.now() - Date.parse(last.at) >= periodMs(this.environment.WAL_ARCHIVE_BASE_EVERY)
  }

  private async copy(line: LineWriter): Promise<void> {
    const { archive, sealer, log } = this
    const { signal } = this.stopController
    const id = `${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}_${randomBytes(4).toString('hex')}`
    const began = performance.now()
    this.copyingId = id
    const sql = openSuperuser(this.socket, 'parley-base-copy')
    const interrupt = () => void sql.end({ timeout: 0 })
    signal.addEventListener('abort', interrupt)
    try {
      sealer.renew()
      const name = `${baseFolder(line.id)}/${id}`
      if (this.objects) await archive.put(`${name}.gone.zst`, sealer.packStream(this.objects.goneObjects()), signal)
      const isFirst = line.bases.length === 0
      const { cluster } = this.running
      const { base, bytes } = await copyCluster(sql, cluster, archive, name, sealer, isFirst, signal)
      // It can be restored once the changes made while it was copied are in the archive too.
      line.neededEnd = base.stop
      while (line.end < base.stop) {
        await this.run()
        if (this.line !== line) throw new Error('The archive began again while the copy was made')
        if (line.end < base.stop) await Bun.sleep(WATCH_MS)
        signal.throwIfAborted()
      }
      await line.putSecrets()
      await line.addBase(id, base)
      this.copyFailures = 0
      this.succeed('copy')
      log('info', 'archive.copied', { bytes, ms: Math.round(performance.now() - began) })
      this.copyingId = undefined
      await this.prune()
    } catch (error) {
      if (signal.aborted) return
      this.copyAtMs = performance.now() + Math.min(RETRY_MS * 2 ** this.copyFailures++, RETRY_MS_MAX)
      this.fail('copy', error)
    } finally {
      signal.removeEventListener('abort', interrupt)
      await sql.end({ timeout: 1 })
      this.copyingId = undefined
    }
  }

  private async prune(): Promise<void> {
    const { archive, line, objects, unsealer } = this
    if (!line) return
    const before = Date.now() - this.environment.WAL_ARCHIVE_DAYS * 86_400_000
    await prune(archive, line.id, this.copyingId, before, objects, unsealer).catch((error: unknown) =>
      this.log('warn', 'archive.prune', { message: messageOf(error) }),
    )
  }

  private async copyObjects(): Promise<void> {
    try {
      await this.objects?.run()
      this.succeed('files')
    } catch (error) {
      this.fail('files', error)
    }
  }
}
