import type { Sql } from '../../database/database.ts'
import { found, Problem } from '../../core/errors.ts'
import type { Parts } from '../../parts.ts'
import { demandProvenAddress, hasSecondFactor } from '../factors/factors.ts'
import { tellChange } from '../factors/told.ts'
import { demandProof, noteProof } from '../proof/proof.ts'
import type { Me } from '../sessions/store.ts'
import { linkIdentity, provesByIdentity, useIdentity } from '../oidc/identities.ts'
import { CLOCK_SECONDS_MAX, refusal, type VerifiedIdentity } from '../oidc/provider.ts'

type Session = Pick<Me, 'id' | 'session_id'>

/** Demands the conditions for linking an identity. @throws Problem `proof_required`, `email_unverified` */
export async function demandLinkable(sql: Sql, environment: Parts['environment'], me: Session): Promise<void> {
  await demandProof(sql, me)
  await demandProvenAddress(sql, environment, me.id)
}

/** @throws Problem `token_revoked` when the session has ended while the browser was at the provider */
async function demandSession(sql: Sql, { id, session_id }: Session): Promise<void> {
  const [session] = await sql`
    select 1 from sessions where id = ${session_id} and user_id = ${id} and expires_at > now() for share`
  found(session, 'token_revoked')
}

/**
 * Links an identity with the account of a session.
 * @throws Problem `token_revoked`, `proof_required`, `email_unverified`; the constraint `identity_taken` or
 * `identity_linked`
 */
export async function link({ write, environment, log }: Parts, me: Session, identity: VerifiedIdentity): Promise<void> {
  await write(async (sql, emit) => {
    await sql`select 1 from users where id = ${me.id} for no key update`
    await demandSession(sql, me)
    await demandLinkable(sql, environment, me)
    await linkIdentity(sql, me.id, identity)
    await tellChange(sql, emit, environment, me, 'identity_linked')
  })
  log('info', 'account.factors', { user_id: me.id, change: 'identity_linked' })
}

/**
 * Records a session's proof after the person has logged in to the provider again.
 * @param startedSeconds when the browser was sent there, seconds since the epoch
 * @throws Problem `token_revoked`, `forbidden`, `oidc_failed`
 */
export async function prove(
  { write, environment, log }: Parts,
  me: Session,
  identity: VerifiedIdentity,
  startedSeconds: number,
) {
  const { auth_time } = identity.claims
  // OpenID Connect Core §3.1.2.1: with max_age, the provider returns the time of the person's login.
  if (typeof auth_time !== 'number' || auth_time < startedSeconds - CLOCK_SECONDS_MAX)
    throw refusal(log, 'The identity provider did not ask for a new login, or its clock is behind')
  await write(async (sql) => {
    await sql`select 1 from users where id = ${me.id} for no key update`
    await demandSession(sql, me)
    // A second factor or a password may have been set meanwhile.
    const may = !(await hasSecondFactor(sql, me.id)) && (await provesByIdentity(sql, environment, me.id))
    if (!may) throw new Problem('forbidden')
    await useIdentity(sql, me.id, identity)
    await noteProof(sql, me)
  })
}
