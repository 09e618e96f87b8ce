import { codeOf } from '../core/errors.ts'
import type { Sql } from './database.ts'

/** feature_not_supported */
const UNSUPPORTED = '0A000'

/** A function, and the statements that it runs. */
interface Loosened {
  oid: number
  body: string
}

/**
 * Runs a migration in the caller's transaction. PostgreSQL 15.20 (November 2026) refuses to add a column with a default
 * to a table while a function with a parsed body (`begin atomic`) reads a column of a parameter of its row type; the
 * versions before, for which migrations were written, allow it. Where it is refused, the bodies are text while the
 * migration runs, and parsed again afterwards.
 * @throws what the database throws
 */
export async function runWithRowTypes(connection: Sql, work: () => Promise<unknown>): Promise<void> {
  await connection`savepoint migration`
  try {
    await work()
  } catch (error) {
    if (codeOf(error) !== UNSUPPORTED) throw error
    await connection`rollback to savepoint migration`
    const loosened = await loosen(connection)
    if (loosened.length === 0) throw error
    await work()
    await tighten(connection, loosened)
  }
  await connection`release savepoint migration`
}

/** Makes the parsed bodies of functions with parameters of row types text. */
async function loosen(connection: Sql): Promise<Loosened[]> {
  const functions = await connection<{ oid: number; definition: string; parsed: string }[]>`
    select oid::int, pg_get_functiondef(oid) as definition, pg_get_function_sqlbody(oid) as parsed from pg_proc
    where pronamespace = current_schema()::regnamespace and prosqlbody is not null and exists (
      select from unnest(proargtypes) argument (type) join pg_type t on t.oid = argument.type where t.typtype = 'c')`
  return Promise.all(
    functions.map(async ({ oid, definition, parsed }) => {
      const [, statements] = /^\s*BEGIN ATOMIC\s(.*)\sEND\s*$/s.exec(parsed) ?? []
      const body = statements ?? parsed.replace(/^\s*RETURN\s/, 'select ')
      await connection.unsafe(`${definition.slice(0, definition.indexOf(parsed))} as ${literal(body)}`)
      return { oid, body }
    }),
  )
}

/** Parses the bodies again, but for functions that the migration has dropped or replaced. */
async function tighten(connection: Sql, loosened: Loosened[]): Promise<void> {
  const functions = await connection<{ oid: number; definition: string; body: string }[]>`
    select oid::int, pg_get_functiondef(oid) as definition, prosrc as body from pg_proc
    where oid = any(${loosened.map(({ oid }) => oid)}::int[]::oid[]) and prosqlbody is null`
  for (const { oid, definition, body } of functions)
    if (loosened.some((one) => one.oid === oid && one.body === body))
      await connection.unsafe(
        `${definition.slice(0, definition.indexOf('\nAS '))} begin atomic ${body.replace(/;?\s*$/, ';')} end`,
      )
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`
