import { z } from 'zod'
import { logEntries } from '../../features/operator/log.ts'
import { command, Cursor, Flag, Limit, paged } from './model.ts'
import { table } from './print.ts'

/** The admin log, which records every command and every act through the operator's page. */
export const logCommands = {
  log: command({
    positionals: [],
    args: z.strictObject({ limit: Limit, before: Cursor, json: Flag }),
    words: '[--limit <n>] [--before <id>] [--json]',
    summary: 'every use of this program and of the operator’s page, newest first',
    run: async ({ sql }, { limit, before = Number.MAX_SAFE_INTEGER }) => {
      const rows = await logEntries(sql, sql`id < ${before} order by id desc limit ${limit + 1}`)
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
