import { z } from 'zod'
import type { Sql } from '../../database/database.ts'
import { text } from '../../core/schema.ts'
import { accountSummaries, NO_ACCOUNT, searchCondition, showAccount } from '../../features/operator/accounts.ts'
import { must } from '../../features/operator/act.ts'
import type { AccountSummary } from '../../features/operator/model.ts'
import { Account, command, Cursor, Flag, Limit, type Outcome, paged } from './model.ts'
import { fields, table } from './print.ts'

/** A page of accounts. Only the ids shown are logged, not the search text, because it may be an e-mail address. */
function accountPage(rows: AccountSummary[], limit: number): Outcome {
  const { page, next } = paged(rows, limit)
  return {
    result: { accounts: page, next },
    lines: [
      ...(page.length > 0 ? table(page.map((row) => ({ ...row }))) : ['No account.']),
      ...(next === null ? [] : [`More: --after ${next}`]),
    ],
    changes: { shown: page.map((row) => row.id) },
  }
}

const page = { limit: Limit, after: Cursor, json: Flag }

/** The id of an account. @throws Refusal */
export async function idOf(sql: Sql, { id, email, username }: Account): Promise<number> {
  if (id !== undefined) return id
  const where = email === undefined ? sql`username = ${username}` : sql`lower(email) = lower(${email})`
  const [row] = await sql<{ id: number }[]>`select id from users where ${where}`
  return must(row, NO_ACCOUNT).id
}

const section = (name: string, rows: object[]) => [
  '',
  `${name} (${rows.length})`,
  ...table(rows.map((r) => ({ ...r }))),
]

export const accountCommands = {
  list: command({
    positionals: [],
    args: z.strictObject({ suspended: Flag, ...page }),
    words: '[--suspended] [--limit <n>] [--after <id>] [--json]',
    summary: 'accounts, oldest first',
    run: async ({ sql }, { suspended, limit, after = 0 }) => {
      const among = sql`(not ${suspended} or suspended_at is not null)`
      return accountPage(
        await accountSummaries(sql, sql`u.id > ${after} and ${among} order by u.id limit ${limit + 1}`),
        limit,
      )
    },
  }),
  find: command({
    positionals: ['text'],
    args: z.strictObject({ text: text(1, 254), ...page }),
    words: '<text> [--limit <n>] [--after <id>] [--json]',
    summary: 'accounts by id, or by a part of the user name, the e-mail address or the display name',
    run: async ({ sql }, { text, limit, after = 0 }) => {
      const among = searchCondition(sql, text)
      return accountPage(
        await accountSummaries(sql, sql`u.id > ${after} and ${among} order by u.id limit ${limit + 1}`),
        limit,
      )
    },
  }),
  show: command({
    positionals: ['account'],
    args: z.strictObject({ account: Account, json: Flag }),
    words: '<account> [--json]',
    summary: 'one account with its sessions, servers and figures',
    run: async (context, { account: accountName }) => {
      const summary = await showAccount(context, await idOf(context.sql, accountName))
      const { account, figures, sessions, servers } = summary.result
      const lines = fields({ ...account, ...figures })
      return { ...summary, lines: [...lines, ...section('sessions', sessions), ...section('servers', servers)] }
    },
  }),
}
