import { randomInt } from 'node:crypto'
import type { Sql, Transaction } from '../../database/database.ts'
import { deleteAccount } from '../lifecycle/deletion.ts'
import { hashPassword, passwordFaults } from '../accounts/passwords.ts'
import { endBotSessions } from '../applications/ownership.ts'
import { changesBetween } from '../audit/record.ts'
import { removeFactors } from '../factors/factors.ts'
import { makeResetLink } from '../mail/links.ts'
import { endSessions } from '../sessions/store.ts'
import { type Act, type ActContext, beginOn, must, Refusal } from './act.ts'
import type { AccountFigures, AccountServer, AccountSession, AccountSummary } from './model.ts'

export const NO_ACCOUNT = 'There is no such account.'

/** Accounts, as rows of a list. @param where of `users u`, with the limit and order of the page */
export const accountSummaries = (sql: Sql, where: ReturnType<Sql>) => sql<AccountSummary[]>`
  select u.id, username, email, display_name, created_at, suspended_at, operator_since, greatest(
    (select max(last_used_at) from sessions s where s.user_id = u.id),
    (select max(seen_at) from known_addresses a where a.user_id = u.id)) as active_at
  from users u where ${where}`

/** A condition on `users u`: by id, or by a part of the username, the e-mail address or the display name. */
export function searchCondition(sql: Sql, text: string): ReturnType<Sql> {
  const part = (column: 'username' | 'email') => sql`position(lower(${text}) in lower(${sql(column)})) > 0`
  const nameCondition = sql`name_key(u.display_name) like (select name_pattern(${text}))`
  return sql`(u.id::text = ${text} or ${part('username')} or ${part('email')} or ${nameCondition})`
}

interface LockedAccount {
  id: number
  username: string
  kind: string
  suspended_at: string | null
  suspended_reason: string | null
  operator_since: string | null
}

/**
 * The account, locked until the commit.
 * @throws Refusal if it does not exist or has been deleted; Problem `forbidden` if the acting account may not change it
 */
async function lockAccount(context: ActContext, id: number): Promise<LockedAccount> {
  await beginOn(context, id)
  const [row] = await context.sql<(LockedAccount & { deleted: boolean })[]>`
    select id, username, kind, suspended_at, suspended_reason, operator_since, deleted_at is not null as deleted
    from users where id = ${id} for no key update`
  const { deleted, ...account } = must(row, NO_ACCOUNT)
  if (deleted) throw new Refusal('This account has been deleted.')
  return account
}

/** Guests have no password: one that claims its account chooses it. */
function demandPassword(account: LockedAccount): LockedAccount {
  if (account.kind === 'guest') throw new Refusal('A guest has no password.')
  return account
}

/** One account with its sessions, its servers, and the counts of what it owns. */
export async function showAccount({ sql }: { sql: Transaction }, id: number) {
  const [summary] = await accountSummaries(sql, sql`u.id = ${id}`)
  const [details] = await sql<
    { suspended_reason: string | null; avatar_file_id: number | null; updated_at: string; deleted_at: string | null }[]
  >`select suspended_reason, avatar_file_id, updated_at, deleted_at from users where id = ${id}`
  const sessions = await sql<AccountSession[]>`
    select id, created_at, last_used_at, expires_at, ip, user_agent from sessions where user_id = ${id} order by id`
  const servers = await sql<AccountServer[]>`
    select s.id, s.name, s.owner_id = ${id} as is_owner, m.joined_at
    from members m join servers s on s.id = m.server_id where m.user_id = ${id} order by s.id`
  const [figures] = await sql<AccountFigures[]>`
    select (select count(*) from messages where author_id = ${id} and recipient_id is null) as messages,
      (select count(*) from messages where author_id = ${id} and recipient_id is not null) as direct_messages,
      (select friend_count from users where id = ${id}) as friends_and_requests,
      (select count(*) from files where uploader_id = ${id}) as files,
      (select stored_bytes from users where id = ${id}) as stored_bytes`
  const account = { ...must(summary, NO_ACCOUNT), ...must(details, NO_ACCOUNT) }
  const result = { account, figures: must(figures, NO_ACCOUNT), sessions, servers }
  return { result, target: ['account', id] } satisfies Act
}

