import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, RefusesToBoot } from '../core/errors.ts'
import { programFile } from '../core/program.ts'
import { VERSION } from '../core/version.ts'
import { type Database, isLockTimeout, NOTICE_LISTENER_NAME, type Sql } from './database.ts'
import { hasStaleFunctions, installFunctions } from './functions.ts'
import { loosenFunctions } from './loosen-functions.ts'
import { kindOf, kindOfAll, type MigrationKind } from './migration-kinds.ts'

const MIGRATION_LOCK = 7_201_504
const UNLOCK_MS_MAX = 2_000
/**
 * Next to running servers, a change of the schema waits this long for each lock, because their statements queue behind
 * it. Then it is undone and tried again.
 */
const LOCK_MS_MAX = 1_000
const LOCK_PAUSE_MS = 500
const LOCK_ATTEMPTS_MAX = 40
/** insufficient_privilege */
const FORBIDDEN = '42501'
const NO_SCHEMA = 'There is no Parley in this database: start the server first.'
const MAY_NOT = 'The role in DATABASE_URL may not change the schema: make it the owner of the database'

/** Version 0.14.0 created the table without the last column. */
const TABLE = `create table if not exists migrations (
  name text primary key, digest text not null, ran_at timestamptz(3) not null default now());
  alter table migrations add column if not exists version text`

export interface Migration {
  name: string
  /** The SHA-256 of its source. */
  digest: string
}

type SourceFile = Migration & { source: string }

/** File names of migrations. */
const MIGRATION = /^\d{4}_\w+\.sql$/

/** The migrations of this version, in order. */
const filesIn = (folder: string): SourceFile[] =>
  readdirSync(folder)
    .filter((name) => MIGRATION.test(name))
    .sort()
    .map((name) => {
      const source = readFileSync(join(folder, name), 'utf8')
      return { name, source, digest: createHash('sha256').update(source).digest('hex') }
    })

const FOLDER = programFile('sql')

/**
 * Checks that the schema is this version's, and changes nothing.
 * @throws RefusesToBoot if there is none, or it is another version's
 */
export async function demandSchema(sql: Database): Promise<void> {
  const [pendingFile] = pending(filesIn(FOLDER), await knownMigrations(sql))
  if (pendingFile)
    throw new RefusesToBoot(`The database has not run sql/${pendingFile.name}: start this version of the server first.`)
  if (await hasStaleFunctions(sql, FOLDER))
    throw new RefusesToBoot('The database has functions of another version: start this version of the server first.')
}

interface Options {
  folder?: string
  /** Called before migrations run on existing data. */
  beforeUpgrade?: () => Promise<void>
}

/** The changes that the next start of this version would make. */
export interface Upgrade {
  /** The newest applied migration, and the version that ran it, if known. */
  newest: string | undefined
  newestVersion: string | undefined
  pending: { name: string; kind: MigrationKind }[]
  /** True if functions or views differ from this version's. */
  hasStaleFunctions: boolean
  /** undefined if nothing would change. */
  kind: MigrationKind | undefined
}

/**
 * Describes the next upgrade, and changes nothing.
 * @throws RefusesToBoot if there is no schema, or it is newer than this version
 */
export async function nextUpgrade(sql: Database, folder = FOLDER): Promise<Upgrade> {
  if (!(await hasTable(sql))) throw new RefusesToBoot(NO_SCHEMA)
  const applied = await ranOn(sql)
  const pendingFiles = pending(filesIn(folder), applied).map(({ name, source }) => ({ name, kind: kindOf(source) }))
  const isStale = await hasStaleFunctions(sql, folder)
  const newest = applied.at(-1)
  return {
    newest: newest?.name,
    newestVersion: newest?.version ?? undefined,
    pending: pendingFiles,
    hasStaleFunctions: isStale,
    kind: pendingFiles.length > 0 || isStale ? kindOfAll(pendingFiles.map(({ kind }) => kind)) : undefined,
  }
}

/**
 * Brings the schema and its functions up to date: forward only, in one transaction, under a lock. Servers of an earlier
 * version may run meanwhile if every pending migration is an expansion.
 * @returns the names of the migrations that it ran
 * @throws RefusesToBoot if an applied migration was edited or is missing, one fails, or servers of an earlier version
 * use the database and have to stop first
 */
export async function migrate(sql: Database, { folder = FOLDER, beforeUpgrade }: Options = {}): Promise<string[]> {
  const files = filesIn(folder)
  const connection = await sql.reserve()
  try {
    return await withMigrationLock(connection, async () => {
      const applied = await ranOn(connection)
      const pendingFiles = pending(files, applied)
      if (pendingFiles.length === 0 && !(await hasStaleFunctions(connection, folder))) return []
      const kind = kindOfAll(pendingFiles.map(({ source }) => kindOf(source)))
      if (applied.length > 0) {
        if (kind === 'break') await demandNoServers(connection)
        if (pendingFiles.length > 0) await beforeUpgrade?.()
      }
      await change(connection, kind, async () => {
        await run(connection, pendingFiles)
        await installFunctions(connection, folder, { all: pendingFiles.length > 0 })
      })
      return pendingFiles.map(({ name }) => name)
    })
  } finally {
    connection.release()
  }
}

/** Changes the schema in one transaction. An expansion does not keep running servers waiting. @throws RefusesToBoot */
async function change(connection: Sql, kind: MigrationKind, work: () => Promise<void>): Promise<void> {
  for (let attempts = 1; ; attempts++) {
    await connection`begin`
    try {
      if (kind === 'expand') await connection.unsafe(`set local lock_timeout = ${LOCK_MS_MAX}`)
      await work()
      await connection`commit`
      return
    } catch (error) {
      await connection`rollback`.catch(() => {})
      if (kind === 'break' || !isLockTimeout(error)) throw error
      if (attempts === LOCK_ATTEMPTS_MAX)
        throw new RefusesToBoot('The schema cannot be changed, because other transactions lock its tables: try again.')
      await Bun.sleep(LOCK_PAUSE_MS)
    }
  }
}

