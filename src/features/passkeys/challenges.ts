import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Transaction } from '../../database/database.ts'

const RANDOM_BYTES = 16
const TIME_BYTES = 6
const CHALLENGE_SECONDS = 300
export const CHALLENGE_MS = CHALLENGE_SECONDS * 1000

/**
 * WebAuthn challenges that are signed instead of stored, so that requesting one uses no memory; `spend` makes each
 * valid for one answer.
 */
export class Challenges {
  private readonly key: Buffer

  /** @param secret signs tokens; a restored installation has another one, which voids every challenge */
  constructor(secret: string) {
    this.key = createHmac('sha256', secret).update('challenges of passkeys').digest()
  }

  /** A new challenge, base64url. @param purpose and owner; the challenge is not valid for anything else */
  make(purpose: string, now = Date.now()): string {
    const body = Buffer.alloc(RANDOM_BYTES + TIME_BYTES)
    randomBytes(RANDOM_BYTES).copy(body)
    body.writeUIntBE(now + CHALLENGE_MS, RANDOM_BYTES, TIME_BYTES)
    return Buffer.concat([body, this.sign(body, purpose)]).toString('base64url')
  }

  /** True if the challenge was created for this purpose, at most five minutes ago. */
  isGood(challenge: string, purpose: string, now = Date.now()): boolean {
    const bytes = Buffer.from(challenge, 'base64url')
    const body = bytes.subarray(0, RANDOM_BYTES + TIME_BYTES)
    const signature = bytes.subarray(RANDOM_BYTES + TIME_BYTES)
    const expected = this.sign(body, purpose)
    if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return false
    return body.readUIntBE(RANDOM_BYTES, TIME_BYTES) > now
  }

  /**
   * Records in the caller's transaction that a valid challenge was answered.
   * @returns false if it was answered before
   */
  async spend(sql: Transaction, challenge: string): Promise<boolean> {
    const hash = createHash('sha256').update(Buffer.from(challenge, 'base64url')).digest()
    // Twice the validity, because the clocks of this process and of the database may differ.
    const rows = await sql`insert into spent_challenges (hash, expires_at)
      values (${hash}, now() + ${2 * CHALLENGE_SECONDS} * interval '1 second') on conflict do nothing returning 1`
    return rows.length > 0
  }

  private sign(body: Buffer, purpose: string): Buffer {
    return createHmac('sha256', this.key).update(body).update(purpose).digest()
  }
}
