import { Elysia } from 'elysia'
import { type Caller, callerOf } from '../../http/caller.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { Problem } from '../../core/errors.ts'
import { addressKey } from './address.ts'
import { isClosedToBots } from './bots.ts'
import { isClosedToGuests } from './guests.ts'
import type { Authenticated, Sessions } from './store.ts'

/** The limit of every endpoint without its own. */
const GENERAL: BucketPolicy = { name: 'general', burst: 50, refillPerS: 20 }
/** The general limit of bots, which answer many people. */
const BOTS: BucketPolicy = { name: 'bots', burst: 100, refillPerS: 50 }

/** Cookies with the __Host- prefix need Secure, which plain http on localhost cannot give. */
const cookieName = (base: string) => (base.startsWith('https:') ? '__Host-session' : 'session')

/** The Set-Cookie that carries the token; an empty token clears it. */
export function sessionCookie(base: string, token: string, maxAgeS: number): string {
  const secure = base.startsWith('https:') ? '; Secure' : ''
  return `${cookieName(base)}=${token}; HttpOnly${secure}; SameSite=Lax; Path=/; Max-Age=${token ? maxAgeS : 0}`
}

/** The token in a request, and whether it came in a cookie, which browsers send by themselves. */
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

/** True if a request with a cookie comes from a page of this server or of an allowed origin. */
export function isOwnOrigin(request: Request, base: string, origins: string[]): boolean {
  const origin = request.headers.get('origin')
  if (origin !== null) return origin === base || origins.includes(origin)
  return request.headers.get('sec-fetch-site') === 'same-origin'
}

type Counting = Pick<Parts, 'limits'>

/** A request costs one token, plus one for each of these bytes in its body. */
const ANONYMOUS_TOKEN_BYTES = 16 * 1024
const ANONYMOUS_TOKEN_MS = 5
const ACCOUNT_TOKEN_BYTES = 64 * 1024

/** Takes the cost of a request, less what it has paid already. @throws Problem `rate_limited` */
async function take(
  { limits }: Counting,
  caller: Caller,
  key: string,
  extraCost: number,
  policy = GENERAL,
): Promise<void> {
  caller.taken ??= new Map()
  const paid = caller.taken.get(key) ?? 0
  const cost = 1 + extraCost
  if (cost <= paid) return
  await limits.take(caller, policy, key, cost - paid)
  caller.taken.set(key, cost)
}

/** Counts a request without a valid token, by its address. @throws Problem `rate_limited` */
export function admitAddress(parts: Counting, caller: Caller): Promise<void> {
  const { bodyBytes = 0, parseMs = 0 } = caller
  const extraCost = Math.floor(bodyBytes / ANONYMOUS_TOKEN_BYTES) + Math.floor(parseMs / ANONYMOUS_TOKEN_MS)
  return take(parts, caller, addressKey(caller.ip), extraCost)
}

/** Counts a request that no limit has counted, such as one to an unknown path. @throws Problem `rate_limited` */
export async function admitUncounted(parts: Counting, caller: Caller): Promise<void> {
  if (caller.headers.ratelimit === undefined) await admitAddress(parts, caller)
}

/**
 * Charges the address for the CPU time that validating an anonymous request took on this thread; a machine busy with
 * other work costs nobody. The work is already done, so missing tokens become a debt. Call it before anything is
 * awaited, or other requests' work is charged too.
 */
export function countTime({ limits }: Counting, caller: Caller): void {
  if (!caller.validatedFrom) return
  const { user, system } = process.threadCpuUsage(caller.validatedFrom)
  caller.validatedFrom = undefined
  const cost = Math.floor((user + system) / 1000 / ANONYMOUS_TOKEN_MS)
  if (cost > 0) void limits.owe(GENERAL, addressKey(caller.ip), cost)
}

const admitAccount = (parts: Parts, caller: Caller, { id, is_bot }: Authenticated): Promise<void> => {
  const extraCost = Math.floor((caller.bodyBytes ?? 0) / ACCOUNT_TOKEN_BYTES)
  return take(parts, caller, `user:${id}`, extraCost, is_bot ? BOTS : GENERAL)
}

/** The session of a request, if valid. The cookie does not count in requests from other sites' pages. */
export async function ownSession(
  parts: Parts,
  sessions: Sessions,
  request: Request,
): Promise<Authenticated | undefined> {
  const { base } = callerOf(request)
  const credential = presentedToken(request, base)
  if (!credential || (credential.cookie && !isOwnOrigin(request, base, parts.environment.CORS_ORIGINS)))
    return undefined
  return sessions.authenticate(credential.token).catch(() => undefined)
}

