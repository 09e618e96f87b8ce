import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, RefusesToBoot } from '../core/errors.ts'
import { type Database, NOTICE_LISTENER_NAME, type Sql } from './database.ts'

const MIGRATION_LOCK = 7_201_504
/** insufficient_privilege */
const FORBIDDEN = '42501'
/** A server that is stopping needs some seconds. */
const SOLITUDE_SECONDS_MAX = 5
const MAY_NOT = 'The role in DATABASE_URL may not change the schema: make it the owner of the database'

/** Made with the first file: one that fails leaves nothing behind. */
const TABLE = `create table if not exists migrations (
  name text primary key, digest text not null, ran_at timestamptz(3) not null default now())`

/** The migrations of this version, in their order. */
const filesIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => ({ name, source: readFileSync(join(folder, name), 'utf8') }))

const FOLDER = join(import.meta.dir, '../../sql')

/**
 * Checks that the schema is this version's, and changes nothing.
 * @throws RefusesToBoot when there is none, or another version's
 */
export async function demandSchema(sql: Database): Promise<void> {
  const [table] = await sql<{ there: boolean }[]>`select to_regclass('migrations') is not null as there`
  if (!table?.there) throw new RefusesToBoot('There is no Parley in this database: start the server first.')
  const ran = new Set((await sql<{ name: string }[]>`select name from migrations`).map((row) => row.name))
  const own = new Set(filesIn(FOLDER).map((file) => file.name))
  const [missing] = own.difference(ran)
  const [unknown] = ran.difference(own)
  if (missing)
    throw new RefusesToBoot(`The database has not run sql/${missing}: start this version of the server first.`)
  if (unknown) throw new RefusesToBoot(`The database ran sql/${unknown}, which this version does not have.`)
}

/**
 * Brings the schema up to date: forward only, one process at a time, all files that are missing in one transaction
 * without a time limit.
 * @returns the names of the files that it ran
 * @throws RefusesToBoot when a file that ran before has been edited or is gone, one does not run, or servers of another
 * version are still at work
 */
export async function migrate(sql: Database, folder = FOLDER): Promise<string[]> {
  const files = filesIn(folder)
  const connection = await sql.reserve()
  try {
    await connection`select pg_advisory_lock(${MIGRATION_LOCK})`
    const done = await ranOn(connection)
    for (const { name, digest } of done) {
      const file = files.find((candidate) => candidate.name === name)
      if (!file) throw new RefusesToBoot(`The database ran sql/${name}, which this version does not have.`)
      if (hash(file.source) !== digest) throw new RefusesToBoot(`sql/${name} was edited after it ran.`)
    }
    const before = new Set(done.map((row) => row.name))
    const pending = files.filter((file) => !before.has(file.name))
    if (pending.length === 0) return []
    await demandSolitude(connection)
    await connection.unsafe(`begin; set local statement_timeout = 0; ${TABLE}`).catch(refuse(connection, pending[0]))
    for (const file of pending) {
      const recorded = `insert into migrations (name, digest) values ('${file.name}', '${hash(file.source)}')`
      await connection.unsafe(`${file.source}\n;${recorded}`).catch(refuse(connection, file))
    }
    await connection`commit`.catch(refuse(connection, pending.at(-1)))
    return pending.map((file) => file.name)
  } finally {
    await connection`select pg_advisory_unlock(${MIGRATION_LOCK})`.catch(() => {})
    connection.release()
  }
}

/** Rolls back, and refuses to boot over the file that failed. */
const refuse = (connection: Sql, file: { name: string } | undefined) => async (error: Error) => {
  await connection`rollback`.catch(() => {})
  if (codeOf(error) === FORBIDDEN) throw new RefusesToBoot(`${MAY_NOT} (sql/${file?.name}: ${error.message}).`)
  throw new RefusesToBoot(`sql/${file?.name} does not run: ${error.message}.`)
}

/**
 * Waits until no server works on the database: one that has not run these files is of another version.
 * @throws RefusesToBoot when one still does after SOLITUDE_SECONDS_MAX
 */
async function demandSolitude(connection: Sql): Promise<void> {
  for (let waited_s = 0; ; waited_s++) {
    const others = await connection`select 1 from pg_stat_activity
      where application_name = ${NOTICE_LISTENER_NAME} and datname = current_database()`
    if (others.length === 0) return
    if (waited_s >= SOLITUDE_SECONDS_MAX)
      throw new RefusesToBoot('Servers of another version are running on this database: stop them all first.')
    await Bun.sleep(1000)
  }
}

/** The files that this database has run. */
async function ranOn(sql: Sql): Promise<{ name: string; digest: string }[]> {
  const [table] = await sql<{ there: boolean }[]>`select to_regclass('migrations') is not null as there`
  return table?.there ? sql`select name, digest from migrations order by name` : []
}

const hash = (source: string): string => createHash('sha256').update(source).digest('hex')
