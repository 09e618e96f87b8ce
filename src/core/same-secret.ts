import { timingSafeEqual } from 'node:crypto'

/** Whether a secret was given, in a time that tells nothing of where the two differ. */
export function isSameSecret(given: string, secret: string): boolean {
  const [own, other] = [Buffer.from(secret), Buffer.from(given)]
  return own.length === other.length && timingSafeEqual(own, other)
}
