import { Elysia } from 'elysia'
import { z } from 'zod'
import { BODY_CODES, type ErrorCode, found, isErrorCode, Problem, SHAPE_CODES, TOKEN_CODES } from '../../core/errors.ts'
import { answers, DecimalId, Nothing } from '../../core/schema.ts'
import { violatedConstraint } from '../../database/database.ts'
import type { Parts } from '../../parts.ts'
import { LOGIN_ATTEMPTS_BY_ADDRESS } from '../accounts/limits.ts'
import type { SecondStep } from '../accounts/sign-in.ts'
import { hasSecondFactor } from '../factors/factors.ts'
import { tellChange } from '../factors/told.ts'
import type { Passkeys } from '../passkeys/ceremonies.ts'
import { demandProof } from '../proof/proof.ts'
import { addressKey } from '../sessions/address.ts'
import { anonymous, signedIn } from '../sessions/identity.ts'
import type { Me, Sessions } from '../sessions/store.ts'
import { type Attempt, Attempts, isStateOf, type Purpose } from '../oidc/attempts.ts'
import { enter, type Entry } from './oidc-login.ts'
import { demandWayIn, identitiesOf, provesByIdentity } from '../oidc/identities.ts'
import { CallbackQuery, Identity, OidcStart, OidcUrl, StartQuery } from '../oidc/model.ts'
import type { Provider } from '../oidc/provider.ts'
import { demandLinkable, link, prove } from './oidc-session-steps.ts'

const tags = ['Accounts']
const Elsewhere = z.literal('').describe('Location is where to go on')

const START = `Open this address in the browser, not by fetch: it redirects to the provider, and from there to
\`/api/auth/oidc/callback\`, which sets the session cookie and redirects to \`return_to\`. If the account has a second
factor, it is still required. On errors, programs get a problem, and browsers are redirected to \`/login#sso=<code>\`.
A browser sent here by another site (\`Sec-Fetch-Site\` is \`cross-site\` or \`same-site\`) is redirected to
\`/login\`, where the person has to click.`
const CALLBACK = `The provider redirects the browser here. Works once, in the browser that started, for ten minutes.`
const LINK = `The browser goes to \`url\` and returns to \`return_to\` with the fragment \`#sso=linked\`, or
\`#sso=<code>\` on an error. Needs a proof and, if mail is on, a confirmed e-mail address.`
const PROVE = `For accounts without a password. The browser goes to \`url\`, where the person logs in again, and
returns to \`return_to\` with the fragment \`#sso=proven\`, or \`#sso=<code>\` on an error.`

interface OidcContext {
  parts: Parts
  sessions: Sessions
  passkeys: Passkeys
  provider: Provider
  attempts: Attempts
}

/**
 * Redirects a browser to a page of this server. The outcome is in the fragment, which browsers do not send to servers.
 */
const sendTo = (base: string, path: string, sso?: string): Response => {
  const [page = '/'] = path.split('#')
  const location = sso === undefined ? `${base}${path}` : `${base}${page}#sso=${sso}`
  return new Response(null, { status: 302, headers: { location, 'referrer-policy': 'no-referrer' } })
}

/** The second step of a login, encoded for the login page. */
const pendingIn = ({ pending: { pending_token, methods } }: SecondStep): string =>
  `second_factor_required:${pending_token}:${methods.join(',')}`

/** The error code to show in the browser; undefined for a fault of the server. */
function codeIn(error: unknown): ErrorCode | undefined {
  if (error instanceof Problem) return error.code
  const constraint = violatedConstraint(error)
  return constraint !== undefined && isErrorCode(constraint) ? constraint : undefined
}

const wantsPage = (request: Request): boolean => request.headers.get('accept')?.includes('text/html') ?? false

/**
 * True if a page of another origin has sent the browser here. That page could otherwise log its visitors in, or
 * create accounts for them, without a click. Programs and old browsers send no header; `none` is a typed address.
 */
const isSentByOthers = (request: Request): boolean =>
  ['cross-site', 'same-site'].includes(request.headers.get('sec-fetch-site') ?? '')

/** Begins an attempt of this browser. @returns the provider's address */
async function begin(
  { provider, attempts }: OidcContext,
  caller: Entry['caller'],
  purpose: Purpose,
  return_to: string,
): Promise<string> {
  const attempt = attempts.begin(purpose, return_to, await provider.issuer())
  const url = await provider.authorizationUrl(attempt, purpose.kind === 'proof')
  caller.headers['set-cookie'] = attempts.cookie(attempt, caller.base)
  return url
}

/** Completes an attempt according to its purpose. @returns the outcome for the page */
async function finish(context: OidcContext, entry: Entry, attempt: Attempt, query: CallbackQuery) {
  const { parts, provider } = context
  const { purpose } = attempt
  const identity = await provider.redeem(attempt, query)
  if (purpose.kind === 'login') {
    const step = await enter(entry, identity, purpose.invite_code)
    if (step && !wantsPage(entry.request))
      throw new Problem('second_factor_required', undefined, { pending: step.pending })
    return step && pendingIn(step)
  }
  const me = { id: purpose.user_id, session_id: purpose.session_id }
  if (purpose.kind === 'link') await link(parts, me, identity)
  else await prove(parts, me, identity, attempt.started_s)
  return purpose.kind === 'link' ? 'linked' : 'proven'
}

