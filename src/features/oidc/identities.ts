import { columns, type Sql, type Transaction } from '../../database/database.ts'
import { found, Problem } from '../../core/errors.ts'
import type { Environment } from '../../environment.ts'
import { relyingPartyId } from '../passkeys/relying-party.ts'
import { Identity } from './model.ts'
import type { VerifiedIdentity } from './provider.ts'

const NAME_MAX = 100

/** The person's name at the provider, for lists: one line of bounded length. */
function nameOf({ subject, claims }: VerifiedIdentity): string {
  const [name = subject] = [claims.preferred_username, claims.email, claims.name].filter(
    (claim) => typeof claim === 'string' && claim.trim() !== '',
  )
  const visible = Array.from(name.replace(/[\p{Cc}\p{Cs}\u2028\u2029]/gu, ''))
  return visible.slice(0, NAME_MAX).join('')
}

/**
 * Links an identity with an account. The caller has locked the account.
 * @throws the violated constraint `identity_taken` or `identity_linked`
 */
export async function linkIdentity(sql: Transaction, user_id: number, identity: VerifiedIdentity): Promise<void> {
  const { issuer, subject } = identity
  await sql`insert into identities ${sql({ user_id, issuer, subject, name: nameOf(identity) })}`
}

/** The account that an identity is linked with. */
export async function accountOf(sql: Sql, { issuer, subject }: VerifiedIdentity): Promise<number | undefined> {
  const [row] = await sql<{ user_id: number }[]>`
    select user_id from identities where issuer = ${issuer} and subject = ${subject}`
  return row?.user_id
}

/** Records a use of an identity. @throws Problem `oidc_failed` if it is not linked with the account (any more) */
export async function useIdentity(
  sql: Transaction,
  user_id: number,
  { issuer, subject }: VerifiedIdentity,
): Promise<void> {
  const [row] = await sql`update identities set last_used_at = now()
    where issuer = ${issuer} and subject = ${subject} and user_id = ${user_id} returning 1`
  found(row, 'oidc_failed')
}

export const identitiesOf = (sql: Sql, user_id: number): Promise<Identity[]> =>
  sql<Identity[]>`select ${columns(sql, Identity)} from identities where user_id = ${user_id} order by id`

export async function removeIdentities(sql: Transaction, user_id: number): Promise<void> {
  await sql`delete from identities where user_id = ${user_id}`
}

type Ways = Pick<Environment, 'OIDC_ISSUER' | 'PASSWORD_LOGIN' | 'PUBLIC_URL'>

/**
 * After a way into an account was deleted, demands that another remains: a password, a passkey or an identity.
 * @throws Problem `last_way_in`
 */
export async function demandWayIn(sql: Transaction, environment: Ways, user_id: number): Promise<void> {
  const { OIDC_ISSUER = null, PASSWORD_LOGIN } = environment
  const [wayIn] = await sql`select 1 from users u where id = ${user_id} and (
    (password_hash is not null and ${PASSWORD_LOGIN === 'on'})
    or (${relyingPartyId(environment) !== undefined} and exists (select from passkeys where user_id = u.id))
    or exists (select from identities where user_id = u.id and rtrim(issuer, '/') = rtrim(${OIDC_ISSUER}::text, '/')))`
  if (!wayIn) throw new Problem('last_way_in')
}

/**
 * True if the account can prove itself through the provider: it has an identity there, and no password that logs in. An
 * account with a password uses that instead.
 */
export async function provesByIdentity(sql: Sql, environment: Ways, user_id: number): Promise<boolean> {
  const { OIDC_ISSUER = null, PASSWORD_LOGIN } = environment
  const [row] = await sql`select 1 from users u where id = ${user_id}
    and (password_hash is null or ${PASSWORD_LOGIN === 'off'})
    and exists (select from identities where user_id = u.id and rtrim(issuer, '/') = rtrim(${OIDC_ISSUER}::text, '/'))`
  return row !== undefined
}
