import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { RefusesToBoot } from '../core/errors.ts'
import { isLockTimeout, type Sql } from './database.ts'

// The functions and views of the database, one per file in sql/functions/<area>. Migrations never change; these files
// are edited in place. A file whose hash differs from the installed one is installed again, in the transaction of the
// migrations. A migration that needs an older version of a function contains its text.

/** Lists the files, each after those it depends on. */
const ORDER = 'functions/order.txt'
const TABLE = 'create table if not exists installed_functions (name text primary key, digest text not null)'

interface FunctionFile {
  /** Path below sql/functions, without the extension. */
  name: string
  /** The SHA-256 of its source. */
  digest: string
  source: string
}

/** @param folder of the migrations. Only tests use one without functions. */
function filesIn(folder: string): FunctionFile[] {
  const order = join(folder, ORDER)
  if (!existsSync(order)) return []
  const names = readFileSync(order, 'utf8').trimEnd().split('\n')
  return names.map((name) => {
    const source = readFileSync(join(folder, 'functions', `${name}.sql`), 'utf8')
    return { name, source, digest: createHash('sha256').update(source).digest('hex') }
  })
}

/** The files that differ from the installed ones, in installation order. */
async function staleIn(sql: Sql, folder: string): Promise<FunctionFile[]> {
  const [table] = await sql<{ there: boolean }[]>`select to_regclass('installed_functions') is not null as there`
  const installedFiles = table?.there ? await sql<FunctionFile[]>`select name, digest from installed_functions` : []
  const digests = new Map(installedFiles.map(({ name, digest }) => [name, digest]))
  return filesIn(folder).filter(({ name, digest }) => digests.get(name) !== digest)
}

/** @returns true if a function is missing from the database, or is another version's */
export const hasStaleFunctions = async (sql: Sql, folder: string): Promise<boolean> =>
  (await staleIn(sql, folder)).length > 0

/**
 * Installs functions and views in the caller's transaction: the stale ones, or all after a migration, because it may
 * have replaced some.
 * @throws RefusesToBoot with the name of the file that fails
 */
export async function installFunctions(sql: Sql, folder: string, { all }: { all: boolean }): Promise<void> {
  const files = all ? filesIn(folder) : await staleIn(sql, folder)
  if (files.length === 0) return
  await sql.unsafe(TABLE)
  for (const { name, digest, source } of files) {
    const record = `insert into installed_functions (name, digest) values ('${name}', '${digest}')
      on conflict (name) do update set digest = excluded.digest`
    await sql.unsafe(`${source};${record}`).catch((error: Error) => {
      if (isLockTimeout(error)) throw error
      throw new RefusesToBoot(`sql/functions/${name}.sql does not run: ${error.message}.`)
    })
  }
}