/** The way to the provider and back. Needs no token, because people log in and register here. */
const browserRoutes = (context: OidcContext) => {
  const { parts, sessions, passkeys, attempts } = context
  /** Answers a browser with a page, and a program with the problem itself. */
  const refuse = (request: Request, base: string, path: string, error: unknown): Response => {
    const code = codeIn(error)
    if (code === undefined || !wantsPage(request)) throw error
    return sendTo(base, path, code)
  }
  return new Elysia({ prefix: '/api/auth/oidc' })
    .use(anonymous(parts))
    .get(
      '/start',
      async ({ query: { return_to, invite_code }, caller, request }) => {
        context.provider.demandOn()
        if (isSentByOthers(request)) return sendTo(caller.base, '/login')
        try {
          const url = await begin(context, caller, { kind: 'login', invite_code }, return_to)
          return new Response(null, { status: 302, headers: { location: url } })
        } catch (error) {
          return refuse(request, caller.base, '/login', error)
        }
      },
      {
        query: StartQuery,
        detail: { summary: 'Log in by the identity provider', description: START, security: [], tags },
        response: answers({ 302: Elsewhere }, 'not_found', ...SHAPE_CODES),
      },
    )
    .get(
      '/callback',
      async ({ query, caller, request }) => {
        context.provider.demandOn()
        const attempt = attempts.read(request, caller.base)
        const isLogin = attempt === undefined || attempt.purpose.kind === 'login'
        const returnPath = isLogin ? '/login' : attempt.return_to
        try {
          if (!attempt || !isStateOf(attempt, query.state)) throw new Problem('login_expired')
          await parts.limits.take(caller, LOGIN_ATTEMPTS_BY_ADDRESS, addressKey(caller.ip))
          if (!(await attempts.spend(parts.sql, attempt))) throw new Problem('login_expired')
          const entry = { parts, sessions, passkeys, caller, request }
          const outcome = await finish(context, entry, attempt, query)
          return sendTo(caller.base, isLogin && outcome !== undefined ? '/login' : attempt.return_to, outcome)
        } catch (error) {
          return refuse(request, caller.base, returnPath, error)
        }
      },
      {
        query: CallbackQuery,
        detail: { summary: 'Return from the identity provider', description: CALLBACK, security: [], tags },
        response: answers(
          { 302: Elsewhere },
          'login_expired',
          'oidc_failed',
          'second_factor_required',
          'email_taken',
          'identity_taken',
          'identity_linked',
          'account_suspended',
          'email_unverified',
          'proof_required',
          'token_revoked',
          'forbidden',
          'not_found',
          'storage_full',
          ...SHAPE_CODES,
        ),
      },
    )
}

/** Routes of a logged-in account. */
const ownRoutes = (context: OidcContext) => {
  const { parts, sessions } = context
  const { sql, write, environment, log } = parts
  const purposeOf = (kind: 'link' | 'proof', me: Me): Purpose => ({ kind, user_id: me.id, session_id: me.session_id })
  return new Elysia({ prefix: '/api/auth/oidc' })
    .use(signedIn(parts, sessions))
    .post(
      '/link',
      async ({ me, caller, body: { return_to } }) => {
        context.provider.demandOn()
        await demandLinkable(sql, environment, me)
        return { url: await begin(context, caller, purposeOf('link', me), return_to) }
      },
      {
        body: OidcStart,
        detail: { summary: 'Link the account with an identity at the provider', description: LINK, tags },
        response: answers({ 200: OidcUrl }, 'not_found', 'proof_required', ...BODY_CODES, ...TOKEN_CODES),
      },
    )
    .post(
      '/proof',
      async ({ me, caller, body: { return_to } }) => {
        context.provider.demandOn()
        const may = !(await hasSecondFactor(sql, me.id)) && (await provesByIdentity(sql, environment, me.id))
        if (!may) throw new Problem('forbidden')
        return { url: await begin(context, caller, purposeOf('proof', me), return_to) }
      },
      {
        body: OidcStart,
        detail: { summary: 'Prove through the provider that the caller owns the account', description: PROVE, tags },
        response: answers({ 200: OidcUrl }, 'not_found', 'forbidden', ...BODY_CODES, ...TOKEN_CODES),
      },
    )
    .get('/identities', async ({ me }) => identitiesOf(sql, me.id), {
      detail: { summary: 'List the identities linked with the account, one per provider', tags },
      response: answers({ 200: z.array(Identity) }, ...TOKEN_CODES),
    })
    .delete(
      '/identities/:identity_id',
      async ({ me, params, status }) => {
        await write(async (tx, emit) => {
          await tx`select 1 from users where id = ${me.id} for no key update`
          await demandProof(tx, me)
          const [row] = await tx`
            delete from identities where id = ${params.identity_id} and user_id = ${me.id} returning 1`
          found(row)
          await demandWayIn(tx, environment, me.id)
          // A pending login that began with the identity ends as well.
          await tx`delete from pending_logins where user_id = ${me.id}`
          await tellChange(tx, emit, environment, me, 'identity_unlinked')
        })
        log('info', 'account.factors', { user_id: me.id, change: 'identity_unlinked' })
        return status(204, undefined)
      },
      {
        params: z.object({ identity_id: DecimalId.describe('id of the identity') }),
        detail: {
          summary: 'Unlink an identity',
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

export const oidcRoutes = (parts: Parts, sessions: Sessions, passkeys: Passkeys, provider: Provider) => {
  const context = { parts, sessions, passkeys, provider, attempts: new Attempts(parts.secrets.jwt) }
  return new Elysia().use(browserRoutes(context)).use(ownRoutes(context))
}
