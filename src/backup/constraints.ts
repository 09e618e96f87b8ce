import type { Sql } from '../database/database.ts'
import type { Head } from './manifest.ts'
import { quoted, type Table } from './tables.ts'

/** A foreign key that is dropped while rows are inserted, and recreated afterwards. */
export interface ForeignKey {
  table: string
  name: string
  definition: string
}

/** Removes obstacles to inserting rows: foreign keys, triggers, and rows created by migrations. */
export async function loosen(connection: Sql, tables: Table[]): Promise<ForeignKey[]> {
  const keys = await connection<ForeignKey[]>`
    select conrelid::regclass::text as table, conname::text as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace`
  for (const { table, name } of keys) await connection.unsafe(`alter table ${table} drop constraint ${quoted(name)}`)
  for (const { name } of tables) await connection.unsafe(`alter table ${quoted(name)} disable trigger user`)
  await connection.unsafe(`truncate ${tables.map(({ name }) => quoted(name)).join(', ')}`)
  return keys
}

/** Undoes `loosen`, and advances sequences beyond the restored rows. */
export async function tighten(
  connection: Sql,
  tables: Table[],
  keys: ForeignKey[],
  sequences: Head['sequences'],
): Promise<void> {
  for (const { name } of tables) await connection.unsafe(`alter table ${quoted(name)} enable trigger user`)
  for (const { table, name, definition } of keys)
    await connection.unsafe(`alter table ${table} add constraint ${quoted(name)} ${definition}`)
  for (const { name, last_value } of sequences)
    await connection`select setval(c.oid, greatest(${last_value}, s.last_value))
      from pg_class c join pg_sequences s on s.sequencename = c.relname and s.schemaname = current_schema()
      where c.relname = ${name} and c.relkind = 'S' and c.relnamespace = current_schema()::regnamespace`
}
