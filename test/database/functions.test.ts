import { expect, test } from 'bun:test'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrate.ts'
import { createDatabase } from '../support/harness.ts'

const SQL = join(import.meta.dir, '../../sql')
/** The last migration of the layout in which migrations held the functions. */
const LAST = '0141_sends_by_sets.sql'

/** A folder with only the migrations that the predicate keeps, and no functions. */
function migrationsAlone(keep: (name: string) => boolean): string {
  const folder = mkdtempSync(join(tmpdir(), 'sql-'))
  for (const name of readdirSync(SQL))
    if (/^\d{4}_/.test(name) && keep(name)) cpSync(join(SQL, name), join(folder, name))
  return folder
}

async function databaseOf(...folders: (string | undefined)[]): Promise<Database> {
  const sql = openDatabase({ url: await createDatabase('functions') }, 2)
  for (const folder of folders) await migrate(sql, folder ? { folder } : {})
  return sql
}

/** The definition of every function, view, trigger, column, constraint and index, by its name. */
async function objectsOf(sql: Database): Promise<Map<string, string>> {
  const rows = await sql<{ name: string; definition: string }[]>`
    select p.oid::regprocedure::text as name, pg_get_functiondef(p.oid) || coalesce(p.proacl::text, '') as definition
      from pg_proc p where p.pronamespace = 'public'::regnamespace
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    union all select 'view ' || viewname, definition from pg_views where schemaname = 'public'
    union all select 'trigger ' || tgrelid::regclass || '.' || tgname, pg_get_triggerdef(oid)
      from pg_trigger where not tgisinternal
    union all select 'column ' || table_name || '.' || column_name,
        concat_ws(' ', data_type, is_nullable, column_default, generation_expression)
      from information_schema.columns where table_schema = 'public'
    union all select 'constraint ' || conrelid::regclass || '.' || conname, pg_get_constraintdef(oid)
      from pg_constraint where connamespace = 'public'::regnamespace
    union all select 'index ' || indexname, indexdef from pg_indexes where schemaname = 'public'`
  return new Map(rows.map(({ name, definition }) => [name, definition]))
}

test('a database of migrations with functions becomes the same as a new installation, object by object', async () => {
  const upgraded = await databaseOf(
    migrationsAlone((name) => name <= LAST),
    undefined,
  )
  const fresh = await databaseOf(undefined)
  const [before, now] = [await objectsOf(upgraded), await objectsOf(fresh)]
  expect(now.size).toBeGreaterThan(500)
  expect([...before].filter(([name, definition]) => now.get(name) !== definition)).toEqual([])
  expect([...now.keys()].filter((name) => !before.has(name))).toEqual([])
  await Promise.all([upgraded.end(), fresh.end()])
})

test('every function and view of the database has a file, and every file is installed', async () => {
  const sql = await databaseOf(undefined)
  const named = await sql<{ name: string }[]>`
    select distinct p.proname as name from pg_proc p where p.pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    union select viewname from pg_views where schemaname = 'public'`
  const files = [...new Bun.Glob('functions/*/*.sql').scanSync({ cwd: SQL })].map((path) => path.slice(10, -4)).sort()
  const order = readFileSync(join(SQL, 'functions/order.txt'), 'utf8').trimEnd().split('\n')
  expect(order.toSorted()).toEqual(files)
  const names = files.map((path) => path.split('/')[1] ?? '').filter((name) => name !== 'comments')
  expect(names.sort()).toEqual(named.map(({ name }) => name).sort())
  const installed = await sql<{ name: string }[]>`select name from installed_functions`
  expect(installed.map(({ name }) => name).sort()).toEqual(files)
  await sql.end()
})

/** A folder with one migration and one function, which returns `answer`. */
function folderWith(answer: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'sql-'))
  mkdirSync(join(folder, 'functions/area'), { recursive: true })
  writeFileSync(join(folder, '0001_first.sql'), 'create table things (id int);')
  writeFileSync(join(folder, 'functions/order.txt'), 'area/answer\n')
  write(folder, answer)
  return folder
}
const write = (folder: string, answer: string) =>
  writeFileSync(
    join(folder, 'functions/area/answer.sql'),
    `create or replace function answer() returns text language sql return ${answer};`,
  )
const answerOf = async (sql: Database) => (await sql<{ answer: string }[]>`select answer()`)[0]?.answer

test('an edited function is installed again at the next start, and an unchanged one is not', async () => {
  const folder = folderWith("'first'")
  const sql = await databaseOf(folder)
  expect(await answerOf(sql)).toBe('first')
  await sql.unsafe("create or replace function answer() returns text language sql return 'by hand'")
  expect(await migrate(sql, { folder })).toEqual([])
  expect(await answerOf(sql)).toBe('by hand')
  write(folder, "'second'")
  await migrate(sql, { folder })
  expect(await answerOf(sql)).toBe('second')
  await sql.end()
})

test('a migration that replaces a function with its own leaves the file’s in place', async () => {
  const folder = folderWith("'of the file'")
  const sql = await databaseOf(folder)
  writeFileSync(
    join(folder, '0002_old_body.sql'),
    "create or replace function answer() returns text language sql return 'of the migration';",
  )
  expect(await migrate(sql, { folder })).toEqual(['0002_old_body.sql'])
  expect(await answerOf(sql)).toBe('of the file')
  await sql.end()
})

test('a function that does not run keeps the migrations of the same start from running', async () => {
  const folder = folderWith("'first'")
  const sql = await databaseOf(folder)
  writeFileSync(join(folder, '0002_more.sql'), 'create table more (id int);')
  write(folder, 'no_such_column')
  await expect(migrate(sql, { folder })).rejects.toThrow('sql/functions/area/answer.sql does not run')
  expect(await sql`select to_regclass('more')::text as more`).toEqual([{ more: null }] as never)
  expect(await answerOf(sql)).toBe('first')
  await sql.end()
})
