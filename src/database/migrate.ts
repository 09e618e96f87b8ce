import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, RefusesToBoot } from '../core/errors.ts'
import { programFile } from '../core/program.ts'
import type { Database, Sql } from './database.ts'

const MIGRATION_LOCK = 7_201_504
/** insufficient_privilege */
const FORBIDDEN = '42501'
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

const FOLDER = programFile('sql')

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
 * Brings the schema up to date: forward only, each file in a transaction of its own, one process at a time.
 * @returns the names of the files that it ran
 * @throws RefusesToBoot when a file that ran before has been edited or is gone, or one does not run
 */
export async function migrate(sql: Database, folder = FOLDER): Promise<string[]> {
  const files = filesIn(folder)
  const connection = await sql.reserve()
  const ran: string[] = []
  try {
    await connection`select pg_advisory_lock(${MIGRATION_LOCK})`
    const done = await ranOn(connection)
    for (const { name, digest } of done) {
      const file = files.find((candidate) => candidate.name === name)
      if (!file) throw new RefusesToBoot(`The database ran sql/${name}, which this version does not have.`)
      if (hash(file.source) !== digest) throw new RefusesToBoot(`sql/${name} was edited after it ran.`)
    }
    const before = new Set(done.map((row) => row.name))
    for (const { name, source } of files.filter((file) => !before.has(file.name))) {
      const recorded = `insert into migrations (name, digest) values ('${name}', '${hash(source)}')`
      await connection.unsafe(`begin;${TABLE};\n${source}\n;${recorded};commit`).catch(async (error: Error) => {
        await connection`rollback`.catch(() => {})
        if (codeOf(error) === FORBIDDEN) throw new RefusesToBoot(`${MAY_NOT} (sql/${name}: ${error.message}).`)
        throw new RefusesToBoot(`sql/${name} does not run: ${error.message}.`)
      })
      ran.push(name)
    }
  } finally {
    await connection`select pg_advisory_unlock(${MIGRATION_LOCK})`.catch(() => {})
    connection.release()
  }
  return ran
}

/** The files that this database has run. */
async function ranOn(sql: Sql): Promise<{ name: string; digest: string }[]> {
  const [table] = await sql<{ there: boolean }[]>`select to_regclass('migrations') is not null as there`
  return table?.there ? sql`select name, digest from migrations order by name` : []
}

const hash = (source: string): string => createHash('sha256').update(source).digest('hex')
