import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrate.ts'
import { createDatabase } from '../support/harness.ts'
import { schemaText } from '../support/schema-text.ts'

const SCHEMA = join(import.meta.dir, '../../sql/schema.sql')

test('sql/schema.sql shows every table as migrations leave it, with a comment for each table and column', async () => {
  const sql = openDatabase({ url: await createDatabase('schema') }, 1)
  await migrate(sql)
  const { text, uncommented } = await schemaText(sql)
  await sql.end()
  if (process.env.UPDATE_SCHEMA) writeFileSync(SCHEMA, text)
  expect(uncommented).toEqual([])
  expect(text.split('\n')).toEqual(readFileSync(SCHEMA, 'utf8').split('\n'))
})
