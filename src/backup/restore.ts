import { RefusesToBoot } from '../core/errors.ts'
import { type DatabaseAddress, isDatabaseAway, isRefused, openLongConnection, type Sql } from '../database/database.ts'
import { migrateTo, ranOn, withMigrationLock } from '../database/migrate.ts'
import { newSecrets, Secrets, writeSharedSecrets } from '../database/secrets.ts'
import { type AskPassphrase, readArchive } from './archive.ts'
import { loosen, tighten } from './constraints.ts'
import { damaged, isSame, parseEntry, wholeOf } from './damage.ts'
import { digestOf, RunningDigest } from './digest.ts'
import { isStopped, type Progress } from './dump.ts'
import { FORMAT, HEAD, Head, MANIFEST, Manifest, OBJECTS, SECRETS, TABLES } from './manifest.ts'
import { isUsed } from './objects.ts'
import { ObjectsDigest } from './objects-digest.ts'
import type { Target } from './target.ts'
import { CopyIn, copyOut, DERIVED, HOLD, prepareConnection, quoted, type Table, tablesOf } from './tables.ts'
import type { Entry } from './tar.ts'

/** Not restored: these belong to the installation. The event log starts empty so clients cannot resume old history. */
const NOT_RESTORED = [
  'migrations',
  'installed_functions',
  'events',
  'event_log_origin',
  'backups',
  'backup_checks',
  'preview_position',
  'push_position',
]
/** Sessions, links and tokens are not restored: something revoked after the backup would become valid again. */
export const REVOCABLE = [
  'sessions',
  'ws_tickets',
  'discord_sessions',
  'mail_outbox',
  'mail_tokens',
  'pending_logins',
  'spent_challenges',
  'claim_links',
  'webhook_tokens',
  'calendar_feeds',
  'push_subscriptions',
  'push_places',
  'push_outbox',
  'interactions',
  'prunes',
]
/** Time allowed to close an archive that is being read. */
const CLOSE_MS_MAX = 2_000
const UNANSWERED =
  'The database connection was lost during the commit: run the restore again; if that reports ' +
  'existing accounts, everything was restored.'
const NOT_STOPPED = 'A server ran while this backup was made: its sessions cannot be kept.'

export interface RestoreOptions {
  ask: AskPassphrase
  /** If true, sessions and the key that signs their tokens are restored too. */
  keepSessions: boolean
  /** Earlier archives whose objects are also restored. */
  earlier: string[]
  /** If true, each table is compared with the manifest after it was stored. */
  check: boolean
  signal: AbortSignal
}

/** Restores an archive into an installation, in one transaction of the connection. */
class Restore {
  readonly progress: Progress = { rows: 0, rowBytes: 0, objects: 0, objectBytes: 0, missing: 0 }
  private readonly digests = new Map<string, RunningDigest>()
  private secrets: Partial<Secrets> | undefined
  private secretsPart: Manifest['secrets']
  private copying: { name: string; copy: CopyIn | undefined } | undefined
  /** Why the database refused rows. Reading goes on, because damage to the archive would explain it better. */
  private refusal: unknown

  constructor(
    private readonly connection: Sql,
    private readonly target: Target,
    private readonly options: RestoreOptions,
    private readonly head: Head,
  ) {}

  /** @param entries those after the head */
  async run(entries: AsyncGenerator<Entry>, headPart: Manifest['head']): Promise<void> {
    const { connection, head, target, options } = this
    await demandEmpty(connection)
    if (head.objects !== 'none') target.demandEmpty()
    const migrateOn = await migrateTo(connection, head.migrations, head.version)
    const tables = await this.chosenTables()
    const keys = await loosen(connection, tables)
    const { manifest, objects } = await this.read(entries, new Set(tables.map(({ name }) => name)))
    this.compare(manifest, headPart, objects)
    if (this.refusal !== undefined) throw this.refusal
    if (options.check) await this.checkStored(tables, manifest)
    for (const path of options.earlier) await this.readEarlierObjects(path)
    await tighten(connection, tables, keys, head.sequences)
    const secrets = await this.putSecrets()
    await migrateOn()
    await connection.unsafe(`truncate ${DERIVED.map(quoted).join(', ')}; ${HOLD}`)
    target.finish(secrets)
  }

  /** Tables to restore: those of the archive that exist in Parley, except those excluded above. */
  private async chosenTables(): Promise<Table[]> {
    const out = this.options.keepSessions
      ? [...NOT_RESTORED, ...REVOCABLE.filter((name) => name !== 'sessions')]
      : [...NOT_RESTORED, ...REVOCABLE]
    const existingTables = await tablesOf(this.connection)
    return this.head.tables.flatMap(({ name, columns }) => {
      const table = existingTables.find((candidate) => candidate.name === name)
      if (!table || out.includes(name)) return []
      if (!columns.every((column) => table.columns.includes(column))) throw damaged(name)
      return [{ name, columns, key: table.key }]
    })
  }

