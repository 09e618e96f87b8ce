import { timingSafeEqual } from 'node:crypto'

/** Compares secrets in constant time. */
export function isSameSecret(given: string, secret: string): boolean {
  const [own, other] = [Buffer.from(secret), Buffer.from(given)]
  return own.length === other.length && timingSafeEqual(own, other)
}
