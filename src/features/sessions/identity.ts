import { Elysia } from 'elysia'
import { type Caller, callerOf } from '../../http/caller.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { Problem } from '../../core/errors.ts'
import { addressKey } from './address.ts'
import type { Authenticated, Sessions } from './store.ts'

/** The limit of every endpoint that has none of its own. */
const GENERAL: BucketPolicy = { name: 'general', burst: 50, refill_per_s: 20 }

/** Cookies with the __Host- prefix need Secure, which plain http on localhost cannot give. */
const cookieName = (base: string) => (base.startsWith('https:') ? '__Host-session' : 'session')

/** The Set-Cookie that carries the token; an empty token clears it. */
export function sessionCookie(base: string, token: string, max_age_s: number): string {
  const secure = base.startsWith('https:') ? '; Secure' : ''
  return `${cookieName(base)}=${token}; HttpOnly${secure}; SameSite=Lax; Path=/; Max-Age=${token ? max_age_s : 0}`
}

/** The token that a request presents, and whether it came in a cookie, which browsers send by themselves. */
export function presentedToken(request: Request, base: string): { token: string; cookie: boolean } | undefined {
  const [, bearer] = /^bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
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

/** Counts a request without a valid token, by its address. @throws Problem `rate_limited` */
export const admitAddress = ({ limits }: Parts, caller: Caller) => limits.take(caller, GENERAL, addressKey(caller.ip))

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
  await parts.limits.take(caller, GENERAL, `user:${me.id}`)
  return me
}

/** The plugin of routes that need a token: gives handlers `me` and `caller`. Runs before the body is validated. */
export const signedIn = (parts: Parts, sessions: Sessions) =>
  new Elysia().derive({ as: 'scoped' }, async ({ request, route }) => {
    const caller = callerOf(request)
    caller.route = route
    return { caller, me: await identify(parts, sessions, request, caller) }
  })

/** The plugin of routes that need no token: gives handlers `caller`. */
export const anonymous = (parts: Parts) =>
  new Elysia().derive({ as: 'scoped' }, async ({ request, route }) => {
    const caller = callerOf(request)
    caller.route = route
    await admitAddress(parts, caller)
    return { caller }
  })