  /** Reads all entries after the head. */
  private async read(entries: AsyncGenerator<Entry>, tables: Set<string>) {
    const objects = new ObjectsDigest()
    let manifest: Manifest | undefined
    for await (const entry of entries) {
      this.options.signal.throwIfAborted()
      if (manifest) throw damaged(entry.name)
      if (entry.name.startsWith(TABLES)) {
        await this.readRows(entry, tables)
        continue
      }
      await this.endCopy()
      if (entry.name === MANIFEST) manifest = parseEntry(Manifest, await wholeOf(entry), MANIFEST)
      else if (entry.name === SECRETS) await this.readSecrets(entry)
      else if (entry.name.startsWith(OBJECTS)) await this.readObject(entry, objects)
      else throw damaged(entry.name)
    }
    if (!manifest) throw new RefusesToBoot('The backup is truncated.')
    return { manifest, objects }
  }

  private async readSecrets(entry: Entry): Promise<void> {
    const text = await wholeOf(entry)
    this.secretsPart = digestOf(text)
    this.secrets = parseEntry(Secrets.partial(), text, SECRETS)
  }

  private async readRows(entry: Entry, tables: Set<string>): Promise<void> {
    const [name = ''] = entry.name.slice(TABLES.length).split('/')
    if (this.copying?.name !== name) {
      await this.endCopy()
      const tableHead = this.head.tables.find((table) => table.name === name)
      if (!tableHead) throw damaged(name)
      const isStored = tables.has(name) && this.refusal === undefined
      this.copying = { name, copy: isStored ? await CopyIn.begin(this.connection, tableHead) : undefined }
    }
    const digest = this.digests.get(name) ?? new RunningDigest()
    this.digests.set(name, digest)
    const countedRows = digest.lines
    for await (const piece of entry.bytes) {
      digest.update(piece)
      await this.copying.copy?.write(piece).catch((error: unknown) => this.refuse(error))
      this.progress.rowBytes += piece.length
    }
    this.progress.rows += digest.lines - countedRows
  }

  /** Ends a failed COPY, so that the connection accepts statements again. */
  abandon(): void {
    this.copying?.copy?.fail()
  }

  private async endCopy(): Promise<void> {
    await this.copying?.copy?.end().catch((error: unknown) => this.refuse(error))
    this.copying = undefined
  }

  private refuse(error: unknown): void {
    if (!isRefused(error)) throw error
    this.refusal = error
    this.copying = this.copying && { name: this.copying.name, copy: undefined }
  }

  private async readObject(entry: Entry, digest: ObjectsDigest): Promise<void> {
    const { key, content_type } = digest.begin(entry)
    if (this.refusal === undefined) await this.putObject(entry, digest, key, content_type)
    else await digest.skip(entry)
    this.progress.objects++
    this.progress.objectBytes += entry.size
  }

  private async putObject(entry: Entry, digest: ObjectsDigest, key: string, content_type: string): Promise<void> {
    const object = { size: entry.size, content_type, bytes: digest.passing(entry.bytes) }
    await this.target.put(key, object).catch((error: unknown) => {
      throw digest.failure ?? error
    })
    // If the store already had the object, its bytes were not read.
    await digest.skip(entry)
  }

  private compare(manifest: Manifest, headPart: Manifest['head'], objects: ObjectsDigest): void {
    if (!isSame(manifest.head, headPart)) throw damaged(HEAD)
    if (!isSame(manifest.secrets, this.secretsPart)) throw damaged(SECRETS)
    objects.compare(manifest)
    for (const { name } of this.head.tables) {
      const digest = this.digests.get(name) ?? new RunningDigest()
      const tablePart = manifest.tables[name]
      if (!tablePart || tablePart.rows !== digest.lines || !isSame(tablePart, digest.part())) throw damaged(name)
    }
    if (this.options.keepSessions && !manifest.stopped) throw new RefusesToBoot(NOT_STOPPED)
  }

  /** Compares the stored rows with the manifest. */
  private async checkStored(tables: Table[], manifest: Manifest): Promise<void> {
    for (const table of tables) {
      const digest = new RunningDigest()
      for await (const piece of copyOut(this.connection, table)) digest.update(piece)
      if (!isSame(manifest.tables[table.name], digest.part()))
        throw new RefusesToBoot(`The stored rows of ${table.name} differ from the backup.`)
    }
  }

  /** Restores objects from an earlier archive that files of this one still use. */
  private async readEarlierObjects(path: string): Promise<void> {
    const digest = new ObjectsDigest()
    let manifest: Manifest | undefined
    for await (const entry of readArchive(path, this.options.ask, this.options.signal)) {
      this.options.signal.throwIfAborted()
      if (entry.name === MANIFEST) manifest = parseEntry(Manifest, await wholeOf(entry), MANIFEST)
      if (!entry.name.startsWith(OBJECTS)) continue
      const { key, content_type } = digest.begin(entry)
      if (await isUsed(this.connection, this.head.tables, key)) await this.putObject(entry, digest, key, content_type)
      else await digest.skip(entry)
    }
    if (!manifest) throw new RefusesToBoot(`${path} is truncated.`)
    digest.compare(manifest)
  }