/**
 * Waits, without a time limit, for the lock that serialises schema changes, and runs `work` under it. If the
 * connection dies, the lock is released with it; the caller closes the connection.
 */
export async function withMigrationLock<T>(connection: Sql, work: () => Promise<T>): Promise<T> {
  await connection`set statement_timeout = 0`
  try {
    await connection`select pg_advisory_lock(${MIGRATION_LOCK})`
    return await work()
  } finally {
    const unlocking = Promise.all([
      connection`select pg_advisory_unlock(${MIGRATION_LOCK})`,
      connection`reset statement_timeout`,
    ])
    await Promise.race([unlocking.catch(() => {}), Bun.sleep(UNLOCK_MS_MAX)])
  }
}

/**
 * Brings an installation to the schema of a backup, and later to that of this version, in the caller's transaction.
 * @param schema the migrations of the backup's data
 * @returns runs the remaining migrations
 * @throws RefusesToBoot if this version lacks one of them, or the database has others already
 */
export async function migrateTo(connection: Sql, schema: Migration[], version: string): Promise<() => Promise<void>> {
  const files = filesIn(FOLDER)
  const later = pending(files, schema, version)
  const applied = await ranOn(connection)
  const pendingFiles = pending(files, applied)
  const backupNames = new Set(schema.map(({ name }) => name))
  const [beyond] = applied.filter(({ name }) => !backupNames.has(name))
  if (beyond)
    throw new RefusesToBoot(`The database ran sql/${beyond.name}, which is newer than the backup: use an empty one.`)
  const first = pendingFiles.filter(({ name }) => backupNames.has(name))
  if (first.length > 0) await run(connection, first)
  return async () => {
    if (later.length > 0) await run(connection, later)
    await installFunctions(connection, FOLDER, { all: true })
  }
}

async function hasTable(sql: Sql): Promise<boolean> {
  const [table] = await sql<{ there: boolean }[]>`select to_regclass('migrations') is not null as there`
  return table?.there === true
}

/** The applied migrations, with the program version that ran each, if known. */
export async function ranOn(sql: Sql): Promise<(Migration & { version?: string | null })[]> {
  return (await hasTable(sql))
    ? sql<(Migration & { version?: string | null })[]>`select * from migrations order by name`
    : []
}

/** As `ranOn`. @throws RefusesToBoot if this version lacks one of them, or there are none */
export async function knownMigrations(sql: Sql): Promise<Migration[]> {
  if (!(await hasTable(sql))) throw new RefusesToBoot(NO_SCHEMA)
  const applied = await ranOn(sql)
  pending(filesIn(FOLDER), applied)
  return applied
}

/**
 * The migrations of this version that have not run yet.
 * @param version of the program that wrote the data, if known
 * @throws RefusesToBoot if an applied migration is unknown to this version, or differs from this version's
 */
function pending(
  files: SourceFile[],
  applied: (Migration & { version?: string | null })[],
  version?: string,
): SourceFile[] {
  const newest = applied.findLast(({ name }) => !files.some((file) => file.name === name))
  if (newest)
    throw new RefusesToBoot(
      `The database has run sql/${newest.name}, which this version (${VERSION}) does not have: ` +
        `use ${programWith(newest.name, version ?? newest.version)}.`,
    )
  for (const migration of applied) {
    const file = files.find((candidate) => candidate.name === migration.name)
    if (file?.digest !== migration.digest) throw new RefusesToBoot(`sql/${migration.name} was edited after it ran.`)
  }
  const appliedNames = new Set(applied.map(({ name }) => name))
  return files.filter(({ name }) => !appliedNames.has(name))
}

/**
 * Describes a program that has a migration. If its version equals this one, the version says nothing: the migration
 * was added between two releases.
 */
function programWith(name: string, version: string | null | undefined): string {
  const isNewer = version && Bun.semver.order(version, VERSION) > 0
  if (isNewer) return `Parley ${version} or later`
  return `a release after ${VERSION}, or a commit of Parley that has this file (git log --all -- sql/${name})`
}

/** Runs migrations in the caller's transaction. */
async function run(connection: Sql, files: SourceFile[]): Promise<void> {
  await connection`set local statement_timeout = 0`
  for (const { name, source, digest } of files) {
    await loosenFunctions(connection)
    // Together with the first file, which creates the table, so that a failure leaves nothing behind.
    const insertion = `insert into migrations (name, digest, version) values ('${name}', '${digest}', '${VERSION}')`
    await connection.unsafe(`${TABLE};\n${source}\n;${insertion}`).catch((error: Error) => {
      if (isLockTimeout(error)) throw error
      if (codeOf(error) === FORBIDDEN) throw new RefusesToBoot(`${MAY_NOT} (sql/${name}: ${error.message}).`)
      throw new RefusesToBoot(`sql/${name} does not run: ${error.message}.`)
    })
  }
}

/** Servers of this version would have run the pending migrations, so running servers must be older. */
async function demandNoServers(sql: Sql): Promise<void> {
  const [row] = await sql<{ servers: number }[]>`select count(*)::int as servers from pg_stat_activity
    where application_name = ${NOTICE_LISTENER_NAME} and datname = current_database()`
  if (row?.servers)
    throw new RefusesToBoot(
      `${row.servers === 1 ? 'A server' : `${row.servers} servers`} of an earlier version ` +
        `${row.servers === 1 ? 'runs' : 'run'} on this database: stop ${row.servers === 1 ? 'it' : 'them'} first.`,
    )
}
