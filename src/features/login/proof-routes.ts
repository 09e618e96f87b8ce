import { Elysia } from 'elysia'
import { BODY_CODES, found, Problem, TOKEN_CODES } from '../../core/errors.ts'
import { answers, NoBody } from '../../core/schema.ts'
import type { Parts } from '../../parts.ts'
import { demandPassword } from '../accounts/limits.ts'
import { verifyPassword } from '../accounts/passwords.ts'
import { hasSecondFactor, limitCodes, takeFactor } from '../factors/factors.ts'
import type { Passkeys } from '../passkeys/ceremonies.ts'
import { RequestOptions } from '../passkeys/model.ts'
import { signedIn } from '../sessions/identity.ts'
import type { Sessions } from '../sessions/store.ts'
import { ProofDraft, Proven } from '../proof/model.ts'
import { noteProof, provenUntil } from '../proof/proof.ts'

const tags = ['Accounts']

const PROOF = `Required to change the e-mail address, second factors, passkeys and linked identities, and to export
the account; if a second factor is on, also to change the password or delete the account. A proof is valid for this
session, for ten minutes. If a second factor is on, the password is not accepted.`

/** Proving that the session's holder still is the account's owner. */
export const proofRoutes = (parts: Parts, sessions: Sessions, passkeys: Passkeys) => {
  const { sql, write } = parts
  return new Elysia({ prefix: '/api/auth' })
    .use(signedIn(parts, sessions))
    .post('/proof/options', async ({ me }) => passkeys.requestOptions(sql, `proof ${me.session_id}`, me.id), {
      body: NoBody,
      detail: { summary: 'Get the options for a proof by passkey', tags },
      response: answers({ 200: RequestOptions }, 'not_found', ...BODY_CODES, ...TOKEN_CODES),
    })
    .post(
      '/proof',
      async ({ me, caller, body: { password, ...factor } }) => {
        /** @param check runs in the transaction that records the proof, with the account locked */
        const prove = (
          check: (tx: Parameters<Parameters<Parts['write']>[0]>[0], hash: string | null) => Promise<void>,
        ) =>
          write(async (tx) => {
            const [account] = await tx<{ password_hash: string | null }[]>`select password_hash from users
              where id = ${me.id} and deleted_at is null for no key update`
            await check(tx, found(account, 'token_revoked').password_hash)
            await noteProof(tx, me)
          })
        if (password !== undefined) {
          const [account] = await sql<{ password_hash: string | null }[]>`
            select password_hash from users where id = ${me.id} and deleted_at is null`
          const { password_hash } = found(account, 'token_revoked')
          if (password_hash === null) throw new Problem('forbidden', 'This account has no password')
          if (await hasSecondFactor(sql, me.id))
            throw new Problem('forbidden', 'This account needs its second factor as proof')
          await demandPassword(parts, caller, me.id, () => verifyPassword(password, password_hash))
          await prove(async (tx, current) => {
            if (current !== password_hash) throw new Problem('invalid_credentials')
            // A second factor was turned on meanwhile.
            if (await hasSecondFactor(tx, me.id)) throw new Problem('forbidden')
          })
        } else {
          const take = () => prove((tx) => takeFactor(tx, parts, passkeys, me.id, `proof ${me.session_id}`, factor))
          await (factor.passkey ? take() : limitCodes(parts, caller, me.id, take))
        }
        return { proven_until: found(await provenUntil(sql, me), 'token_revoked') }
      },
      {
        body: ProofDraft,
        detail: { summary: 'Prove that the caller owns the account', description: PROOF, tags },
        response: answers(
          { 200: Proven },
          'invalid_credentials',
          'invalid_code',
          'invalid_passkey',
          'not_found',
          'forbidden',
          ...BODY_CODES,
          ...TOKEN_CODES,
        ),
      },
    )
}
