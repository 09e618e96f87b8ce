import { createHash, randomBytes } from 'node:crypto'
import type { Database, Sql, Transaction } from '../../database/database.ts'
import { found } from '../../core/errors.ts'
import { LINK_SECONDS, type Purpose } from './model.ts'

const PAGES: Record<Purpose, string> = { reset: '/reset', verify: '/verify', change: '/verify' }

const digest = (token: string): Buffer => createHash('sha256').update(token).digest()

/** A link of this origin with a new token. The token is in the fragment, which browsers do not send to servers. */
const newLink = (purpose: Purpose, base: string) => {
  const token = randomBytes(32).toString('base64url')
  return { hash: digest(token), link: `${base}${PAGES[purpose]}#${token}` }
}

const expiry = (sql: Sql, purpose: Purpose) => sql`now() + ${LINK_SECONDS[purpose]} * interval '1 second'`

/** Creates the link for a queued mail. @returns undefined if a change of the account has voided the mail */
export async function makeLink(
  sql: Database,
  purpose: Purpose,
  { recipient, mailId, base }: { recipient: { id: number; address: string }; mailId: number; base: string },
): Promise<string | undefined> {
  const { hash, link } = newLink(purpose, base)
  // Lock the account first, as its changes do. A change that deletes the mail then deletes this token too.
  const count = await sql.begin(async (tx) => {
    await tx`select 1 from users where id = ${recipient.id} for key share`
    const rows = await tx`insert into mail_tokens (hash, user_id, purpose, email, expires_at)
      select ${hash}, ${recipient.id}, ${purpose}, ${recipient.address}, ${expiry(tx, purpose)}
      from mail_outbox where id = ${mailId} for key share`
    return rows.count
  })
  return count === 1 ? link : undefined
}

/** Creates a password reset link for the operator to pass on. */
export async function makeResetLink(sql: Transaction, user_id: number, base: string): Promise<string> {
  const { hash, link } = newLink('reset', base)
  await sql`insert into mail_tokens (hash, user_id, purpose, expires_at)
    values (${hash}, ${user_id}, 'reset', ${expiry(sql, 'reset')})`
  return link
}

export interface LinkRow {
  user_id: number
  purpose: Purpose
  email: string | null
}

/** The purpose and account of a valid token, without using it up. @throws Problem `link_gone` */
export async function readLink(sql: Sql, token: string, ...purposes: Purpose[]): Promise<LinkRow> {
  const [row] = await sql<LinkRow[]>`select user_id, purpose, email from mail_tokens
    where hash = ${digest(token)} and purpose = any(${purposes}) and expires_at > now()`
  return found(row, 'link_gone')
}

/**
 * Uses up a token, and locks its account. The account is locked first, because its changes delete its tokens in that
 * order too.
 * @throws Problem `link_gone`, also for the second of two simultaneous uses
 */
export async function useLink(sql: Transaction, token: string, ...purposes: Purpose[]): Promise<LinkRow> {
  const { user_id } = await readLink(sql, token, ...purposes)
  await sql`select 1 from users where id = ${user_id} for update`
  const [row] = await sql<LinkRow[]>`delete from mail_tokens
    where hash = ${digest(token)} and purpose = any(${purposes}) and expires_at > now()
    returning user_id, purpose, email`
  return found(row, 'link_gone')
}
