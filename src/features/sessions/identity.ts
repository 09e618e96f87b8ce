import { Elysia } from 'elysia'
import { type Caller, callerOf } from '../../http/caller.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { Problem } from '../../core/errors.ts'
import type { Sessions } from './store.ts'

/** Every endpoint without a limit of its own. Source: contract.md §4. */
const GENERAL: BucketPolicy = { name: 'general', burst: 50, refill_per_s: 20 }

/** Cookies with the __Host- prefix need Secure, which plain http on localhost cannot give. */
const cookieName = (base: string) => (base.startsWith('https:') ? '__Host-session' : 'session')

/** The Set-Cookie that carries the token; an empty token clears it. */
export function sessionCookie(base: string, token: string, max_age_s: number): string {
  const secure = base.startsWith('https:') ? '; Secure' : ''
  return `${cookieName(base)}=${token}; HttpOnly${secure}; SameSite=Lax; Path=/; Max-Age=${token ? max_age_s : 0}`
}

/** The address as limits count it: IPv6 by its /64. */
export function addressKey(ip: string): string {
  if (!ip.includes(':')) return ip
  const [head = '', tail = ''] = ip.split('%')[0]?.split('::') ?? []
  const left = head.split(':').filter(Boolean)
  const right = tail.split(':').filter(Boolean)
  const groups = ip.includes('::')
    ? [...left, ...Array(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
    : left
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

/** The token that a request presents, and whether the browser sent it by itself. */
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

/** Whether a request that a browser authenticated by itself was meant by our own pages. Source: contract.md §4. */
export function isOwnOrigin(request: Request, base: string, allowed: string[]): boolean {
  const origin = request.headers.get('origin')
  if (origin !== null) return origin === base || allowed.includes(origin)
  return request.headers.get('sec-fetch-site') === 'same-origin'
}

/** Counts a request that nobody has signed, by its address. */
export const admitAddress = ({ limits }: Parts, caller: Caller) => limits.take(caller, GENERAL, addressKey(caller.ip))

/**
 * Finds out who asks, and counts the request.
 * @throws Problem `unauthorized`, `token_expired`, `token_revoked`, `csrf`, `rate_limited`
 */
async function identify(parts: Parts, sessions: Sessions, request: Request, caller: Caller) {
  const presented = presentedToken(request, caller.base)
  const me = presented && (await sessions.authenticate(presented.token).catch((error: unknown) => error))
  if (!me || me instanceof Error) {
    await admitAddress(parts, caller)
    throw me ?? new Problem('unauthorized')
  }
  const identified = me as Awaited<ReturnType<Sessions['authenticate']>>
  caller.user_id = identified.id
  const reads = request.method === 'GET' || request.method === 'HEAD'
  if (presented.cookie && !reads && !isOwnOrigin(request, caller.base, parts.environment.CORS_ORIGINS)) {
    // Counted by address: another site's page does not use up the account's share.
    await admitAddress(parts, caller)
    throw new Problem('csrf')
  }
  await parts.limits.take(caller, GENERAL, `user:${identified.id}`)
  return identified
}

/** The plugin of every route that needs a token: handlers find `me` and `caller`. Runs before the body is judged. */
export const signedIn = (parts: Parts, sessions: Sessions) =>
  new Elysia().derive({ as: 'scoped' }, async ({ request, route }) => {
    const caller = callerOf(request)
    caller.route = route
    return { caller, me: await identify(parts, sessions, request, caller) }
  })

/** The plugin of the few routes that need none. */
export const anonymous = (parts: Parts) =>
  new Elysia().derive({ as: 'scoped' }, async ({ request, route }) => {
    const caller = callerOf(request)
    caller.route = route
    await admitAddress(parts, caller)
    return { caller }
  })
