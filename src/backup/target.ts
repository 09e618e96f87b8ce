import {
  appendFileSync,
  createReadStream,
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { RefusesToBoot } from '../core/errors.ts'
import type { Sql } from '../database/database.ts'
import { fileSecrets, type Secrets, secretsPath, writeFileSecrets } from '../database/secrets.ts'
import type { Environment } from '../environment.ts'
import { ObjectFiles } from '../storage/object-files.ts'
import type { ObjectOperations } from '../storage/object-store.ts'
import { objectsDirectory } from '../storage/open-objects.ts'
import { externalStore } from '../storage/s3-store.ts'
import type { OpenedObject } from './objects.ts'

/** Destination of a restore, besides the database. */
export interface Target {
  /** True if secrets are stored here instead of in the database. */
  readonly keepsSecrets: boolean
  /** @throws RefusesToBoot if it contains objects of another installation */
  demandEmpty(): void
  put(key: string, object: OpenedObject): Promise<void>
  /** Moves everything into place; `undo` can still remove it. */
  finish(secrets: Secrets | undefined): void
  /** The database has committed, so nothing must be removed any more. */
  settle(): void
  /** Removes everything that was stored. */
  undo(): Promise<void>
}

/** Longest pause between two chunks of an object. */
const IDLE_MS_MAX = 600_000

/** The secrets in DATA_DIR, if they are stored there. */
class SecretsFile {
  private readonly former: Secrets | undefined
  private wasWritten = false

  constructor(private readonly dataDirectory: string) {
    this.former = existsSync(secretsPath(dataDirectory)) ? fileSecrets(dataDirectory) : undefined
  }

  write(secrets: Secrets | undefined): void {
    if (!secrets) return
    this.wasWritten = true
    writeFileSecrets(this.dataDirectory, secrets)
  }

  undo(): void {
    if (!this.wasWritten) return
    if (this.former) writeFileSecrets(this.dataDirectory, this.former)
    else rmSync(secretsPath(this.dataDirectory), { force: true })
  }
}

/** This file exists in DATA_DIR while objects are in place but the database is not. */
export const restoreMark = ({ DATA_DIR }: Pick<Environment, 'DATA_DIR'>): string => join(DATA_DIR, 'restoring')

/**
 * Refuses to serve objects whose database transaction was never committed. If there is an account, it was: the restore
 * was killed after its commit and is complete.
 * @throws RefusesToBoot
 */
export async function demandNoHalfRestore(environment: Environment, sql: Sql): Promise<void> {
  const mark = restoreMark(environment)
  if (!existsSync(mark)) return
  const [account] = await sql`select from users limit 1`
  if (!account)
    throw new RefusesToBoot(
      `A restore was interrupted: run it again, or remove ${objectsDirectory(environment)} and then ${mark}.`,
    )
  rmSync(mark)
}

/** The embedded store: objects are written to a directory next to it, which replaces it in `finish`. */
class EmbeddedTarget implements Target {
  private readonly directory: string
  private readonly dataDirectory: string
  private readonly hasMadeDataDirectory: boolean
  private readonly stagingDirectory: string
  private readonly mark: string
  private files: ObjectFiles | undefined
  private isFinished = false

  constructor(
    environment: Environment,
    private readonly secrets: SecretsFile | undefined,
  ) {
    this.directory = objectsDirectory(environment)
    this.dataDirectory = environment.DATA_DIR
    this.hasMadeDataDirectory = !existsSync(environment.DATA_DIR)
    this.stagingDirectory = `${this.directory}.restoring`
    this.mark = restoreMark(environment)
  }

  get keepsSecrets(): boolean {
    return this.secrets !== undefined
  }

  demandEmpty(): void {
    // Left over from a restore that was killed before the database committed.
    if (existsSync(this.mark)) rmSync(this.directory, { recursive: true, force: true })
    rmSync(this.mark, { force: true })
    rmSync(this.stagingDirectory, { recursive: true, force: true })
    if (!existsSync(this.directory)) return
    const shards = readdirSync(this.directory).filter((name) => name !== 'tmp')
    if (shards.some((shard) => readdirSync(join(this.directory, shard)).length > 0))
      throw new RefusesToBoot(`${this.directory} already has files: restore into an empty installation.`)
  }

  async put(key: string, { size, content_type, bytes }: OpenedObject): Promise<void> {
    this.files ??= new ObjectFiles(this.stagingDirectory)
    await this.files.write(key, streamOf(bytes), {
      content_type,
      size,
      idleMs: IDLE_MS_MAX,
    })
  }

  finish(secrets: Secrets | undefined): void {
    this.secrets?.write(secrets)
    this.files?.close()
    if (!this.files) return
    writeFileSync(this.mark, '', { flush: true, mode: 0o600 })
    rmSync(this.directory, { recursive: true, force: true })
    renameSync(this.stagingDirectory, this.directory)
    this.isFinished = true
  }

  settle(): void {
    rmSync(this.mark, { force: true })
  }

  async undo(): Promise<void> {
    this.secrets?.undo()
    this.files?.close()
    if (!this.files) return
    rmSync(this.isFinished ? this.directory : this.stagingDirectory, { recursive: true, force: true })
    rmSync(this.mark, { force: true })
    removeEmpty(dirname(this.directory))
    if (this.hasMadeDataDirectory) removeEmpty(this.dataDirectory)
  }
}

function removeEmpty(directory: string): void {
  if (readdirSync(directory).length === 0) rmdirSync(directory)
}

function streamOf(bytes: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = bytes[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const next = await iterator.next()
      if (next.done) controller.close()
      else controller.enqueue(next.value)
    },
  })
}

/** The store of S3_ENDPOINT. An existing object with the same key and size is not replaced. */
class ExternalTarget implements Target {
  /** File that lists the stored keys, one per line. */
  private list: string | undefined

  constructor(
    private readonly store: ObjectOperations,
    private readonly secrets: SecretsFile | undefined,
  ) {}

  get keepsSecrets(): boolean {
    return this.secrets !== undefined
  }

  demandEmpty(): void {
    // Keys are random, so existing objects belong to this installation or do no harm.
  }

  async put(key: string, { size, content_type, bytes }: OpenedObject): Promise<void> {
    if ((await this.store.head(key))?.size === size) return
    this.list ??= join(mkdtempSync(join(tmpdir(), 'parley-restore-')), 'keys')
    appendFileSync(this.list, `${key}\n`)
    await this.store.putStream({ key, size, content_type, bytes })
  }

  finish(secrets: Secrets | undefined): void {
    this.secrets?.write(secrets)
  }

  settle(): void {
    if (this.list !== undefined) rmSync(join(this.list, '..'), { recursive: true })
  }

  async undo(): Promise<void> {
    this.secrets?.undo()
    if (this.list === undefined) return
    for await (const key of createInterface({ input: createReadStream(this.list) })) await this.store.delete(key)
    rmSync(join(this.list, '..'), { recursive: true })
  }
}

/** Opens the destination for the secrets and objects of this environment's installation. */
export async function openTarget(environment: Environment): Promise<Target> {
  const secrets = environment.DATABASE_URL === undefined ? new SecretsFile(environment.DATA_DIR) : undefined
  const store = await externalStore(environment)
  return store ? new ExternalTarget(store, secrets) : new EmbeddedTarget(environment, secrets)
}
