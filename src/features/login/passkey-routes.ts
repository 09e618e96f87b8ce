import { Elysia } from 'elysia'
import { z } from 'zod'
import { BODY_CODES, found, Problem, SHAPE_CODES, TOKEN_CODES } from '../../core/errors.ts'
import { answers, DecimalId, NoBody, Nothing } from '../../core/schema.ts'
import { columns } from '../../database/database.ts'
import type { Parts } from '../../parts.ts'
import { demandProvenAddress } from '../factors/factors.ts'
import { tellChange } from '../factors/told.ts'
import { demandWayIn } from '../oidc/identities.ts'
import { demandProof } from '../proof/proof.ts'
import { signedIn } from '../sessions/identity.ts'
import type { Sessions } from '../sessions/store.ts'
import type { Passkeys } from '../passkeys/ceremonies.ts'
import { CreationOptions, Passkey, PasskeyDraft, PasskeyPatch, PASSKEYS_MAX } from '../passkeys/model.ts'

const tags = ['Accounts']
const params = z.object({ passkey_id: DecimalId.describe('id of the passkey') })
const REGISTERING = `Pass the options to \`navigator.credentials.create\`, and its result to POST /api/auth/passkeys
within five minutes, in the same session. Needs a proof.`

export const passkeyRoutes = (parts: Parts, sessions: Sessions, passkeys: Passkeys) => {
  const { sql, write, log } = parts
  const logChange = (user_id: number, change: string) => log('info', 'account.factors', { user_id, change })
  return new Elysia({ prefix: '/api/auth' })
    .use(signedIn(parts, sessions))
    .post(
      '/passkeys/options',
      async ({ me }) => {
        await demandProof(sql, me)
        return passkeys.creationOptions(sql, me.id, me.session_id)
      },
      {
        body: NoBody,
        detail: { summary: 'Get the options for creating a passkey', description: REGISTERING, tags },
        response: answers({ 200: CreationOptions }, 'not_found', 'proof_required', ...BODY_CODES, ...TOKEN_CODES),
      },
    )
    .post(
      '/passkeys',
      async ({ me, body, status }) => {
        const newPasskey = await write(async (tx, emit) => {
          await tx`select 1 from users where id = ${me.id} for no key update`
          await demandProof(tx, me)
          await demandProvenAddress(tx, parts.environment, me.id)
          const credential = await passkeys.register(tx, me.session_id, body.passkey)
          const [{ count } = { count: 0 }] = await tx<{ count: number }[]>`
            select count(*) from passkeys where user_id = ${me.id}`
          if (count >= PASSKEYS_MAX) throw new Problem('too_many_passkeys')
          const row = { ...credential, user_id: me.id, name: body.name }
          const [passkey] = await tx<Passkey[]>`
            insert into passkeys ${tx(row)} returning ${columns(tx, Passkey)}`
          await tellChange(tx, emit, parts.environment, me, 'passkey_added')
          return found(passkey, 'internal')
        })
        logChange(me.id, 'passkey_added')
        return status(201, newPasskey)
      },
      {
        body: PasskeyDraft,
        detail: {
          summary: 'Register a passkey',
          description:
            'A passkey logs in without a password, because it verifies the person. Needs a proof and, if mail is on, ' +
            'a confirmed e-mail address.',
          tags,
        },
        response: answers(
          { 201: Passkey },
          'invalid_passkey',
          'not_found',
          'passkey_taken',
          'too_many_passkeys',
          'proof_required',
          ...BODY_CODES,
          ...TOKEN_CODES,
        ),
      },
    )
    .get(
      '/passkeys',
      async ({ me }) => sql<Passkey[]>`
        select ${columns(sql, Passkey)} from passkeys where user_id = ${me.id} order by id`,
      {
        detail: { summary: `List the passkeys of the account, at most ${PASSKEYS_MAX}`, tags },
        response: answers({ 200: z.array(Passkey) }, ...TOKEN_CODES),
      },
    )
    .put(
      '/passkeys/:passkey_id',
      async ({ me, params, body }) =>
        write(async (tx) => {
          await demandProof(tx, me)
          const [passkey] = await tx<Passkey[]>`update passkeys set name = ${body.name}
            where id = ${params.passkey_id} and user_id = ${me.id} returning ${columns(tx, Passkey)}`
          return found(passkey)
        }),
      {
        params,
        body: PasskeyPatch,
        detail: { summary: 'Rename a passkey', description: 'Needs a proof.', tags },
        response: answers({ 200: Passkey }, 'not_found', 'proof_required', ...BODY_CODES, ...TOKEN_CODES),
      },
    )
    .delete(
      '/passkeys/:passkey_id',
      async ({ me, params, status }) => {
        await write(async (tx, emit) => {
          await tx`select 1 from users where id = ${me.id} for no key update`
          await demandProof(tx, me)
          const [row] = await tx`
            delete from passkeys where id = ${params.passkey_id} and user_id = ${me.id} returning 1`
          found(row)
          await demandWayIn(tx, parts.environment, me.id)
          await tellChange(tx, emit, parts.environment, me, 'passkey_removed')
        })
        logChange(me.id, 'passkey_removed')
        return status(204, undefined)
      },
      {
        params,
        detail: {
          summary: 'Remove a passkey',
          description: 'The last way into the account cannot be removed (`last_way_in`). Needs a proof.',
          tags,
        },
        response: answers(
          { 204: Nothing },
          'not_found',
          'last_way_in',
          'proof_required',
          ...SHAPE_CODES,
          ...TOKEN_CODES,
        ),
      },
    )
}
