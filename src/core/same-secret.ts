import { timingSafeEqual } from 'node:crypto'

/** Compares secrets in constant time. */
export function isSameSecret(input: string, secret: string): boolean {
  const [secretBytes, inputBytes] = [Buffer.from(secret), Buffer.from(input)]
  return secretBytes.length === inputBytes.length && timingSafeEqual(secretBytes, inputBytes)
}
