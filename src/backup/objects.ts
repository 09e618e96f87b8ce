import type { Sql } from '../database/database.ts'
import type { Environment } from '../environment.ts'
import { openObject } from '../storage/object-files.ts'
import { objectsDirectory } from '../storage/open-objects.ts'
import { externalStore } from '../storage/s3-store.ts'

/** An object with its bytes, to be read once. */
export interface OpenedObject {
  size: number
  content_type: string
  bytes: AsyncIterable<Uint8Array>
}

/**
 * Tables of pictures and sounds that are no files of an account, with SQL for their objects' keys. Each table has the
 * columns id and created_at.
 */
export const PICTURES = [
  { table: 'emojis', key: `'emoji/' || key` },
  { table: 'sounds', key: `'sounds/' || key` },
  { table: 'role_icons', key: `'role-icons/' || key` },
  { table: 'stickers', key: `'stickers/' || key` },
  { table: 'banners', key: `'banners/' || key` },
  { table: 'preview_pictures', key: 'key' },
]

/** True if a restored row needs the object. @param tables those of the archive; earlier versions lack some */
export async function isUsed(connection: Sql, tables: { name: string }[], key: string): Promise<boolean> {
  const has = (table: string) => tables.some(({ name }) => name === table)
  for (const table of ['files', 'report_files'].filter(has)) {
    const [row] = await connection`
      select from ${connection(table)} where key = ${key} or thumbnail_key = ${key} limit 1`
    if (row) return true
  }
  for (const { table, key: column } of PICTURES) {
    if (!has(table)) continue
    const [row] = await connection.unsafe(`select from ${table} where ${column} = $1 limit 1`, [key])
    if (row) return true
  }
  return false
}

/** Opens an object of an installation; undefined if it is missing. */
export type ObjectSource = (key: string) => Promise<OpenedObject | undefined>

/** Reads the objects of an installation, whether or not its server runs. */
export async function objectSource(environment: Environment): Promise<ObjectSource> {
  const store = await externalStore(environment)
  if (!store) return (key) => openObject(objectsDirectory(environment), key)
  return async (key) => {
    const head = await store.head(key)
    const bytes = head && (await store.get(key))
    return bytes && { ...head, bytes }
  }
}
