import postgres from 'postgres'
import type { Database } from '../src/database/database.ts'
import type { BenchServer } from './server.ts'

/**
 * The plans of the statements that `work` executes, and of statements in their functions, by PostgreSQL's auto_explain.
 */
export async function plansOf(
  { socket }: BenchServer,
  work: (sql: Database, note: (line: string) => void) => Promise<unknown>,
): Promise<string> {
  const lines: string[] = []
  const sql = postgres({
    path: `${socket}/.s.PGSQL.5432`,
    database: 'parley',
    username: 'parley',
    max: 1,
    onnotice: ({ message }) => void lines.push(message ?? '', ''),
  }) as unknown as Database
  await sql.unsafe(`load 'auto_explain'; set auto_explain.log_min_duration = 0; set auto_explain.log_analyze = on;
    set auto_explain.log_nested_statements = on; set auto_explain.log_buffers = on; set client_min_messages = log`)
  lines.length = 0
  await work(sql, (line) => void lines.push(line))
  await sql.end()
  return lines.join('\n')
}
