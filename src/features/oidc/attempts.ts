import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { isSameSecret } from '../../core/same-secret.ts'
import type { Sql } from '../../database/database.ts'

/** Time limit at the provider. */
const ATTEMPT_SECONDS = 600
const NONCE_BYTES = 12
const TAG_BYTES = 16
const SEALED_MAX = 4096

/** The purpose of a visit to the provider. */
const Purpose = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('login'), invite_code: z.string().optional() }),
  z.object({ kind: z.enum(['link', 'proof']), user_id: z.int(), session_id: z.int() }),
])
export type Purpose = z.infer<typeof Purpose>

/** A round trip to the provider in one browser. */
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
 * Login attempts at the provider. The browser stores its attempt in an encrypted cookie, so that beginning one uses no
 * memory here. A browser has one attempt: the newest.
 */
export class Attempts {
  private readonly key: Buffer

  /** @param secret signs tokens; a restored installation has another one, which voids every attempt */
  constructor(secret: string) {
    this.key = createHmac('sha256', secret).update('attempts of single sign-on').digest()
  }

  begin(purpose: Purpose, return_to: string, issuer: string, now = Date.now()): Attempt {
    const random = () => randomBytes(32).toString('base64url')
    const started_s = Math.floor(now / 1000)
    return { purpose, return_to, issuer, state: random(), nonce: random(), verifier: random(), started_s }
  }

  /** The Set-Cookie header for an attempt. Lax, because the browser returns from another site. */
  cookie(attempt: Attempt, base: string): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce)
    const ciphertext = Buffer.concat([
      nonce,
      cipher.update(JSON.stringify(attempt)),
      cipher.final(),
      cipher.getAuthTag(),
    ])
    const secure = base.startsWith('https:') ? '; Secure' : ''
    const value = `${cookieName(base)}=${ciphertext.toString('base64url')}`
    return `${value}; HttpOnly${secure}; SameSite=Lax; Path=/; Max-Age=${ATTEMPT_SECONDS}`
  }

  /** This browser's attempt; undefined if there is none, or it has expired. */
  read(request: Request, base: string, now = Date.now()): Attempt | undefined {
    const name = `${cookieName(base)}=`
    const pair = request.headers
      .get('cookie')
      ?.split(/; */)
      .find((part) => part.startsWith(name))
    const attempt = pair && this.unseal(pair.slice(name.length))
    return attempt && attempt.started_s > now / 1000 - ATTEMPT_SECONDS ? attempt : undefined
  }

  /** Uses up an attempt. @returns false if it was used before */
  async spend(sql: Sql, { state }: Attempt): Promise<boolean> {
    const hash = createHash('sha256').update(`oidc ${state}`).digest()
    // Twice the validity, because the clocks of this process and of the database may differ.
    const rows = await sql`insert into spent_challenges (hash, expires_at)
      values (${hash}, now() + ${2 * ATTEMPT_SECONDS} * interval '1 second') on conflict do nothing returning 1`
    return rows.length > 0
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

/** True if the returned state is the attempt's. */
export const isStateOf = ({ state }: Attempt, returnedState: string | undefined): boolean =>
  isSameSecret(returnedState ?? '', state)
