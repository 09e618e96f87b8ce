import { Elysia } from 'elysia'
import { type Caller, callerOf } from '../../http/caller.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { Problem } from '../../core/errors.ts'
import { addressKey } from './address.ts'
import { isClosedToBots } from './bots.ts'
import type { Authenticated, Sessions } from './store.ts'

/** The limit of every endpoint that has none of its own. */
const GENERAL: BucketPolicy = { name: 'general', burst: 50, refill_per_s: 20 }
/** The same for bots, which answer many people. */
const BOTS: BucketPolicy = { name: 'bots', burst: 100, refill_per_s: 50 }

/** Cookies with the __Host- prefix need Secure, which plain http on localhost cannot give. */
const cookieName = (base: string) => (base.startsWith('https:') ? '__Host-session' : 'session')

/** The Set-Cookie that carries the token; an empty token clears it. */
export function sessionCookie(base: string, token: string, max_age_s: number): string {
  const secure = base.startsWith('https:') ? '; Secure' : ''
  return `${cookieName(base)}=${token}; HttpOnly${secure}; SameSite=Lax; Path=/; Max-Age=${token ? max_age_s : 0}`
}

/** The token that a request presents, and whether it came in a cookie, which browsers send by themselves. */
export function presentedToken(request: Request, base: string): { token: string; cookie: boolean } | undefined {
  const [, bearer] = /^(?:bearer|bot) +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
  if (bearer) return { token: bearer, cookie: false }
  if (request.headers.has('authorization')) return undefined
  const name = `${cookieName(base)}=`
  const pair = request.headers
    .get('cookie')
    ?.split(/; */)
    .find((part) => part.startsWith(name))
  return pair ? { token: pair.slice(name.length), cookie: true } : undefined
}

/** Whether a request with a cookie comes from a page of this server or of an allowed origin. */
export function isOwnOrigin(request: Request, base: string, allowed: string[]): boolean {
  const origin = request.headers.get('origin')
  if (origin !== null) return origin === base || allowed.includes(origin)
  return request.headers.get('sec-fetch-site') === 'same-origin'
}

type Counting = Pick<Parts, 'limits'>

/** A request costs one token, and one more for each of these that its body needs. */
const ANONYMOUS_TOKEN_BYTES = 16 * 1024
const ANONYMOUS_TOKEN_MS = 5
const ACCOUNT_TOKEN_BYTES = 64 * 1024

/** Takes what a request costs beyond the tokens that it has taken already. @throws Problem `rate_limited` */
async function take({ limits }: Counting, caller: Caller, key: string, extra: number, policy = GENERAL): Promise<void> {
  caller.taken ??= new Map()
  const taken = caller.taken.get(key) ?? 0
  const cost = 1 + extra
  if (cost <= taken) return
  await limits.take(caller, policy, key, cost - taken)
  caller.taken.set(key, cost)
}

/** Counts a request without a valid token, by its address. @throws Problem `rate_limited` */
export function admitAddress(parts: Counting, caller: Caller): Promise<void> {
  const { body_bytes = 0, parse_ms = 0 } = caller
  const extra = Math.floor(body_bytes / ANONYMOUS_TOKEN_BYTES) + Math.floor(parse_ms / ANONYMOUS_TOKEN_MS)
  return take(parts, caller, addressKey(caller.ip), extra)
}

/** Counts a request that no limit has counted, such as one to a path that there is not. @throws Problem `rate_limited` */
export async function admitUncounted(parts: Counting, caller: Caller): Promise<void> {
  if (caller.headers.ratelimit === undefined) await admitAddress(parts, caller)
}

/**
 * Counts the time for which this thread was at work to validate an anonymous request; a machine that is busy elsewhere
 * costs nobody. The work is done, so the address owes what it has no tokens for. Call it before anything is awaited,
 * or the work of others is counted too.
 */
export function countTime({ limits }: Counting, caller: Caller): void {
  if (!caller.validated_from) return
  const { user, system } = process.threadCpuUsage(caller.validated_from)
  caller.validated_from = undefined
  const cost = Math.floor((user + system) / 1000 / ANONYMOUS_TOKEN_MS)
  if (cost > 0) void limits.owe(GENERAL, addressKey(caller.ip), cost)
}

const admitAccount = (parts: Parts, caller: Caller, { id, is_bot }: Authenticated): Promise<void> => {
  const extra = Math.floor((caller.body_bytes ?? 0) / ACCOUNT_TOKEN_BYTES)
  return take(parts, caller, `user:${id}`, extra, is_bot ? BOTS : GENERAL)
}

/** The session that a request presents, if it is valid; pages of other sites present none by its cookie. */
export async function ownSession(
  parts: Parts,
  sessions: Sessions,
  request: Request,
): Promise<Authenticated | undefined> {
  const { base } = callerOf(request)
  const presented = presentedToken(request, base)
  if (!presented || (presented.cookie && !isOwnOrigin(request, base, parts.environment.CORS_ORIGINS))) return undefined
  return sessions.authenticate(presented.token).catch(() => undefined)
}

