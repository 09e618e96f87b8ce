import { Elysia } from 'elysia'
import { BODY_CODES } from '../../core/errors.ts'
import { answers } from '../../core/schema.ts'
import type { Parts } from '../../parts.ts'
import { SignedIn } from '../accounts/model.ts'
import { signIn } from '../accounts/sign-in.ts'
import type { Passkeys } from '../passkeys/ceremonies.ts'
import { anonymous } from '../sessions/identity.ts'
import type { Sessions } from '../sessions/store.ts'
import { limitCodes, methodsOf, takeFactor } from '../factors/factors.ts'
import { SecondLogin, SecondLoginOptions, SecondLoginStart } from '../factors/model.ts'
import { countTry, endPendingLogin, pendingAccount, pendingName } from '../factors/pending-logins.ts'

const tags = ['Accounts']

const SECOND = `Call it after POST /api/auth/login has answered \`second_factor_required\`. The \`pending_token\` is
valid for five minutes and five attempts; an account may get 20 wrong codes per hour. A recovery code works once.`

/** The second step of a login. Needs no token, as POST /api/auth/login does not. */
export const secondLoginRoutes = (parts: Parts, sessions: Sessions, passkeys: Passkeys) =>
  new Elysia({ prefix: '/api/auth/login' })
    .use(anonymous(parts))
    .post(
      '/second/options',
      async ({ body: { pending_token } }) => {
        const { sql } = parts
        const userId = await pendingAccount(sql, pending_token)
        const methods = await methodsOf(sql, passkeys, userId)
        const purpose = `second ${pendingName(pending_token)}` as const
        const passkey = methods.includes('passkey') ? await passkeys.requestOptions(sql, purpose, userId) : null
        return { methods, passkey }
      },
      {
        body: SecondLoginStart,
        detail: {
          summary: 'Get the second factors that can complete a login, and a passkey challenge',
          security: [],
          tags,
        },
        response: answers({ 200: SecondLoginOptions }, 'login_expired', ...BODY_CODES),
      },
    )
    .post(
      '/second',
      async ({ body: { pending_token, ...factor }, caller, request }) => {
        const userId = await countTry(parts.sql, pending_token)
        const purpose = `second ${pendingName(pending_token)}` as const
        const enter = () =>
          signIn(parts, sessions, { caller, request }, userId, async (sql) => {
            await takeFactor(sql, parts, passkeys, userId, purpose, factor)
            await endPendingLogin(sql, pending_token)
          })
        return factor.passkey ? enter() : limitCodes(parts, caller, userId, enter)
      },
      {
        body: SecondLogin,
        detail: {
          summary: 'Complete a login with a code, a recovery code or a passkey',
          description: SECOND,
          security: [],
          tags,
        },
        response: answers(
          { 200: SignedIn },
          'login_expired',
          'invalid_code',
          'invalid_passkey',
          'account_suspended',
          ...BODY_CODES,
        ),
      },
    )