  /**
   * Restores the archive's secrets, with a new key for session tokens.
   * @returns those that are not stored in the database
   */
  private async putSecrets(): Promise<Secrets | undefined> {
    const { connection, target, secrets } = this
    const fresh = newSecrets()
    await connection`delete from secrets where name = any(${Object.keys(fresh)})`
    if (!secrets) return undefined
    const restored: Secrets = { ...fresh, ...secrets, jwt: (this.options.keepSessions && secrets.jwt) || fresh.jwt }
    if (target.keepsSecrets) return restored
    await writeSharedSecrets(connection, restored)
    return undefined
  }
}

/** @throws RefusesToBoot if the database is not Parley's, is in use, or contains accounts */
async function demandEmpty(sql: Sql): Promise<void> {
  if (!(await isStopped(sql))) throw new RefusesToBoot('A server runs on this installation: stop it first.')
  const applied = await ranOn(sql)
  const tables = await tablesOf(sql)
  if (applied.length === 0 && tables.length > 0)
    throw new RefusesToBoot('The database has tables of other programs: restore into an empty one.')
  const [account] = applied.length > 0 ? await sql`select from users limit 1` : []
  if (account) throw new RefusesToBoot('This installation already has accounts: restore into an empty one.')
}

/**
 * Reads an archive's head.
 * @throws RefusesToBoot if this version cannot restore it
 */
export async function readHead(path: string, ask: AskPassphrase): Promise<Head> {
  const entries = readArchive(path, ask)
  try {
    return (await takeHead(entries)).head
  } finally {
    await entries.return(undefined)
  }
}

async function takeHead(entries: AsyncGenerator<Entry>) {
  const first = await entries.next()
  if (first.done || first.value.name !== HEAD) throw damaged(HEAD)
  const text = await wholeOf(first.value)
  const head = parseEntry(Head, text, HEAD)
  if (head.format > FORMAT)
    throw new RefusesToBoot(`The backup has a newer format: use Parley ${head.version} or later.`)
  return { head, part: digestOf(text) }
}

/** @throws RefusesToBoot if this backup's sessions cannot be restored */
export function demandSessions(head: Head): void {
  if (!head.stopped) throw new RefusesToBoot(NOT_STOPPED)
  if (!head.secrets) throw new RefusesToBoot('The backup has no secrets: its sessions cannot be kept.')
}

/**
 * Restores a backup into an empty installation: everything or nothing.
 * @param onProgress called once with counts that keep changing
 * @throws RefusesToBoot with one sentence that says why nothing was restored
 */
export async function restore(
  path: string,
  address: DatabaseAddress,
  target: Target,
  options: RestoreOptions,
  onProgress: (progress: Progress) => void,
): Promise<Head> {
  const { signal } = options
  const entries = readArchive(path, options.ask, signal)
  const sql = openLongConnection(address, 'parley-restore')
  const interruption = Promise.withResolvers<never>()
  interruption.promise.catch(() => {})
  // Cancels the running statement, which may wait for a lock or take hours. One that is sent while the connection ends
  // is never answered.
  const interrupt = () => {
    void sql.end({ timeout: 0 })
    setTimeout(() => interruption.reject(signal.reason), CLOSE_MS_MAX)
  }
  let isCommitting = false
  let release = (): void => {}
  try {
    signal.throwIfAborted()
    signal.addEventListener('abort', interrupt)
    const { head, part } = await takeHead(entries)
    const connection = await Promise.race([sql.reserve(), interruption.promise])
    release = () => connection.release()
    const restoring = new Restore(connection, target, options, head)
    onProgress(restoring.progress)
    const everything = withMigrationLock(connection, async () => {
      await prepareConnection(connection)
      await connection`begin`
      await restoring.run(entries, part).catch((error: unknown) => {
        restoring.abandon()
        throw error
      })
      signal.throwIfAborted()
      signal.removeEventListener('abort', interrupt)
      isCommitting = true
      await connection`commit`
    })
    await Promise.race([everything, interruption.promise])
    target.settle()
    return head
  } catch (error) {
    // A commit without an answer may have succeeded, so the objects must stay.
    if (isCommitting && isDatabaseAway(error)) throw new RefusesToBoot(UNANSWERED)
    await target.undo()
    throw error
  } finally {
    signal.removeEventListener('abort', interrupt)
    await Promise.race([entries.return(undefined), Bun.sleep(CLOSE_MS_MAX)])
    // Without this, `end` waits for its timeout.
    release()
    // Also rolls back the transaction if it has not been committed.
    await sql.end({ timeout: 1 })
  }
}
