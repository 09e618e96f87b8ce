import { z } from 'zod'
import type { Transaction } from '../../database/database.ts'
import { command, Cursor, Flag, Limit, type Outcome, paged } from './model.ts'
import { table } from './print.ts'

/** Records a command in the admin log, in the transaction of its change. */
export async function record(
  sql: Transaction,
  operator: string,
  action: string,
  { target, changes = {} }: Pick<Outcome, 'target' | 'changes'>,
): Promise<void> {
  const [target_type, target_id] = target ?? [null, null]
  const entry = { operator, action, target_type, target_id, changes: sql.json(changes) }
  await sql`insert into admin_log ${sql(entry)}`
}

interface Entry {
  id: number
  created_at: string
  operator: string
  action: string
  target_type: string | null
  target_id: number | null
  changes: object
}

/** The admin log, which records every command. */
export const logCommands = {
  log: command({
    positionals: [],
    args: z.strictObject({ limit: Limit, before: Cursor, json: Flag }),
    words: '[--limit <n>] [--before <id>] [--json]',
    summary: 'every use of this program, newest first',
    run: async ({ sql }, { limit, before = Number.MAX_SAFE_INTEGER }) => {
      const rows = await sql<Entry[]>`
        select id, created_at, operator, action, target_type, target_id, changes from admin_log
        where id < ${before} order by id desc limit ${limit + 1}`
      const { page, next } = paged(rows, limit)
      return {
        result: { entries: page, next },
        lines: [
          ...table(page.map(({ changes, ...entry }) => ({ ...entry, changes: JSON.stringify(changes) }))),
          ...(next === null ? [] : [`More: --before ${next}`]),
        ],
      }
    },
  }),
}