/**
 * Counts a request with a large body before parsing it; `identify` later takes only the rest. A request with a valid
 * token counts by account.
 * @throws Problem `rate_limited`
 */
export async function admitBody(parts: Parts, sessions: Sessions, request: Request): Promise<void> {
  const caller = callerOf(request)
  if ((caller.bodyBytes ?? 0) < ANONYMOUS_TOKEN_BYTES) return
  const me = await ownSession(parts, sessions, request)
  await (me ? admitAccount(parts, caller, me) : admitAddress(parts, caller))
}

/**
 * The account that a page believes to be logged in. Another tab may have logged in to another account, whose cookie the
 * browser then sends for this page too.
 */
const ACCOUNT_HEADER = 'x-account-id'

/**
 * Authenticates a request and counts it.
 * @throws Problem `unauthorized`, `token_expired`, `token_revoked`, `csrf`, `rate_limited`
 */
async function identify(parts: Parts, sessions: Sessions, request: Request, caller: Caller): Promise<Authenticated> {
  const credential = presentedToken(request, caller.base)
  if (!credential) {
    await admitAddress(parts, caller)
    throw new Problem('unauthorized')
  }
  const me = await sessions.authenticate(credential.token).catch(async (error: unknown) => {
    await admitAddress(parts, caller)
    throw error
  })
  const expectedId = request.headers.get(ACCOUNT_HEADER)
  if (expectedId !== null && expectedId !== String(me.id)) {
    await admitAddress(parts, caller)
    throw new Problem('unauthorized', 'The token belongs to another account than x-account-id names')
  }
  caller.user_id = me.id
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (credential.cookie && !isRead && !isOwnOrigin(request, caller.base, parts.environment.CORS_ORIGINS)) {
    // Counted by address, because another site's page must not use up the account's limit.
    await admitAddress(parts, caller)
    throw new Problem('csrf')
  }
  await admitAccount(parts, caller, me)
  return me
}

/** Routes below concern only the caller's account, and stay open while its e-mail address is unconfirmed. */
const OWN_ROUTES = '/api/auth/'

/**
 * The plugin of routes that need a token: gives handlers `me` and `caller`. Runs before the body is validated.
 * @param demand further conditions on the caller; throws a Problem
 */
export const signedIn = (parts: Parts, sessions: Sessions, demand?: (me: Authenticated) => Promise<void>) =>
  new Elysia().derive({ as: 'scoped' }, async ({ request, route }) => {
    const caller = callerOf(request)
    caller.route = route
    const me = await identify(parts, sessions, request, caller)
    if (me.unverified && !route.startsWith(OWN_ROUTES)) throw new Problem('email_unverified')
    if (me.is_bot && isClosedToBots(request.method, route)) throw new Problem('not_for_bots')
    if (me.is_guest && isClosedToGuests(request.method, route)) throw new Problem('not_for_guests')
    await demand?.(me)
    return { caller, me }
  })

/**
 * The plugin of routes for which a token is optional: gives handlers `caller`, and `countsAs`, the key of limits by
 * account or else by address.
 */
export const anyone = (parts: Parts, sessions: Sessions) =>
  new Elysia()
    .derive({ as: 'scoped' }, async ({ request, route }) => {
      const caller = callerOf(request)
      caller.route = route
      const credential = presentedToken(request, caller.base)
      const me = credential && (await sessions.authenticate(credential.token).catch(unlessRefused))
      if (me) caller.user_id = me.id
      await (me ? admitAccount(parts, caller, me) : admitAddress(parts, caller))
      return { caller, countsAs: me ? `user:${me.id}` : addressKey(caller.ip) }
    })
    .onTransform({ as: 'scoped' }, startClock)
    .onBeforeHandle({ as: 'scoped' }, ({ request }) => countTime(parts, callerOf(request)))

/** @throws the error, unless it means that the token is invalid */
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
    .onTransform({ as: 'scoped' }, startClock)
    .onBeforeHandle({ as: 'scoped' }, ({ request }) => countTime(parts, callerOf(request)))

/** The plugin of routes that need no token and have their own limit, by address. */
export const byAddress = ({ limits }: Counting, policy: BucketPolicy) =>
  new Elysia().derive({ as: 'scoped' }, async ({ request, route }) => {
    const caller = callerOf(request)
    caller.route = route
    await limits.take(caller, policy, addressKey(caller.ip))
    return { caller }
  })

/** Runs after a request is counted, which is asynchronous, and before it is validated, which is synchronous. */
function startClock({ request }: { request: Request }): void {
  const caller = callerOf(request)
  if (caller.user_id === undefined) caller.validatedFrom = process.threadCpuUsage()
}
