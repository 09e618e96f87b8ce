import { Elysia } from 'elysia'
import type { Transaction } from '../../database/database.ts'
import { BODY_CODES, found, Problem, TOKEN_CODES } from '../../core/errors.ts'
import { answers, NoBody, Nothing } from '../../core/schema.ts'
import type { Parts } from '../../parts.ts'
import type { Passkeys } from '../passkeys/ceremonies.ts'
import { provesByIdentity } from '../oidc/identities.ts'
import { demandProof, noteProof, provenUntil, voidOtherProofs } from '../proof/proof.ts'
import { signedIn } from '../sessions/identity.ts'
import type { Sessions } from '../sessions/store.ts'
import { demandProvenAddress, limitCodes, methodsOf, takeCode } from '../factors/factors.ts'
import { Factors, RecoveryCodes, TotpConfirmation, TotpSecret } from '../factors/model.ts'
import { renewRecoveryCodes } from '../factors/recovery-codes.ts'
import { tellChange } from '../factors/told.ts'
import { base32, newTotpSecret, seal, totpUri } from '../factors/totp.ts'

const tags = ['Accounts']

/** Locks the account, so that its factors change one after another. @returns its username */
async function lockAccount(sql: Transaction, user_id: number): Promise<string> {
  const [row] = await sql<{ username: string }[]>`
    select username from users where id = ${user_id} and deleted_at is null for no key update`
  return found(row, 'token_revoked').username
}

export const factorRoutes = (parts: Parts, sessions: Sessions, passkeys: Passkeys) => {
  const { sql, secrets, write, log } = parts
  /** Logged for the operator, who may be asked about it. */
  const logChange = (user_id: number, change: string) => log('info', 'account.factors', { user_id, change })
  return new Elysia({ prefix: '/api/auth' })
    .use(signedIn(parts, sessions))
    .get(
      '/factors',
      async ({ me }) => {
        const [counts] = await sql<Omit<Factors, 'methods' | 'proven_until'>[]>`select
          (select confirmed_at from totp where user_id = ${me.id}) as totp_since,
          (select count(*) from recovery_codes where user_id = ${me.id}) as recovery_codes_left,
          (select count(*) from passkeys where user_id = ${me.id}) as passkeys,
          (select password_hash is not null from users where id = ${me.id}) as has_password`
        const { passkeys: count, ...rest } = found(counts, 'internal')
        const second = await methodsOf(sql, passkeys, me.id)
        const byIdentity = await provesByIdentity(sql, parts.environment, me.id)
        const first: [Factors['methods'][number], boolean][] = [
          ['password', rest.has_password],
          ['passkey', count > 0 && passkeys.isOn],
          ['oidc', byIdentity],
        ]
        const proves = first.flatMap(([method, has]) => (has ? [method] : []))
        const proven_until = (await provenUntil(sql, me)) ?? null
        return { ...rest, passkeys: count, methods: second.length > 0 ? second : proves, proven_until }
      },
      {
        detail: { summary: 'Get the second factors of the account, and the ways to prove ownership', tags },
        response: answers({ 200: Factors }, ...TOKEN_CODES),
      },
    )
    .post(
      '/totp',
      async ({ me, status }) => {
        const secret = newTotpSecret()
        const username = await write(async (tx) => {
          const name = await lockAccount(tx, me.id)
          await demandProof(tx, me)
          await demandProvenAddress(tx, parts.environment, me.id)
          const [row] = await tx`insert into totp (user_id, secret)
            values (${me.id}, ${seal(secret, secrets.factors, me.id)})
            on conflict (user_id) do update set secret = excluded.secret, created_at = now()
              where totp.confirmed_at is null returning 1`
          found(row, 'totp_on')
          return name
        })
        return status(201, { secret: base32(secret), uri: totpUri(secret, 'Parley', username) })
      },
      {
        body: NoBody,
        detail: {
          summary: 'Start setting up an authenticator app',
          description:
            'The secret takes effect when POST /api/auth/totp/confirm gets a code of it. Needs a proof and, if mail ' +
            'is on, a confirmed e-mail address.',
          tags,
        },
        response: answers({ 201: TotpSecret }, 'totp_on', 'proof_required', ...BODY_CODES, ...TOKEN_CODES),
      },
    )
    .post(
      '/totp/confirm',
      async ({ me, caller, body }) => {
        const confirm = () =>
          write(async (tx, emit) => {
            await lockAccount(tx, me.id)
            await demandProof(tx, me)
            const [row] = await tx<{ on: boolean }[]>`
              select confirmed_at is not null as on from totp where user_id = ${me.id}`
            if (found(row).on) throw new Problem('totp_on')
            await takeCode(tx, secrets.factors, me.id, body.code, false)
            await tx`update totp set confirmed_at = now() where user_id = ${me.id}`
            // From here on the password is not proof enough; this session has just proved itself by a code.
            await voidOtherProofs(tx, me)
            await noteProof(tx, me)
            await tellChange(tx, emit, parts.environment, me, 'totp_on')
            return renewRecoveryCodes(tx, me.id)
          })
        const recovery_codes = await limitCodes(parts, caller, me.id, confirm)
        logChange(me.id, 'totp_on')
        return { recovery_codes }
      },
      {
        body: TotpConfirmation,
        detail: {
          summary: 'Turn the authenticator app on, and get recovery codes',
          description:
            'From now on, logging in takes a code from the app, a recovery code or a passkey. Needs a proof.',
          tags,
        },
        response: answers(
          { 200: RecoveryCodes },
          'invalid_code',
          'not_found',
          'totp_on',
          'proof_required',
          ...BODY_CODES,
          ...TOKEN_CODES,
        ),
      },
    )
    .delete(
      '/totp',
      async ({ me, status }) => {
        await write(async (tx, emit) => {
          await lockAccount(tx, me.id)
          await demandProof(tx, me)
          const [row] = await tx`delete from totp where user_id = ${me.id} returning 1`
          found(row)
          await tx`delete from recovery_codes where user_id = ${me.id}`
          await tx`delete from pending_logins where user_id = ${me.id}`
          await tellChange(tx, emit, parts.environment, me, 'totp_off')
        })
        logChange(me.id, 'totp_off')
        return status(204, undefined)
      },
      {
        detail: {
          summary: 'Turn the authenticator app off',
          description: 'Its recovery codes are deleted too; passkeys stay. Needs a proof.',
          tags,
        },
        response: answers({ 204: Nothing }, 'not_found', 'proof_required', ...TOKEN_CODES),
      },
    )
    .post(
      '/recovery-codes',
      async ({ me }) => {
        const recovery_codes = await write(async (tx, emit) => {
          await lockAccount(tx, me.id)
          await demandProof(tx, me)
          const [on] = await tx`select 1 from totp where user_id = ${me.id} and confirmed_at is not null`
          found(on)
          await tellChange(tx, emit, parts.environment, me, 'recovery_codes')
          return renewRecoveryCodes(tx, me.id)
        })
        logChange(me.id, 'recovery_codes')
        return { recovery_codes }
      },
      {
        body: NoBody,
        detail: {
          summary: 'Replace the recovery codes',
          description: 'Needs an authenticator app, and a proof.',
          tags,
        },
        response: answers({ 200: RecoveryCodes }, 'not_found', 'proof_required', ...BODY_CODES, ...TOKEN_CODES),
      },
    )
}
