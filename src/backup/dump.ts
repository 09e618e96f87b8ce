import { RefusesToBoot } from '../core/errors.ts'
import { VERSION } from '../core/version.ts'
import { type DatabaseAddress, NOTICE_LISTENER_NAME, openLongConnection, type Sql } from '../database/database.ts'
import { blockJob } from '../database/job-lock.ts'
import { knownMigrations } from '../database/migrate.ts'
import { fileSecrets, Secrets } from '../database/secrets.ts'
import { digestOf, RunningDigest } from './digest.ts'
import { FORMAT, HEAD, Head, MANIFEST, Manifest, OBJECTS, type ObjectChoice, SECRETS, TABLES } from './manifest.ts'
import { describe } from './objects-digest.ts'
import { objectKeys } from './object-keys.ts'
import type { ObjectSource, OpenedObject } from './objects.ts'
import { copyOut, prepareConnection, quoted, type Table, tablesOf } from './tables.ts'
import { padding, TAR_END, tarHeader } from './tar.ts'

/** The parts of an installation that a backup reads. */
export interface Source {
  address: DatabaseAddress
  /** The DATA_DIR whose file contains the secrets; undefined if they are in the database. */
  secretsDirectory: string | undefined
  objects: ObjectSource
}

export interface Choice {
  objects: ObjectChoice
  /** If false, the table of secrets is left out too. */
  secrets: boolean
}

/** Counts of what has been read so far. */
export interface Progress {
  rows: number
  rowBytes: number
  objects: number
  objectBytes: number
  /** Objects of recorded files that are missing from the store. */
  missing: number
}

/** Writes the parts of one archive, in order. */
class Dump {
  readonly progress: Progress = { rows: 0, rowBytes: 0, objects: 0, objectBytes: 0, missing: 0 }
  /** The time of the backup, once it has begun. */
  at = ''
  private readonly tables: Manifest['tables'] = {}

  constructor(
    private readonly connection: Sql,
    private readonly source: Source,
    private readonly choice: Choice,
  ) {}

  /** The archive, as of the moment when its first chunk is read. */
  async *archive(): AsyncGenerator<Buffer> {
    const { connection } = this
    await prepareConnection(connection)
    // Blocks the last step of ObjectDeletions. Taken before the moment of the backup, so that no object of a file in it
    // is deleted while it is written.
    await blockJob(connection, 'outbox')
    const tables = await tablesOf(connection)
    await connection`begin isolation level repeatable read read only`
    // Blocks migrations from here on.
    await connection.unsafe(`lock table ${tables.map(({ name }) => quoted(name)).join(', ')} in access share mode`)
    const head = await this.head()
    const headPart = Buffer.from(JSON.stringify(head))
    yield* entry(HEAD, headPart)
    const secrets = this.choice.secrets ? Buffer.from(JSON.stringify(await this.secrets())) : undefined
    if (secrets) yield* entry(SECRETS, secrets)
    for (const table of await this.chosenTables()) yield* this.rows(table)
    const objects = new RunningDigest()
    if (this.choice.objects !== 'none') yield* this.objects(objects)
    await connection`commit`
    const manifest: Manifest = {
      head: digestOf(headPart),
      ...(secrets ? { secrets: digestOf(secrets) } : {}),
      tables: this.tables,
      objects: { ...objects.part(), count: this.progress.objects },
      stopped: head.stopped && (await isStopped(connection)),
    }
    yield* entry(MANIFEST, Buffer.from(JSON.stringify(manifest)))
    yield TAR_END
  }

  private async chosenTables(): Promise<Table[]> {
    return (await tablesOf(this.connection)).filter(({ name }) => this.choice.secrets || name !== 'secrets')
  }

  private async head(): Promise<Head> {
    const { connection, choice } = this
    const [row] = await connection<{ at: string }[]>`select now() as at`
    this.at = row?.at ?? ''
    const migrations = await knownMigrations(connection)
    const sequences = await connection<{ name: string; last_value: number }[]>`
      select sequencename::text as name, last_value from pg_sequences
      where schemaname = current_schema() and last_value is not null order by 1`
    return {
      format: FORMAT,
      version: VERSION,
      at: this.at,
      stopped: await isStopped(connection),
      migrations: migrations.map(({ name, digest }) => ({ name, digest })),
      objects: typeof choice.objects === 'string' ? choice.objects : 'since',
      ...(typeof choice.objects === 'string' ? {} : { since: choice.objects.since }),
      secrets: choice.secrets,
      tables: (await this.chosenTables()).map(({ name, columns }) => ({ name, columns })),
      sequences: [...sequences],
    }
  }

