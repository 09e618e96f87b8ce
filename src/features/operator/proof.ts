import { Elysia } from 'elysia'
import { z } from 'zod'
import type { Sql } from '../../database/database.ts'
import type { Parts } from '../../parts.ts'
import { BODY_CODES, found, TOKEN_CODES } from '../../core/errors.ts'
import { answers, Time } from '../../core/schema.ts'
import { demandPassword } from '../accounts/limits.ts'
import { verifyPassword } from '../accounts/passwords.ts'
import { signedIn } from '../sessions/identity.ts'
import type { Me, Sessions } from '../sessions/store.ts'

/** How long a proof counts. */
const PROOF_SECONDS = 600

/** Demands that the session's account has lately proved who it is. @throws Problem `proof_required` */
export async function demandProof(sql: Sql, { session_id }: Pick<Me, 'session_id'>): Promise<void> {
  const [proved] = await sql`select 1 from sessions
    where id = ${session_id} and proven_at > now() - ${PROOF_SECONDS} * interval '1 second'`
  found(proved, 'proof_required')
}

const Proof = z.strictObject({ password: z.string().max(1024) })

const Proven = z.object({ proven_until: Time }).meta({ title: 'Proven' })

/** The proof of an account without a second factor. */
export const proofRoutes = (parts: Parts, sessions: Sessions) =>
  new Elysia({ prefix: '/api/auth' }).use(signedIn(parts, sessions)).post(
    '/proof',
    async ({ me, caller, body }) => {
      const [account] = await parts.sql<{ password_hash: string }[]>`
        select password_hash from users where id = ${me.id} and deleted_at is null`
      const { password_hash } = found(account, 'token_revoked')
      await demandPassword(parts, caller, me.id, () => verifyPassword(body.password, password_hash))
      const [proven] = await parts.sql<{ proven_until: string }[]>`
        update sessions s set proven_at = now() from users u
        where s.id = ${me.session_id} and u.id = s.user_id and u.password_hash = ${password_hash}
        returning proven_at + ${PROOF_SECONDS} * interval '1 second' as proven_until`
      return found(proven, 'invalid_credentials')
    },
    {
      body: Proof,
      detail: {
        summary: 'Prove who the session belongs to',
        description: 'What needs a proof is let through for ten minutes, for this session alone.',
        tags: ['Sessions'],
      },
      response: answers({ 200: Proven }, 'invalid_credentials', ...BODY_CODES, ...TOKEN_CODES),
    },
  )
