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
import { externalStore, objectsDirectory, type OpenedObject } from './objects.ts'

/** What a restore fills beside the database. */
export interface Target {
  /** Whether secrets go there, and not into the database. */
  readonly keepsSecrets: boolean
  /** @throws RefusesToBoot when objects of another installation are there */
  demandEmpty(): void
  put(key: string, object: OpenedObject): Promise<void>
  /** Puts everything in its place; `undo` can still take it away. */
  finish(secrets: Secrets | undefined): void
  /** The database has committed: nothing is taken away any more. */
  settle(): void
  /** Takes away what was put. */
  undo(): Promise<void>
}

const IDLE_MS_MAX = 600_000

/** The secrets in DATA_DIR, where they are kept there. */
class SecretsFile {
  private readonly former: Secrets | undefined
  private written = false

  constructor(private readonly dataDirectory: string) {
    this.former = existsSync(secretsPath(dataDirectory)) ? fileSecrets(dataDirectory) : undefined
  }

  write(secrets: Secrets | undefined): void {
    if (!secrets) return
    this.written = true
    writeFileSecrets(this.dataDirectory, secrets)
  }

  undo(): void {
    if (!this.written) return
    if (this.former) writeFileSecrets(this.dataDirectory, this.former)
    else rmSync(secretsPath(this.dataDirectory), { force: true })
  }
}

/** Lies in DATA_DIR while objects are in their place and the database has not committed. */
const restoreMark = ({ DATA_DIR }: Environment): string => join(DATA_DIR, 'restoring')

/**
 * Refuses to serve objects whose database was never committed; a restore that was killed after its commit is complete.
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

/** The embedded store: objects are gathered beside it, and take its place at the end. */
class EmbeddedTarget implements Target {
  private readonly place: string
  private readonly staged: string
  private readonly mark: string
  private files: ObjectFiles | undefined
  private finished = false

  constructor(
    environment: Environment,
    private readonly secrets: SecretsFile | undefined,
  ) {
    this.place = objectsDirectory(environment)
    this.staged = `${this.place}.restoring`
    this.mark = restoreMark(environment)
  }

  get keepsSecrets(): boolean {
    return this.secrets !== undefined
  }

  demandEmpty(): void {
    // A restore that was killed before the database committed left them.
    if (existsSync(this.mark)) rmSync(this.place, { recursive: true, force: true })
    rmSync(this.mark, { force: true })
    rmSync(this.staged, { recursive: true, force: true })
    if (!existsSync(this.place)) return
    const shards = readdirSync(this.place).filter((name) => name !== 'tmp')
    if (shards.some((shard) => readdirSync(join(this.place, shard)).length > 0))
      throw new RefusesToBoot(`${this.place} holds files already: restore into an empty installation.`)
  }

  async put(key: string, { size, content_type, bytes }: OpenedObject): Promise<void> {
    this.files ??= new ObjectFiles(this.staged)
    await this.files.write(key, streamOf(bytes), {
      content_type,
      size,
      md5_base64: undefined,
      sha256_hex: undefined,
      idle_ms: IDLE_MS_MAX,
    })
  }

  finish(secrets: Secrets | undefined): void {
    this.secrets?.write(secrets)
    this.files?.close()
    if (!this.files) return
    writeFileSync(this.mark, '', { flush: true, mode: 0o600 })
    rmSync(this.place, { recursive: true, force: true })
    renameSync(this.staged, this.place)
    this.finished = true
  }

  settle(): void {
    rmSync(this.mark, { force: true })
  }

  async undo(): Promise<void> {
    this.secrets?.undo()
    this.files?.close()
    if (!this.files) return
    rmSync(this.finished ? this.place : this.staged, { recursive: true, force: true })
    rmSync(this.mark, { force: true })
    if (readdirSync(dirname(this.place)).length === 0) rmdirSync(dirname(this.place))
  }
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

/** The store of S3_ENDPOINT: an object that is there already, under the same key and as large, stays as it is. */
class ExternalTarget implements Target {
  /** Lists the keys that were put, a line each. */
  private list: string | undefined

  constructor(
    private readonly store: ObjectOperations,
    private readonly secrets: SecretsFile | undefined,
  ) {}

  get keepsSecrets(): boolean {
    return this.secrets !== undefined
  }

  demandEmpty(): void {
    // Keys are random: what is there is of this installation, or in nobody's way.
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

/** Where the secrets and objects of the installation that the environment names are put. */
export async function openTarget(environment: Environment): Promise<Target> {
  const secrets = environment.DATABASE_URL === undefined ? new SecretsFile(environment.DATA_DIR) : undefined
  const store = await externalStore(environment)
  return store ? new ExternalTarget(store, secrets) : new EmbeddedTarget(environment, secrets)
}
