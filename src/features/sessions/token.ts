import { createHmac, timingSafeEqual } from 'node:crypto'
import { jwt } from '@elysiajs/jwt'
import { z } from 'zod'

const ISSUER = 'parley'

/** RFC 7515 §4.1.11: a token with an extension that the server does not understand is invalid. */
const Header = z.object({ alg: z.literal('HS256'), crit: z.never().optional() })
const Claims = z.object({
  sub: z
    .string()
    .regex(/^\d{1,16}$/)
    .transform(Number),
  sid: z.int(),
  ver: z.int(),
  iat: z.int(),
  exp: z.int(),
  iss: z.literal(ISSUER),
})
export type Claims = z.infer<typeof Claims>

export interface Tokens {
  sign(session: { id: number; user_id: number; ver: number; expires_at: string }): Promise<string>
  /**
   * The claims of a token that this installation signed, expired or not; undefined for any other text.
   * @param isKept true to cache them
   */
  read(token: string, isKept: boolean): Claims | undefined
}

/** Verified tokens to cache. Verification is the most expensive part of authentication. */
const CACHE_MAX = 4096

/** Signs with the plugin and verifies natively, which is faster. RFC 8725 §3.1: only HS256, whatever the token says. */
export function openTokens(secret: string): Tokens {
  const signer = jwt({ name: 'jwt', secret, alg: 'HS256', iss: ISSUER }).decorator.jwt
  // Keyed by the full token, oldest first. Expiry is checked at each use.
  const cache = new Map<string, Claims>()
  const verify = (token: string): Claims | undefined => {
    const [header, payload, signature, ...rest] = token.split('.')
    if (!header || !payload || !signature || rest.length > 0) return undefined
    // Compared as text, because a lenient decoder would accept several spellings of one signature.
    const expected = Buffer.from(createHmac('sha256', secret).update(`${header}.${payload}`).digest('base64url'))
    const signatureBytes = Buffer.from(signature)
    if (signatureBytes.length !== expected.length || !timingSafeEqual(signatureBytes, expected)) return undefined
    if (!Header.safeParse(decode(header)).success) return undefined
    return Claims.safeParse(decode(payload)).data
  }
  return {
    sign: ({ id, user_id, ver, expires_at }) =>
      signer.sign({ sub: String(user_id), sid: id, ver, exp: Math.floor(Date.parse(expires_at) / 1000) }),
    read(token, isKept) {
      const before = cache.get(token)
      if (before) return before
      const claims = verify(token)
      if (!claims || !isKept) return claims
      cache.set(token, claims)
      if (cache.size > CACHE_MAX) cache.delete(cache.keys().next().value ?? token)
      return claims
    },
  }
}

function decode(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString())
  } catch {
    return undefined
  }
}
