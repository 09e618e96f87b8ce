import { createHmac, timingSafeEqual } from 'node:crypto'

/** RFC 8656 §5 leaves the lifetime to the server; an older nonce is refused with 438 and a new one. */
const NONCE_SECONDS = 600
const TIME_HEX = 8
const PROOF_HEX = 24

/**
 * Nonces that the server does not store: the time of issue, and an HMAC of that time and the client's address.
 * RFC 8489 §9.2.4: a nonce is valid only for the client that received it.
 */
export class Nonces {
  constructor(private readonly key: Uint8Array) {}

  /** @param client transport and address of the client, as text */
  issue(client: string, nowS: number): string {
    const time = Math.floor(nowS).toString(16).padStart(TIME_HEX, '0')
    return time + this.proof(time, client)
  }

  isValid(nonce: string, client: string, nowS: number): boolean {
    if (nonce.length !== TIME_HEX + PROOF_HEX || !/^[0-9a-f]+$/.test(nonce)) return false
    const time = nonce.slice(0, TIME_HEX)
    const ageS = nowS - Number.parseInt(time, 16)
    if (ageS > NONCE_SECONDS || ageS < -1) return false
    return timingSafeEqual(Buffer.from(nonce.slice(TIME_HEX)), Buffer.from(this.proof(time, client)))
  }

  private proof(time: string, client: string): string {
    return createHmac('sha256', this.key).update(time).update(client).digest('hex').slice(0, PROOF_HEX)
  }
}