/** Suspends the account and ends its sessions; its messages stay. */
export async function suspend(context: ActContext, id: number, reason: string) {
  const { sql, notify } = context
  const before = await lockAccount(context, id)
  const [row] = await sql<{ suspended_at: string; suspended_reason: string }[]>`
    update users set suspended_at = coalesce(suspended_at, now()), suspended_reason = ${reason} where id = ${id}
    returning suspended_at, suspended_reason`
  const after = must(row, NO_ACCOUNT)
  const sessions_ended = await endSessions(sql, notify, id)
  await endBotSessions(sql, notify, id)
  return {
    result: { id, username: before.username, ...after, sessions_ended },
    target: ['account', id],
    changes: { ...changesBetween(before, { ...before, ...after }), sessions_ended },
  } satisfies Act
}

/** Ends a suspension. */
export async function restore(context: ActContext, id: number) {
  const before = await lockAccount(context, id)
  if (before.suspended_at === null) throw new Refusal('This account is not suspended.')
  await context.sql`update users set suspended_at = null, suspended_reason = null where id = ${id}`
  return {
    result: { id, username: before.username },
    target: ['account', id],
    changes: changesBetween(before, { ...before, suspended_at: null, suspended_reason: null }),
  } satisfies Act
}

/** Characters without look-alikes; a password of 20 has 118 bits. */
const PASSWORD_SIGNS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789!@#%*'
const PASSWORD_LENGTH = 20

/** A random password that satisfies every rule. */
function generatePassword(): string {
  for (;;) {
    const password = Array.from({ length: PASSWORD_LENGTH }, () => PASSWORD_SIGNS[randomInt(PASSWORD_SIGNS.length)])
    if (passwordFaults(password.join('')).length === 0) return password.join('')
  }
}

/** Sets a new password, and ends the account's sessions. */
export async function resetPassword(context: ActContext, id: number) {
  const { sql, notify } = context
  const password = generatePassword()
  const passwordHash = await hashPassword(password)
  const { username } = demandPassword(await lockAccount(context, id))
  await sql`update users set password_hash = ${passwordHash}, updated_at = now() where id = ${id}`
  const sessions_ended = await endSessions(sql, notify, id)
  return {
    result: { id, username, password, sessions_ended },
    target: ['account', id],
    changes: { sessions_ended },
  } satisfies Act
}

/**
 * Creates a link, valid once and for an hour, with which the account's owner chooses a new password.
 * @param base the origin of the installation
 */
export async function resetLink(context: ActContext, id: number, base: string) {
  const { username } = demandPassword(await lockAccount(context, id))
  const link = await makeResetLink(context.sql, id, base)
  return { result: { id, username, link }, target: ['account', id] } satisfies Act
}

/** Removes the account's second factors and passkeys, and ends its sessions. */
export async function removeAccountFactors(context: ActContext, id: number) {
  const { sql, notify } = context
  const { username } = await lockAccount(context, id)
  await removeFactors(sql, id)
  const sessions_ended = await endSessions(sql, notify, id)
  return {
    result: { id, username, sessions_ended },
    target: ['account', id],
    changes: { sessions_ended },
  } satisfies Act
}

/** Ends the account's sessions: all, or one. */
export async function endAccountSessions(context: ActContext, id: number, sessionId?: number) {
  const { username } = await lockAccount(context, id)
  const sessions_ended = await endSessions(
    context.sql,
    context.notify,
    id,
    sessionId === undefined ? {} : { only: sessionId },
  )
  if (sessionId !== undefined && sessions_ended === 0) throw new Refusal('There is no such session.')
  return {
    result: { id, username, sessions_ended },
    target: ['account', id],
    changes: { sessions_ended },
  } satisfies Act
}

/** Deletes the account, as its owner would; `uploads` are the keys of its unfinished uploads. */
export async function removeAccount(context: ActContext, id: number) {
  await beginOn(context, id)
  const { sql, emit, notify } = context
  const uploads = await deleteAccount(sql, emit, notify, id)
  return { result: { deleted: 'account', id }, uploads, target: ['account', id] } satisfies Act & { uploads: string[] }
}

/** Makes the account an operator, or revokes that. */
export async function setOperator(context: ActContext, id: number, isOperator: boolean) {
  const before = await lockAccount(context, id)
  if (before.operator_since === null && !isOperator) throw new Refusal('This account is not an operator.')
  const [after] = await context.sql<{ operator_since: string | null }[]>`
    update users set operator_since = ${isOperator ? context.sql`coalesce(operator_since, now())` : null}
    where id = ${id} returning operator_since`
  return {
    result: { id, username: before.username, ...must(after, NO_ACCOUNT) },
    target: ['account', id],
    changes: changesBetween(before, { ...before, ...after }),
  } satisfies Act
}
