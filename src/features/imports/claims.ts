import { createHash, randomBytes } from 'node:crypto'
import type { Sql, Transaction } from '../../database/database.ts'
import { found } from '../../core/errors.ts'
import { type Act, type ActContext, beginOn, must, Refusal } from '../operator/act.ts'
import { CLAIM_SECONDS } from './model.ts'

const NO_AUTHOR = 'There is no such imported author.'
const NO_PERSON = 'There is no such account that messages could be given to.'

const digest = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Locks both accounts, in order of id. @throws Refusal */
async function demandBoth(sql: Transaction, placeholder_id: number, user_id: number): Promise<void> {
  const rows = await sql<{ id: number; kind: string }[]>`
    select id, kind from users where id in (${placeholder_id}, ${user_id}) and deleted_at is null
    order by id for no key update`
  const kindOf = (id: number) => rows.find((row) => row.id === id)?.kind
  if (kindOf(placeholder_id) !== 'imported') throw new Refusal(NO_AUTHOR)
  if (kindOf(user_id) !== 'person') throw new Refusal(NO_PERSON)
  const [origin] = await sql<{ finished_at: string | null }[]>`
    select i.finished_at from import_parts p join imports i on i.id = p.import_id
    where p.kind = 'author' and p.target_id = ${placeholder_id}`
  if (must(origin, NO_AUTHOR).finished_at === null) throw new Refusal('The import of this author is not finished.')
}

/** @throws Refusal if the author's messages are already being transferred */
async function begin(sql: Transaction, placeholder_id: number, user_id: number): Promise<void> {
  const claims = await sql`insert into author_claims (placeholder_id, user_id) values (${placeholder_id}, ${user_id})
    on conflict do nothing returning 1`
  if (claims.length === 0) throw new Refusal('The messages of this author are already being transferred.')
  await sql`delete from claim_links where placeholder_id = ${placeholder_id}`
}

/** Transfers an imported author's messages to an account; permissions stay as they are. A job moves them. */
export async function claimAuthor(context: ActContext, placeholder_id: number, user_id: number) {
  await beginOn(context, user_id)
  await demandBoth(context.sql, placeholder_id, user_id)
  await begin(context.sql, placeholder_id, user_id)
  return {
    result: { placeholder_id, user_id },
    target: ['account', placeholder_id],
    changes: { given_to: user_id },
  } satisfies Act
}

/**
 * Creates a link with which only this account can take over an imported author's messages, once and within seven days.
 * @param base the origin of the installation
 */
export async function makeClaimLink(context: ActContext, placeholder_id: number, user_id: number, base: string) {
  const { sql } = context
  await beginOn(context, user_id)
  await demandBoth(sql, placeholder_id, user_id)
  const token = randomBytes(32).toString('base64url')
  await sql`delete from claim_links where placeholder_id = ${placeholder_id}`
  await sql`insert into claim_links (hash, placeholder_id, user_id, expires_at)
    values (${digest(token)}, ${placeholder_id}, ${user_id}, now() + ${CLAIM_SECONDS} * interval '1 second')`
  return {
    result: { placeholder_id, user_id, link: `${base}/claim#${token}` },
    target: ['account', placeholder_id],
    changes: { link_for: user_id },
  } satisfies Act
}

/** Uses up a link, and begins to transfer the author's messages to the account. @throws Problem `link_gone` */
export async function useClaimLink(sql: Transaction, token: string, user_id: number): Promise<void> {
  const { placeholder_id } = await readLink(sql, token, user_id)
  // Lock accounts before links, as their deletions do.
  await demandBoth(sql, placeholder_id, user_id)
  const [usedLink] = await sql`delete from claim_links where hash = ${digest(token)} and expires_at > now() returning 1`
  found(usedLink, 'link_gone')
  await begin(sql, placeholder_id, user_id)
  const entry = { operator: `account ${user_id}`, operator_id: user_id, action: 'claim' }
  await sql`insert into admin_log ${sql({
    ...entry,
    target_type: 'account',
    target_id: placeholder_id,
    changes: sql.json({ given_to: user_id }),
  })}`
}

async function readLink(sql: Sql, token: string, user_id: number): Promise<{ placeholder_id: number }> {
  const [link] = await sql<{ placeholder_id: number }[]>`select placeholder_id from claim_links
    where hash = ${digest(token)} and user_id = ${user_id} and expires_at > now()`
  return found(link, 'link_gone')
}
