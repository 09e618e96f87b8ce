import type { Caller } from '../../http/caller.ts'
import { columns, type Transaction } from '../../database/database.ts'
import { found, Problem } from '../../core/errors.ts'
import { isReserved } from '../../core/look-alikes.ts'
import { ownName } from '../../core/schema.ts'
import type { Parts } from '../../parts.ts'
import { randomDisplayName } from '../accounts/display-names.ts'
import { REGISTRATIONS } from '../accounts/limits.ts'
import { type FullUser, User } from '../accounts/model.ts'
import { endEarlierWaysIn } from './proven-address.ts'
import { admitRegistration } from '../accounts/registration.ts'
import { SecondStep, signIn } from '../accounts/sign-in.ts'
import { secondStepOf } from '../factors/pending-logins.ts'
import { tellChange } from '../factors/told.ts'
import { Email } from '../mail/model.ts'
import { queueMail, tellAccount } from '../mail/outbox.ts'
import type { Passkeys } from '../passkeys/ceremonies.ts'
import { addressKey } from '../sessions/address.ts'
import { sessionCookie } from '../sessions/identity.ts'
import { SESSION_SECONDS } from '../sessions/model.ts'
import type { Sessions } from '../sessions/store.ts'
import { accountOf, linkIdentity, useIdentity } from '../oidc/identities.ts'
import { refusal, type VerifiedIdentity } from '../oidc/provider.ts'

/** The parts needed to log somebody in. */
export interface Entry {
  parts: Parts
  sessions: Sessions
  passkeys: Passkeys
  caller: Caller
  request: Request
}

const USERNAME_MAX = 32
const NUMBERS_TRIED = 20
const DisplayName = ownName(32)

/** The address in the provider's claims, if valid, and whether the provider has verified it. */
function emailOf({ claims }: VerifiedIdentity): { email: string; verified: boolean } | undefined {
  const { success, data } = Email.safeParse(claims.email)
  // Some providers write a string; only `true` counts.
  return success ? { email: data, verified: claims.email_verified === true } : undefined
}

/**
 * Logs in the account linked with the identity. Otherwise the account with the same address, if both sides have
 * verified it: it is linked, unless it has a second factor, and loses its earlier ways in. Otherwise a new account is
 * created.
 * @throws Problem `oidc_failed`, `email_taken`, `forbidden`, `account_suspended`, `rate_limited`
 */
export async function enter(
  entry: Entry,
  identity: VerifiedIdentity,
  code: string | undefined,
): Promise<SecondStep | undefined> {
  const { parts, passkeys } = entry
  const linkedId = await accountOf(parts.sql, identity)
  if (linkedId !== undefined)
    return enterAs(entry, linkedId, async (sql) => {
      await useIdentity(sql, linkedId, identity)
      return secondStepOf(sql, passkeys, linkedId)
    })
  const address = emailOf(identity)
  if (!address) throw refusal(parts.log, 'The identity provider sent no valid e-mail address')
  const [owner] = await parts.sql<{ id: number }[]>`
    select id from users where lower(email) = lower(${address.email}) and deleted_at is null`
  if (!owner) return register(entry, identity, address, code)
  return enterAs(entry, owner.id, async (sql, emit, notify) => {
    // Somebody else may have registered with this address, here or at the provider, so both sides must have verified
    // it.
    const [match] = await sql`select 1 from users
      where id = ${owner.id} and lower(email) = lower(${address.email}) and email_verified_at is not null`
    if (!match || !address.verified)
      throw new Problem(
        'email_taken',
        'Log in to the account with this address first, then link the identity in its settings',
      )
    // The provider's word must not bypass a second factor: the owner links the account while logged in.
    const step = await secondStepOf(sql, passkeys, owner.id)
    if (step) return step
    await endEarlierWaysIn(sql, notify, owner.id)
    await linkIdentity(sql, owner.id, identity)
    await tellChange(sql, emit, parts.environment, { id: owner.id }, 'identity_linked')
    await tellAccount(sql, parts.environment, owner.id, 'security_changed', { change: 'earlier_ways_ended' })
  })
}

async function enterAs(
  { parts, sessions, caller, request }: Entry,
  userId: number,
  prove: Parameters<typeof signIn>[4],
): Promise<SecondStep | undefined> {
  const answer = await signIn(parts, sessions, { caller, request }, userId, prove)
  return answer instanceof SecondStep ? answer : undefined
}

/** Creates an account without a password, and logs it in. */
async function register(
  { parts, sessions, caller, request }: Entry,
  identity: VerifiedIdentity,
  { email, verified }: { email: string; verified: boolean },
  inviteCode: string | undefined,
): Promise<undefined> {
  const { environment, limits, space, write } = parts
  if (environment.OIDC_REGISTRATION === 'off') throw new Problem('forbidden', 'No account belongs to this identity')
  await space.demand()
  await admitRegistration(parts, inviteCode)
  const address = addressKey(caller.ip)
  await limits.take(caller, REGISTRATIONS, address)
  const creation = write(async (sql, emit, notify) => {
    const user = await createAccount(sql, environment, identity, email, verified)
    await linkIdentity(sql, user.id, identity)
    if (!verified) await queueMail(sql, environment, { user_id: user.id, address: email, template: 'verify' })
    return sessions.create(sql, emit, notify, user.id, caller, request.headers.get('user-agent'))
  })
  const token = await creation.catch(async (error: unknown) => {
    await limits.giveBack(REGISTRATIONS, address)
    throw error
  })
  caller.headers['set-cookie'] = sessionCookie(caller.base, token, SESSION_SECONDS)
}

async function createAccount(
  sql: Transaction,
  environment: Parts['environment'],
  { claims }: VerifiedIdentity,
  email: string,
  verified: boolean,
): Promise<FullUser> {
  const displayName = DisplayName.safeParse(claims.name)
  const account = {
    email,
    email_verified_at: verified ? new Date() : null,
    display_name: displayName.success ? displayName.data : randomDisplayName(),
    verification_required: environment.EMAIL_VERIFICATION === 'required',
  }
  for (const username of usernames(claims.preferred_username ?? email)) {
    const [user] = await sql<FullUser[]>`insert into users ${sql({ ...account, username })}
      on conflict on constraint username_taken do nothing returning ${columns(sql, User)}`
    if (user) return user
  }
  return found<FullUser>(undefined, 'username_taken')
}

/** Candidate usernames like the provider's: the name itself, then with numbers. */
function* usernames(suggestion: unknown): Generator<string> {
  const [local = ''] = String(suggestion).slice(0, 256).normalize('NFKD').toLowerCase().split('@')
  const plain = local.replace(/[^a-z0-9_.-]/g, '').slice(0, USERNAME_MAX)
  const base = plain.length < 2 || isReserved(plain) ? 'user' : plain
  yield base
  for (let tries = 0; tries < NUMBERS_TRIED; tries++) {
    const number = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0
    yield `${base.slice(0, USERNAME_MAX - 7)}${number % 10 ** Math.min(2 + tries, 7)}`
  }
}
