import { openDatabase } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrate.ts'

/** Brings a database to the schema of this version, next to a running server of an earlier one. */
export async function bringUp(url: string): Promise<void> {
  const sql = openDatabase({ url }, 1, 'parley-next-schema')
  await migrate(sql).finally(() => sql.end())
}