/**
 * Counts a request whose body is large before the body is parsed; `identify` takes only what is missing then. A request
 * with a valid token counts by account.
 * @throws Problem `rate_limited`
 */
export async function admitBody(parts: Parts, sessions: Sessions, request: Request): Promise<void> {
  const caller = callerOf(request)
  if ((caller.body_bytes ?? 0) < ANONYMOUS_TOKEN_BYTES) return
  const me = await ownSession(parts, sessions, request)
  await (me ? admitAccount(parts, caller, me) : admitAddress(parts, caller))
}

/**
 * Authenticates a request and counts it.
 * @throws Problem `unauthorized`, `token_expired`, `token_revoked`, `csrf`, `rate_limited`
 */
async function identify(parts: Parts, sessions: Sessions, request: Request, caller: Caller): Promise<Authenticated> {
  const presented = presentedToken(request, caller.base)
  if (!presented) {
    await admitAddress(parts, caller)
    throw new Problem('unauthorized')
  }
  const me = await sessions.authenticate(presented.token).catch(async (error: unknown) => {
    await admitAddress(parts, caller)
    throw error
  })
  caller.user_id = me.id
  const reads = request.method === 'GET' || request.method === 'HEAD'
  if (presented.cookie && !reads && !isOwnOrigin(request, caller.base, parts.environment.CORS_ORIGINS)) {
    // Counted by address: another site's page must not use up the account's share.
    await admitAddress(parts, caller)
    throw new Problem('csrf')
  }
  await admitAccount(parts, caller, me)
  return me
}

/** What is below concerns the own account alone: it stays open to whoever has to confirm the e-mail address. */
const OWN_ROUTES = '/api/auth/'

/**
 * The plugin of routes that need a token: gives handlers `me` and `caller`. Runs before the body is validated.
 * @param demand what else the caller has to be; it throws a Problem
 */
export const signedIn = (parts: Parts, sessions: Sessions, demand?: (me: Authenticated) => Promise<void>) =>
  new Elysia().derive({ as: 'scoped' }, async ({ request, route }) => {
    const caller = callerOf(request)
    caller.route = route
    const me = await identify(parts, sessions, request, caller)
    if (me.unverified && !route.startsWith(OWN_ROUTES)) throw new Problem('email_unverified')
    if (me.is_bot && isClosedToBots(request.method, route)) throw new Problem('not_for_bots')
    await demand?.(me)
    return { caller, me }
  })

/**
 * The plugin of routes that need no token, and know who presents a valid one: gives handlers `caller`, and `counts_as`,
 * the key of a limit by account or else by address.
 */
export const anyone = (parts: Parts, sessions: Sessions) =>
  new Elysia()
    .derive({ as: 'scoped' }, async ({ request, route }) => {
      const caller = callerOf(request)
      caller.route = route
      const presented = presentedToken(request, caller.base)
      const me = presented && (await sessions.authenticate(presented.token).catch(unlessRefused))
      if (me) caller.user_id = me.id
      await (me ? admitAccount(parts, caller, me) : admitAddress(parts, caller))
      return { caller, counts_as: me ? `user:${me.id}` : addressKey(caller.ip) }
    })
    .onTransform({ as: 'scoped' }, timed)
    .onBeforeHandle({ as: 'scoped' }, ({ request }) => countTime(parts, callerOf(request)))

/** @throws the error, unless it says that the token is not valid */
function unlessRefused(error: unknown): undefined {
  if (!(error instanceof Problem)) throw error
}

/** The plugin of routes that need no token: gives handlers `caller`. */
export const anonymous = (parts: Counting) =>
  new Elysia()
    .derive({ as: 'scoped' }, async ({ request, route }) => {
      const caller = callerOf(request)
      caller.route = route
      await admitAddress(parts, caller)
      return { caller }
    })
    .onTransform({ as: 'scoped' }, timed)
    .onBeforeHandle({ as: 'scoped' }, ({ request }) => countTime(parts, callerOf(request)))

/** The plugin of routes that need no token and have a limit of their own, by address. */
export const byAddress = ({ limits }: Counting, policy: BucketPolicy) =>
  new Elysia().derive({ as: 'scoped' }, async ({ request, route }) => {
    const caller = callerOf(request)
    caller.route = route
    await limits.take(caller, policy, addressKey(caller.ip))
    return { caller }
  })

/** Runs between the counting of a request, which is awaited, and its validation, which is not. */
function timed({ request }: { request: Request }): void {
  const caller = callerOf(request)
  if (caller.user_id === undefined) caller.validated_from = process.threadCpuUsage()
}
