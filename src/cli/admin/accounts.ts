import { z } from 'zod'
import type { Sql, Transaction } from '../../database/database.ts'
import { text } from '../../core/schema.ts'
import { Account, command, Cursor, Flag, Limit, must, type Outcome, paged, Refusal } from './model.ts'
import { fields, table } from './print.ts'

interface AccountRow {
  id: number
  username: string
  email: string
  display_name: string
  created_at: string
  /** When the account was last used, as far as is known; ended sessions count by their logins of the last 90 days. */
  active_at: string | null
  suspended_at: string | null
}

const summaries = (sql: Sql, where: ReturnType<Sql>, after: number, limit: number) => sql<AccountRow[]>`
  select u.id, username, email, display_name, created_at, suspended_at, greatest(
    (select max(last_used_at) from sessions s where s.user_id = u.id),
    (select max(seen_at) from known_addresses a where a.user_id = u.id)) as active_at
  from users u where u.id > ${after} and ${where} order by u.id limit ${limit + 1}`

/** A page of accounts. The log gets the ids that it shows; not the search text, which may be an e-mail address. */
function listed(rows: AccountRow[], limit: number): Outcome {
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

const NO_ACCOUNT = 'There is no such account.'

const page = { limit: Limit, after: Cursor, json: Flag }

/** The id of the named account. @throws Refusal */
async function idOf(sql: Sql, { id, email, username }: Account): Promise<number> {
  if (id !== undefined) return id
  const where = email === undefined ? sql`username = ${username}` : sql`lower(email) = lower(${email})`
  const [row] = await sql<{ id: number }[]>`select id from users where ${where}`
  return must(row, NO_ACCOUNT).id
}

interface LockedAccount {
  id: number
  username: string
  suspended_at: string | null
  suspended_reason: string | null
}

/**
 * The named account, locked until the commit.
 * @throws Refusal when it does not exist or has been deleted
 */
export async function lockAccount(sql: Transaction, named: Account): Promise<LockedAccount> {
  const [row] = await sql<(LockedAccount & { deleted: boolean })[]>`
    select id, username, suspended_at, suspended_reason, deleted_at is not null as deleted
    from users where id = ${await idOf(sql, named)} for no key update`
  const { deleted, ...account } = must(row, NO_ACCOUNT)
  if (deleted) throw new Refusal('This account has been deleted.')
  return account
}

/** Counts of what an account owns. */
const figuresOf = (sql: Sql, id: number) => sql<Record<string, number>[]>`
  select (select count(*) from messages where author_id = ${id} and recipient_id is null) as messages,
    (select count(*) from messages where author_id = ${id} and recipient_id is not null) as direct_messages,
    (select friend_count from users where id = ${id}) as friends_and_requests,
    (select count(*) from files where uploader_id = ${id}) as files,
    (select stored_bytes from users where id = ${id}) as stored_bytes`

async function show(sql: Transaction, named: Account): Promise<Outcome> {
  const id = await idOf(sql, named)
  const [summary] = await summaries(sql, sql`u.id = ${id}`, 0, 1)
  const [own] = await sql<Record<string, string | number | null>[]>`
    select suspended_reason, avatar_file_id, updated_at, deleted_at from users where id = ${id}`
  const sessions = await sql<{ id: number; user_agent: string; ip: string }[]>`
    select id, created_at, last_used_at, expires_at, ip, user_agent from sessions where user_id = ${id} order by id`
  const servers = await sql<{ id: number; name: string }[]>`
    select s.id, s.name, s.owner_id = ${id} as is_owner, m.joined_at
    from members m join servers s on s.id = m.server_id where m.user_id = ${id} order by s.id`
  const [figures] = await figuresOf(sql, id)
  const account = { ...must(summary, NO_ACCOUNT), ...own }
  const section = (name: string, rows: object[]) => [
    '',
    `${name} (${rows.length})`,
    ...table(rows.map((r) => ({ ...r }))),
  ]
  return {
    result: { account, figures, sessions, servers },
    lines: [...fields({ ...account, ...figures }), ...section('sessions', sessions), ...section('servers', servers)],
    target: ['account', id],
  }
}

export const accountCommands = {
  list: command({
    positionals: [],
    args: z.strictObject({ suspended: Flag, ...page }),
    words: '[--suspended] [--limit <n>] [--after <id>] [--json]',
    summary: 'accounts, oldest first',
    run: async ({ sql }, { suspended, limit, after = 0 }) =>
      listed(await summaries(sql, sql`(not ${suspended} or suspended_at is not null)`, after, limit), limit),
  }),
  find: command({
    positionals: ['text'],
    args: z.strictObject({ text: text(1, 254), ...page }),
    words: '<text> [--limit <n>] [--after <id>] [--json]',
    summary: 'accounts by id, or by a part of the user name, the e-mail address or the display name',
    run: async ({ sql }, { text, limit, after = 0 }) => {
      const part = (column: 'username' | 'email' | 'display_name') =>
        sql`position(lower(${text}) in lower(${sql(column)})) > 0`
      const among = summaries(
        sql,
        sql`(u.id::text = ${text} or ${part('username')} or ${part('email')} or ${part('display_name')})`,
        after,
        limit,
      )
      return listed(await among, limit)
    },
  }),
  show: command({
    positionals: ['account'],
    args: z.strictObject({ account: Account, json: Flag }),
    words: '<account> [--json]',
    summary: 'one account with its sessions, servers and figures',
    run: ({ sql }, { account }) => show(sql, account),
  }),
}
