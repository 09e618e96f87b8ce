import { createHmac, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import type { Secrets } from '../../database/secrets.ts'

/** The bytes before the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410 §7). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * An application's key, which signs what it is sent. Derived from a secret, so it stays the same as long as the
 * installation exists.
 */
function keyOf({ interactions }: Pick<Secrets, 'interactions'>, application_id: number): KeyObject {
  const seed = createHmac('sha256', interactions).update(`application ${application_id}`).digest()
  return createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' })
}

/** The public key with which an application verifies requests of this installation: 32 bytes, hexadecimal. */
export function publicKeyOf(secrets: Pick<Secrets, 'interactions'>, application_id: number): string {
  const { x = '' } = createPublicKey(keyOf(secrets, application_id)).export({ format: 'jwk' })
  return Buffer.from(x, 'base64url').toString('hex')
}

/**
 * The headers that sign a request to an application: Ed25519 over the timestamp and the body.
 * @param now_s seconds since the epoch
 */
export function signatureHeaders(
  secrets: Pick<Secrets, 'interactions'>,
  application_id: number,
  body: Buffer,
  now_s: number,
): Record<string, string> {
  const timestamp = String(Math.floor(now_s))
  const signature = sign(null, Buffer.concat([Buffer.from(timestamp), body]), keyOf(secrets, application_id))
  return { 'X-Signature-Ed25519': signature.toString('hex'), 'X-Signature-Timestamp': timestamp }
}