  private async secrets(): Promise<Partial<Secrets>> {
    if (this.source.secretsDirectory !== undefined) return fileSecrets(this.source.secretsDirectory)
    const rows = await this.connection<{ name: string; value: string }[]>`select name, value from secrets`
    return Secrets.partial().parse(Object.fromEntries(rows.map(({ name, value }) => [name, value])))
  }

  /** The rows of a table, in entries of about a mebibyte, because a tar header states the size before the data. */
  private async *rows(table: Table): AsyncGenerator<Buffer> {
    const digest = new RunningDigest()
    let [entryNumber, countedRows] = [0, 0]
    for await (const piece of copyOut(this.connection, table)) {
      digest.update(piece)
      yield* entry(`${TABLES}${table.name}/${entryNumber++}`, piece)
      this.progress.rowBytes += piece.length
      this.progress.rows += digest.lines - countedRows
      countedRows = digest.lines
    }
    this.tables[table.name] = { ...digest.part(), rows: digest.lines }
  }

  private async *objects(digest: RunningDigest): AsyncGenerator<Buffer> {
    const { objects } = this.choice
    const since = typeof objects === 'string' ? '-infinity' : objects.since
    for await (const { key, optional } of objectKeys(this.connection, since)) {
      const object = await this.source.objects(key)
      if (!object) {
        if (!optional) this.progress.missing++
        continue
      }
      yield* this.object(key, object, digest)
      this.progress.objects++
    }
  }

  private async *object(
    key: string,
    { size, content_type, bytes }: OpenedObject,
    digest: RunningDigest,
  ): AsyncGenerator<Buffer> {
    const descriptionBytes = Buffer.from(describe(key, size, content_type))
    digest.update(descriptionBytes)
    const chunks = bytes[Symbol.asyncIterator]()
    try {
      yield tarHeader(`${OBJECTS}${this.progress.objects}`, size, { key, content_type })
      let bytesRead = 0
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
        const chunk = Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength)
        digest.update(chunk)
        bytesRead += chunk.length
        this.progress.objectBytes += chunk.length
        yield chunk
      }
      if (bytesRead !== size)
        throw new RefusesToBoot(`The object ${key} changed while it was read: make the backup again.`)
      yield padding(size)
    } finally {
      // Closes the stream even if nothing was read from it.
      await chunks.return?.()
    }
  }
}

function* entry(name: string, content: Buffer): Generator<Buffer> {
  yield tarHeader(name, content.length)
  yield content
  yield padding(content.length)
}

/** True if no server uses this database. */
export async function isStopped(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ stopped: boolean }[]>`select not exists (select from pg_stat_activity
    where application_name = ${NOTICE_LISTENER_NAME} and datname = current_database()) as stopped`
  return row?.stopped === true
}

/** A dump of an installation, written by reading `archive` to its end. */
export interface OpenDump {
  archive: AsyncIterable<Buffer>
  progress: Progress
  /** The time of the backup; empty before it has begun. */
  at(): string
  /** The dump's connection, for work after the archive was read. */
  sql: Sql
  /** Closes the connection. Until then no objects are deleted. */
  close(): Promise<void>
}

export async function openDump(source: Source, choice: Choice): Promise<OpenDump> {
  const pool = openLongConnection(source.address, 'parley-backup')
  try {
    const sql = await pool.reserve()
    const dump = new Dump(sql, source, choice)
    const { progress } = dump
    const close = () => {
      // Without this, `end` waits for its timeout.
      sql.release()
      return pool.end({ timeout: 1 })
    }
    return { archive: dump.archive(), progress, at: () => dump.at, sql, close }
  } catch (error) {
    await pool.end({ timeout: 1 })
    throw error
  }
}
