import type { Sql } from '../database/database.ts'
import { PICTURES } from './objects.ts'
import { tablesOf } from './tables.ts'

/** Object keys fetched per query. */
const KEYS_AT_ONCE = 500
/** A file committed after an earlier backup may have been created up to this long before it. */
const COMMIT_SECONDS_MAX = 3600

/**
 * The keys of the objects that rows name, in a transaction of the connection. An optional one belongs to an upload that
 * has not been recorded, and may be missing.
 * @param since of files created since this time
 */
export async function* objectKeys(connection: Sql, since: string): AsyncGenerator<{ key: string; optional: boolean }> {
  // Ordered by id, so that archives of the same files are identical.
  const recentRows = (table: string) => `(select * from ${table}
    where created_at >= '${since}'::timestamptz - interval '${COMMIT_SECONDS_MAX} seconds' order by id) chosen`
  // Databases of earlier versions may lack tables.
  const tables = (await tablesOf(connection)).map(({ name }) => name)
  const pictures = PICTURES.filter(({ table }) => tables.includes(table)).map(
    ({ table, key }) => `select ${key}, null, false from ${recentRows(table)} union all`,
  )
  // Files that reports keep after their message is gone; several reports may keep the same.
  if (tables.includes('report_files'))
    pictures.push(`select key, thumbnail_key, false from ${recentRows('report_files')}
      where not exists (select from files f where f.key = chosen.key)
        and not exists (select from report_files e where e.key = chosen.key and e.id < chosen.id) union all`)
  await connection.unsafe(`declare keys no scroll cursor for
    select key, thumbnail_key, false as optional from ${recentRows('files')}
    union all
    ${pictures.join(' ')}
    select key, null, true from (select * from uploads where starts_with(key, 'incoming/') order by key) uploaded`)
  for (;;) {
    const rows = await connection.unsafe<KeyRow[]>(`fetch ${KEYS_AT_ONCE} from keys`)
    for (const { key, thumbnail_key, optional } of rows) {
      yield { key, optional }
      if (thumbnail_key !== null) yield { key: thumbnail_key, optional }
    }
    if (rows.length < KEYS_AT_ONCE) return
  }
}

interface KeyRow {
  key: string
  thumbnail_key: string | null
  optional: boolean
}
