import type { Sql } from '../../database/database.ts'
import type { AdminLogEntry } from './model.ts'

/** Entries of the admin log. @param tail the limit and order of the page */
export const logEntries = (sql: Sql, tail: ReturnType<Sql>) => sql<AdminLogEntry[]>`
  select id, created_at, operator, operator_id, action, target_type, target_id, changes from admin_log where ${tail}`
