import type { Transaction } from '../../database/database.ts'
import type { Notify } from '../../events/write.ts'
import { disownApplications, endBotSessions } from '../applications/ownership.ts'
import { removeFactors } from '../factors/factors.ts'
import { noteProven } from '../members/verification.ts'
import { removeIdentities } from '../oidc/identities.ts'
import { endSessions } from '../sessions/store.ts'

/**
 * Removes every way into the account that was added before its address was proven, except its password: somebody may
 * have registered with another person's address. Sessions stay, but must prove themselves again. A new kind of way in
 * (factor, passkey, identity, bot) needs its deletion here.
 * @param sessionId the session in which the address was proven
 */
async function removePlantedWaysIn(
  sql: Transaction,
  notify: Notify,
  userId: number,
  sessionId: number | undefined,
): Promise<void> {
  await removeFactors(sql, userId)
  if (!(await isOfIdentity(sql, userId, sessionId))) await removeIdentities(sql, userId)
  await disownApplications(sql, notify, userId)
  await sql`update sessions set proven_at = null where user_id = ${userId} and proven_at is not null`
  await stopChangeOfAddress(sql, userId)
}

/**
 * True if the session is the account's and only the owner of its identities can have opened it, because the account has
 * no password. An owner who also reads the address's mail has not been planted on.
 */
async function isOfIdentity(sql: Transaction, userId: number, sessionId: number | undefined): Promise<boolean> {
  if (sessionId === undefined) return false
  const [session] = await sql`select 1 from sessions s join users u on u.id = s.user_id
    where s.id = ${sessionId} and s.user_id = ${userId} and s.expires_at > now() and u.password_hash is null`
  return session !== undefined
}

/**
 * Before an identity is linked because its address matches, ends the account's sessions and bot tokens, and removes its
 * password, passkeys and other identities: they may belong to somebody who registered with another person's address.
 * The caller has locked the account, which has no second factor.
 */
export async function endEarlierWaysIn(sql: Transaction, notify: Notify, userId: number): Promise<void> {
  await endSessions(sql, notify, userId)
  await sql`update users set password_hash = null, updated_at = now() where id = ${userId}`
  await removeFactors(sql, userId)
  await removeIdentities(sql, userId)
  // Bots stay; their owner issues new tokens.
  await endBotSessions(sql, notify, userId)
  await stopChangeOfAddress(sql, userId)
}

async function stopChangeOfAddress(sql: Transaction, userId: number): Promise<void> {
  await sql`delete from mail_outbox where user_id = ${userId} and template = 'change_email'`
  await sql`delete from mail_tokens where user_id = ${userId} and purpose = 'change'`
}

/**
 * Notes that the address of an account was proven. The first proof removes planted ways in, and lets the sessions of
 * an account that had to prove it read more.
 * @param email the proven address: the account's, or its next one
 * @param sessionId the session in which it was proven, if that presented one: an account that only its identity opens
 * keeps the identity then
 * @returns whether the account exists still and, for the account's own address, still has it
 */
export async function proveAddress(
  sql: Transaction,
  notify: Notify,
  userId: number,
  email: string,
  takes: 'own' | 'next',
  sessionId?: number,
): Promise<boolean> {
  const [before] = await sql<{ email: string; verified: boolean }[]>`
    select email, email_verified_at is not null as verified from users
    where id = ${userId} and deleted_at is null for update`
  if (!before || (takes === 'own' && before.email.toLowerCase() !== email.toLowerCase())) return false
  if (!before.verified) await removePlantedWaysIn(sql, notify, userId, sessionId)
  await sql`update users set email_verified_at = now(), updated_at = now()
    ${takes === 'next' ? sql`, email = ${email}` : sql``} where id = ${userId}`
  await noteProven(sql, userId)
  // Reload sessions that are cached as unverified.
  const sessions = await sql<{ id: number }[]>`select id from sessions where user_id = ${userId}`
  notify({ kind: 'sessions_refreshed', session_ids: sessions.map(({ id }) => id) })
  return true
}
