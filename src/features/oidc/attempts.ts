import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { isSameSecret } from '../../core/same-secret.ts'
import type { Sql } from '../../database/database.ts'

/** How long somebody may take at the provider. */
const ATTEMPT_SECONDS = 600
const NONCE_BYTES = 12
const TAG_BYTES = 16
const SEALED_MAX = 4096

/** What somebody is at the provider for. */
const Purpose = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('login'), invite_code: z.string().optional() }),
  z.object({ kind: z.enum(['link', 'proof']), user_id: z.int(), session_id: z.int() }),
])
export type Purpose = z.infer<typeof Purpose>

/** A way to the provider and back, which one browser is on. */
const Attempt = z.object({
  purpose: Purpose,
  return_to: z.string(),
  issuer: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  started_s: z.int(),
})
export type Attempt = z.infer<typeof Attempt>

/** Cookies with the __Host- prefix need Secure, which plain http on localhost cannot give. */
const cookieName = (base: string) => (base.startsWith('https:') ? '__Host-oidc' : 'oidc')

/**
 * Attempts, each kept by the browser that makes it: in a cookie, encrypted, so that beginning one stores nothing here.
 * A browser is on one at a time; the newest counts.
 */
export class Attempts {
  private readonly key: Buffer

  /** @param secret signs tokens; a restored installation has another, which voids every attempt */
  constructor(secret: string) {
    this.key = createHmac('sha256', secret).update('attempts of single sign-on').digest()
  }

  /** A new attempt. */
  begin(purpose: Purpose, return_to: string, issuer: string, now = Date.now()): Attempt {
    const random = () => randomBytes(32).toString('base64url')
    const started_s = Math.floor(now / 1000)
    return { purpose, return_to, issuer, state: random(), nonce: random(), verifier: random(), started_s }
  }

  /** The Set-Cookie that keeps an attempt. Lax: the browser comes back from another site. */
  cookie(attempt: Attempt, base: string): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce)
    const sealed = Buffer.concat([nonce, cipher.update(JSON.stringify(attempt)), cipher.final(), cipher.getAuthTag()])
    const secure = base.startsWith('https:') ? '; Secure' : ''
    const value = `${cookieName(base)}=${sealed.toString('base64url')}`
    return `${value}; HttpOnly${secure}; SameSite=Lax; Path=/; Max-Age=${ATTEMPT_SECONDS}`
  }

  /** The attempt that this browser is on; undefined where there is none, or it has taken too long. */
  read(request: Request, base: string, now = Date.now()): Attempt | undefined {
    const name = `${cookieName(base)}=`
    const pair = request.headers
      .get('cookie')
      ?.split(/; */)
      .find((part) => part.startsWith(name))
    const attempt = pair && this.unseal(pair.slice(name.length))
    return attempt && attempt.started_s > now / 1000 - ATTEMPT_SECONDS ? attempt : undefined
  }

  /** Uses an attempt up. @returns false when it was used before */
  async spend(sql: Sql, { state }: Attempt): Promise<boolean> {
    const hash = createHash('sha256').update(`oidc ${state}`).digest()
    // Twice as long as it counts: the clocks of this process and of the database may differ.
    const spent = await sql`insert into spent_challenges (hash, expires_at)
      values (${hash}, now() + ${2 * ATTEMPT_SECONDS} * interval '1 second') on conflict do nothing returning 1`
    return spent.length > 0
  }

  private unseal(text: string): Attempt | undefined {
    if (text.length > SEALED_MAX) return undefined
    const bytes = Buffer.from(text, 'base64url')
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.key, bytes.subarray(0, NONCE_BYTES))
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
      const body = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
      return Attempt.parse(JSON.parse(body.toString()))
    } catch {
      return undefined
    }
  }
}

/** Whether the state that came back is the attempt's. */
export const isStateOf = ({ state }: Attempt, given: string | undefined): boolean => isSameSecret(given ?? '', state)
