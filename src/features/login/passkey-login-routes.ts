import { Elysia } from 'elysia'
import { BODY_CODES } from '../../core/errors.ts'
import { answers, NoBody } from '../../core/schema.ts'
import type { Parts } from '../../parts.ts'
import { LOGIN_ATTEMPTS_BY_ADDRESS } from '../accounts/limits.ts'
import { SignedIn } from '../accounts/model.ts'
import { signIn } from '../accounts/sign-in.ts'
import { addressKey } from '../sessions/address.ts'
import { anonymous } from '../sessions/identity.ts'
import type { Sessions } from '../sessions/store.ts'
import type { Passkeys } from '../passkeys/ceremonies.ts'
import { PasskeyLogin, RequestOptions } from '../passkeys/model.ts'

const tags = ['Accounts']

/** Login with a passkey, without a username. Needs no token, as POST /api/auth/login does not. */
export const passkeyLoginRoutes = (parts: Parts, sessions: Sessions, passkeys: Passkeys) =>
  new Elysia({ prefix: '/api/auth/login' })
    .use(anonymous(parts))
    .post('/passkey/options', async () => passkeys.requestOptions(parts.sql, 'login'), {
      body: NoBody,
      detail: {
        summary: 'Get the options for logging in with a passkey',
        description: 'A challenge is valid for one answer within five minutes.',
        security: [],
        tags,
      },
      response: answers({ 200: RequestOptions }, 'not_found', ...BODY_CODES),
    })
    .post(
      '/passkey',
      async ({ body: { passkey }, caller, request }) => {
        await parts.limits.take(caller, LOGIN_ATTEMPTS_BY_ADDRESS, addressKey(caller.ip))
        const userId = await passkeys.accountOf(parts.sql, passkey)
        return signIn(parts, sessions, { caller, request }, userId, (sql) =>
          passkeys.answer(sql, userId, 'login', passkey),
        )
      },
      {
        body: PasskeyLogin,
        detail: {
          summary: 'Log in with a passkey',
          description: 'A passkey counts as both factors, so no second step follows.',
          security: [],
          tags,
        },
        response: answers({ 200: SignedIn }, 'invalid_passkey', 'not_found', 'account_suspended', ...BODY_CODES),
      },
    )
